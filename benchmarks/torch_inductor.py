"""Compares torch.compile of ResNet-50 and BERT-base by this backend and by Inductor: the compile time, and the time of
a later call.

    TENSORC_NUM_THREADS=1 PYTHONPATH=build/python python3 benchmarks/torch_inductor.py [NAME ...] [--wall]

Both run on one thread in one process, and their calls alternate. The compile time is that of the backend only. The time
of Dynamo and AOTAutograd is the same for both and is excluded. Python's garbage collector is off, because its passes
over the objects of Dynamo would affect either backend at random. Inductor's caches are off; its one-time setup for a
machine is done before. All times are CPU times, including those of compilers that are called. With --wall they are
wall-clock times.
"""

import gc
import os
import resource
import statistics
import sys
import tempfile
import time

# Compilers must be children of this process, so that their CPU time is measured.
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()

import torch  # noqa: E402
from torch._inductor import compile_fx  # noqa: E402

import tensorc.torch as backend  # noqa: E402
from torch_models import difference, gradients, values  # noqa: E402


def now():
    if "--wall" in sys.argv:
        return time.perf_counter()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def resnet50():
    import torchvision

    return torchvision.models.resnet50(weights=None).eval(), (torch.randn(1, 3, 224, 224),)


def bert_base():
    import transformers

    model = transformers.BertModel(transformers.BertConfig()).eval()
    model.config.use_cache = False
    return model, (torch.randint(0, 30000, (1, 128)),)


MODELS = {"ResNet-50, an image of 224 x 224": resnet50, "BERT-base, a text of 128 tokens": bert_base}


class Ours:
    """Measures this backend. Graphs are converted when AOTAutograd passes them, and compiled at their first call."""

    def __init__(self):
        self.compiling, self.first = 0.0, []
        clock = self

        class Timed(backend.Graph):
            def __init__(self, module, mode):
                start = now()
                super().__init__(module, mode)
                clock.compiling += now() - start

            def __call__(self, args):
                if self.calls:
                    return super().__call__(args)
                start = now()
                made = super().__call__(args)
                clock.first.append((self, now() - start))
                return made

        self.graph, backend.Graph = backend.Graph, Timed

    def compile(self, model):
        return torch.compile(model, backend="tensorc")

    def stop(self):
        """Ends the measurement. Dynamo is reset for the next backend, so it converts these graphs again at a later
        call."""
        backend.Graph = self.graph

    def seconds(self, steady):
        """Returns the compile time: the time of the first call without that of a later call."""
        return self.compiling + sum(t for _, t in self.first) - steady


class Inductor:
    def __init__(self):
        self.compiling = 0.0

    def inner(self, *args, **kwargs):
        start = now()
        made = compile_fx.compile_fx_inner(*args, **kwargs)
        self.compiling += now() - start
        return made

    def compile(self, model):
        return torch.compile(model, backend=lambda m, x: compile_fx.compile_fx(m, x, inner_compile=self.inner))

    def stop(self):
        pass

    def seconds(self, steady):
        return self.compiling


def measure(make, trains):
    torch.manual_seed(0)
    model, args = make()
    compilers = [Ours(), Inductor()]
    calls = []

    def call_of(run):
        if trains:
            return lambda: gradients(model, run, args)
        return lambda: values(run(*args))

    with torch.set_grad_enabled(trains):
        for compiler in compilers:
            torch._dynamo.reset()
            call = call_of(compiler.compile(model))
            gc.disable()
            calls.append((call, call()))
            gc.enable()
            compiler.stop()
        error = difference(calls[0][1], calls[1][1])
        times = [[], []]
        for _ in range(10):
            for (call, _), spent in zip(calls, times):
                start = now()
                call()
                spent.append(now() - start)
    ours, theirs = (statistics.median(t) for t in times)
    return *(c.seconds(t) for c, t in zip(compilers, (ours, theirs))), ours, theirs, error


def main():
    torch.set_num_threads(1)
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")]
    torch.compile(lambda x: (x * 2).sum())(torch.ones(1000))  # Inductor's precompiled headers
    torch.compile(lambda x: (x * 2).sum(), backend="tensorc")(torch.ones(1000))
    print("| model | compiling, s | Inductor's | ratio | a call, ms | Inductor's | times as fast | difference |")
    print("|---|---|---|---|---|---|---|---|")
    for trains in (False, True):
        for name, make in MODELS.items():
            label = name + (", gradients" if trains else "")
            if wanted and not any(w in label for w in wanted):
                continue
            a, b, ours, theirs, error = measure(make, trains)
            print(f"| {label} | {a:.1f} | {b:.1f} | {a / b:.2f} | {ours * 1e3:.0f} | {theirs * 1e3:.0f} | {theirs / ours:.2f} | "
                  f"{error:.1e} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
