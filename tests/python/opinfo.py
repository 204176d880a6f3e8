"""Runs the operations of PyTorch's own database (OpInfo) through the backend of torch.compile, and compares with eager PyTorch.

    PYTHONPATH=build/python python3 tests/python/opinfo.py [NAME ...] [--samples=N] [--dtypes=float32,int64] [--table=FILE] [--verbose]

A case is one operation with one dtype and one sample of arguments. Its graph of ATen goes to the backend as Dynamo would give
it; what has no conversion there is computed by PyTorch, so a case is one of

  agree     the graph ran without PyTorch, and the results are eager's
  fallback  so did the results, but some operations of the graph were left to PyTorch
  differ    a result is another one: a bug
  failed    an exception that eager PyTorch does not raise: a bug
  skipped   no graph: PyTorch cannot trace the case, or the shape of its result depends on values
"""

import argparse
import collections
import itertools
import random
import signal
import sys
import warnings

import torch
from torch._dynamo.backends.debugging import aot_eager
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_flatten, tree_unflatten

import tensorc.torch as backend

warnings.filterwarnings("ignore")

DTYPES = ("float32", "float64", "bfloat16", "float16", "complex64", "int64", "int32", "uint8", "bool")
# Memory that nobody wrote, other numbers than eager's by design (docs/torch.md), and no tensors as results.
NOT_FUNCTIONS = (
    "empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided", "resize_", "resize_as_",
    "bernoulli", "cauchy", "exponential", "geometric", "log_normal", "multinomial", "normal", "rand", "rand_like", "randint",
    "randint_like", "randn", "randn_like", "uniform", "nn.functional.alpha_dropout", "nn.functional.dropout",
    "nn.functional.dropout2d", "nn.functional.dropout3d", "nn.functional.feature_alpha_dropout",
    "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d", "nn.functional.rrelu",
    "nn.functional.multi_head_attention_forward", "nn.functional.scaled_dot_product_attention", "pca_lowrank", "svd_lowrank",
    "to_sparse", "torch.ops.aten._efficient_attention_forward", "torch.ops.aten._flash_attention_forward",
)  # fmt: skip
# Which of several equal elements an index names is not said.
FREE_INDICES = ("kthvalue", "median", "mode", "nanmedian", "sort", "topk")
TOLERANCES = {
    torch.float16: (4e-3, 4e-3), torch.bfloat16: (3e-2, 3e-2), torch.float32: (3e-5, 3e-5), torch.float64: (1e-9, 1e-9),
    torch.complex64: (3e-5, 3e-5), torch.complex128: (1e-9, 1e-9), torch.complex32: (4e-3, 4e-3),
}  # fmt: skip


def operations(names=None):
    for info in op_db:
        full = info.full_name
        if info.name in NOT_FUNCTIONS or full.startswith(("sparse", "masked.sparse")) or names and info.name not in names:
            continue
        yield info


def tensors_of(value):
    return [leaf for leaf in tree_flatten(value)[0] if isinstance(leaf, torch.Tensor)]


def same(made, expected):
    """Why a result is not eager's; none if it is."""
    if len(made) != len(expected):
        return f"{len(made)} results, not {len(expected)}"
    for a, b in zip(made, expected):
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}"
        relative, absolute = TOLERANCES.get(b.dtype, (0, 0))
        try:
            torch.testing.assert_close(a, b, rtol=relative, atol=absolute, equal_nan=True, check_stride=False)
        except (AssertionError, RuntimeError) as error:
            return " ".join(str(error).split())[:160]
    return None


class Case:
    """One operation with one sample, as a function of its tensors."""

    def __init__(self, info, sample):
        self.info = info
        self.leaves, self.tree = tree_flatten((sample.input, sample.args, sample.kwargs))
        self.determined = sample.output_process_fn_grad  # of vectors with free signs what is not free
        self.places = [i for i, leaf in enumerate(self.leaves) if isinstance(leaf, torch.Tensor)]

    def tensors(self):
        return [self.leaves[i].detach().clone() for i in self.places]

    def call(self, *tensors):
        leaves = list(self.leaves)
        for i, tensor in zip(self.places, tensors):
            leaves[i] = tensor
        first, args, kwargs = tree_unflatten(leaves, self.tree)
        if self.info.name == "argsort":  # otherwise the order of equal elements is not said
            kwargs = {**kwargs, "stable": True}
        made = self.info.op(first, *args, **kwargs)
        return tensors_of(self.determined(made) if self.determined else made)

    def is_as_near(self, made, expected):
        """Whether numbers of 16 bits are as near to the result in float64 as eager's."""
        narrow = (torch.float16, torch.bfloat16)
        if not any(t.dtype in narrow for t in expected):
            return False
        wide = [v.double() if isinstance(v, torch.Tensor) and v.dtype in narrow else v for v in self.leaves]
        narrow, self.leaves = self.leaves, wide
        try:
            truth = self.call(*self.tensors())
        finally:
            self.leaves = narrow
        errors = [[(a.double() - b).abs().max().item() for a, b in zip(v, truth)] for v in (made, expected)]
        return all(ours <= 1.5 * theirs for ours, theirs in zip(*errors))

    def run(self):
        """(what became of it, why)."""
        try:
            expected = self.call(*self.tensors())
            graph = make_fx(self.call)(*self.tensors())
        except Exception as error:
            return "skipped", f"{type(error).__name__}: {error}".splitlines()[0][:120]
        if not expected or any(t.layout != torch.strided or t.is_quantized for t in expected):
            return "skipped", "no dense tensor as a result"
        backend.reset_report()
        try:
            with torch.no_grad():
                made = backend.backend(graph, self.tensors())(*self.tensors())
        except (DataDependentOutputException, DynamicOutputShapeException) as error:
            return "skipped", f"{type(error).__name__}: {error}".splitlines()[0]
        except Exception as error:
            return "failed", f"{type(error).__name__}: {error}".splitlines()[0][:160]
        count = 1 if self.info.name in FREE_INDICES else len(expected)
        if why := same(tensors_of(made)[:count], expected[:count]):
            theirs = tensors_of(aot_eager(graph, self.tensors())(*self.tensors()))
            if same(theirs[:count], expected[:count]):
                return "skipped", "the graph that PyTorch makes has other results, without us, too"
            if not self.is_as_near(tensors_of(made)[:count], expected[:count]):
                return "differ", why
        left = collections.Counter()
        for graph in backend.report().graphs:
            left.update({f"{target}: {reason}": n for (target, reason), n in graph.fallbacks.items() if reason != "a part"})
        return ("fallback", "; ".join(left)[:200]) if left else ("agree", "")


def cases(names=None, samples=2, dtypes=DTYPES, first=0, step=1):
    """(operation, dtype, number, case), always the same ones."""
    for info in itertools.islice(operations(names), first, None, step):
        for name in dtypes:
            dtype = getattr(torch, name)
            if dtype not in info.supported_dtypes("cpu"):
                continue
            torch.manual_seed(0), random.seed(0)
            try:
                drawn = iter(info.sample_inputs("cpu", dtype, requires_grad=False))
                for number in range(samples):
                    sample = next(drawn, None)
                    if sample is None:
                        break
                    yield info.full_name, name, number, Case(info, sample)
            except Exception as error:  # a sample that this build of PyTorch cannot make
                print(f"{info.full_name} {name}: {error}".splitlines()[0], file=sys.stderr)


def until_interrupted(cases):
    """Ctrl-C ends the run with the counts so far."""
    asked = []
    signal.signal(signal.SIGINT, lambda *_: asked.append(1))
    for case in cases:
        yield case
        if asked:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--part", type=int, nargs=2, default=(0, 1), metavar=("I", "N"), help="only every N-th operation, from the I-th on")
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--dtypes", type=lambda text: text.split(","), default=DTYPES)
    parser.add_argument("--table", help="a file for the counts of each operation, as Markdown")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    counts, reasons = collections.defaultdict(collections.Counter), collections.Counter()
    drawn = cases(options.names, options.samples, options.dtypes, *options.part)
    for name, dtype, number, case in until_interrupted(drawn):
        what, why = case.run()
        counts[name][what] += 1
        torch._dynamo.reset()
        if what in ("differ", "failed"):
            print(f"{what:8} {name} {dtype} {number}: {why}", flush=True)
        elif options.verbose:
            print(f"{what:8} {name} {dtype} {number}: {why}", flush=True)
        if what == "fallback":
            reasons.update(why.split("; "))
    total = sum(counts.values(), collections.Counter())
    print(f"{sum(total.values())} cases of {len(counts)} operations: " + ", ".join(f"{n} {what}" for what, n in total.most_common()))
    for reason, n in reasons.most_common(60):
        print(f"  {n:5} {reason}")
    if options.table:
        with open(options.table, "w") as file:
            kinds = ("agree", "fallback", "differ", "failed", "skipped")
            print("| operation | " + " | ".join(kinds) + " |\n|---" + "|---" * len(kinds) + "|", file=file)
            for name in sorted(counts):
                print(f"| {name} | " + " | ".join(str(counts[name][kind]) for kind in kinds) + " |", file=file)
    return bool(total["differ"] + total["failed"])


if __name__ == "__main__":
    sys.exit(main())
