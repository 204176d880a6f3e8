#!/usr/bin/env python3
"""Compares layers of torch.nn, as functions of tensorc and under torch.compile, with eager PyTorch and Inductor, in one
process.

  PYTHONPATH=build/python python3 benchmarks/torch_layers.py [--only=WORD] [--rows=N] [--inductor=K] [--output=FILE]

Each layer of torch.nn is a row with five random sizes (peers/layers.py). Excluded are layers that compute nothing (such
as Dropout at inference), whose results are random, or that PyTorch runs instead of tensorc. `ours` is the function that
torch.compile(backend="tensorc") makes of the layer, called directly like a function of `jit`. `compiled` and `Inductor`
are calls through torch.compile, to which Dynamo and AOTAutograd add about 20 us. Times are microseconds of CPU time of
a call on one thread, medians of rounds in which the libraries take turns. Every K-th row is also compiled by Inductor
(0: none), which takes seconds per row. The rows are in random order, so that the first N are a sample.
"""

import argparse
import math
import os
import statistics
import sys
import time
import warnings

os.environ["TENSORC_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
warnings.filterwarnings("ignore")

import torch  # noqa: E402

import tensorc.torch as backend  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from peers.layers import layers  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--only", default="", help="the rows whose name begins with this")
parser.add_argument("--rows", type=int, default=10**6)
parser.add_argument("--inductor", type=int, default=0)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--milliseconds", type=float, default=4, help="the least time of a side in a round")
parser.add_argument("--output", help="a file for the table")
options = parser.parse_args()

WARM = 40  # calls before the measurement, after which kernels for this size exist (docs/design/0008-caches.md)


def tensors(result):
    if isinstance(result, torch.Tensor):
        return [result]
    return [t for part in result for t in tensors(part)] if isinstance(result, (tuple, list)) else []


def difference(made, expected):
    worst = 0.0
    for a, b in zip(tensors(made), tensors(expected), strict=True):
        a, b = a.double(), b.double()
        if a.shape != b.shape:
            return math.inf
        if b.numel():
            worst = max(worst, ((a - b).abs().max() / b.abs().max().clamp_min(1e-30)).item())
    return worst


def nothing_to_measure(module, given):
    """Returns the reason why a layer is excluded, or None."""
    result, again = module(*given), module(*given)
    if difference(result, again) != 0:
        return "draws numbers"
    memory = {t.untyped_storage().data_ptr() for t in tensors(given)}
    if all(t.untyped_storage().data_ptr() in memory for t in tensors(result)):
        return "computes nothing"
    return None


def per_call(call, count):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


class Recorded(backend.Graph):
    """A graph that records the arguments of its calls."""

    def __call__(self, args):
        self.args = list(args)
        return super().__call__(args)

    def function(self):
        """Returns a call of the graph's function without PyTorch around it, or None if the graph is not a single
        function."""
        if len(self.steps) != 1:
            return None
        (segment,) = self.steps
        env = dict(zip(self.placeholders, self.args)) | self.constants
        values = [env[n] for n in segment.inputs]
        arrays = [backend.to_array(v) if isinstance(v, torch.Tensor) else v for v in values]
        return lambda: segment.jit(None, *arrays)


backend.Graph = Recorded


def measure(layer, with_inductor):
    """Returns (reason for the exclusion, seconds by library, difference)."""
    module, given = layer.make()
    why = nothing_to_measure(module, given)
    if why:
        return why, None, 0.0
    torch._dynamo.reset()
    backend.reset_report()
    compiled = torch.compile(module, backend="tensorc", dynamic=False)
    error = difference(compiled(*given), module(*given))
    report = backend.report()
    ours = report.graphs[0].function() if len(report.graphs) == 1 and not report.fallbacks else None
    if not ours:
        return "left to PyTorch", None, error
    calls = [ours, lambda: module(*given), lambda: compiled(*given)]
    if with_inductor:
        inductor = torch.compile(layer.make()[0], dynamic=False)
        inductor(*given)
        calls.append(lambda: inductor(*given))
    counts = []
    for call in calls:
        per_call(call, 2)
        once = per_call(call, 3)
        per_call(call, min(WARM, int(0.2 / max(once, 1e-6))))
        counts.append(max(1, math.ceil(options.milliseconds / 1e3 / max(once, 1e-6))))
    rounds = [[per_call(call, count) for call, count in zip(calls, counts)] for _ in range(options.rounds)]
    return None, [statistics.median(side) for side in zip(*rounds)], error


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    lines, left = [], {}

    def say(line):
        lines.append(line)
        print(line, flush=True)
        if options.output:
            with open(options.output, "w") as file:
                file.write("\n".join(lines) + "\n")

    say(f"{cpu()}, one thread, PyTorch {torch.__version__}; load {os.getloadavg()[0]:.0f}\n")
    say("| layer | ours, µs | eager | eager ÷ ours | compiled | Inductor | Inductor ÷ compiled |\n|---|---|---|---|---|---|---|")
    eager, inductor = [], []
    chosen = [row for row in layers() if row.name.startswith(options.only)][: options.rows]
    for i, row in enumerate(chosen):
        try:
            why, times, error = measure(row, options.inductor and i % options.inductor == 0)
        except Exception as e:  # a layer that cannot run is reported, and the others continue
            why, times, error = f"{type(e).__name__}: {str(e).strip().splitlines()[0][:80]}", None, 0.0
        if why:
            left.setdefault(why, set()).add(row.name)
            continue
        wrong = "" if error <= 1e-4 else f" **differs by {error:.0e}**"
        ours, theirs, compiled, *rest = times
        eager.append(theirs / ours)
        inductor += [rest[0] / compiled] if rest else []
        say(f"| {row.name} {row.sizes}{wrong} | {ours * 1e6:.1f} | {theirs * 1e6:.1f} | {theirs / ours:.2f} | {compiled * 1e6:.1f} "
            f"| {f'{rest[0] * 1e6:.1f} | {rest[0] / compiled:.2f}' if rest else '|'} |")  # fmt: skip
    for why, names in left.items():
        print(f"{why}: {', '.join(sorted(names))}")
    if eager:
        say(f"\n{len(eager)} rows: geometric mean {mean(eager):.2f} of eager, at least 1.0 in {sum(r >= 1 for r in eager)}, below 0.95 in "
            f"{sum(r < 0.95 for r in eager)}; of {len(inductor)} rows {mean(inductor):.2f} of Inductor")  # fmt: skip


def cpu():
    with open("/proc/cpuinfo") as file:
        return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))


if __name__ == "__main__":
    main()
