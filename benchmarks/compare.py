#!/usr/bin/env python3
"""tensorc beside PyTorch and NumPy on the CPU, row by row, in one run.

  PYTHONPATH=build/python python3 benchmarks/compare.py            every row, as a table
  ... compare.py --only=conv2d --threads=2 --wall                  some rows, by the clock
  ... compare.py --output=table.md                                 the table, and table.svg with a bar for each row
  ... compare.py --target=x86-64-v3 --every=4                      as if the processor had AVX2 alone, each fourth row

Needs PyTorch in the interpreter that runs it. The two sides take turns. A figure is
the median over the rounds of each side's time for a call; the ratio is the peer's
time divided by ours, so that more than 1 means that tensorc is faster. Without
--wall times are processor time of one thread, which other processes disturb least.
Before a row is timed, both results are compared, and ours is called until nothing
is compiled any more.
"""

import argparse
import math
import os
import platform
import statistics
import sys
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--only", default="", help="the rows whose name contains this")
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--rounds", type=int, default=7)
parser.add_argument("--milliseconds", type=float, default=20, help="the least time of a side in a round")
parser.add_argument("--wall", action="store_true", help="time by the clock; for a machine on which nothing else runs")
parser.add_argument("--target", choices=["x86-64-v3"], help="what both sides compile for or choose their kernels by; the default is the processor")
parser.add_argument("--every", type=int, default=1, help="each such row of them")
parser.add_argument("--list", action="store_true", help="the rows' names")
parser.add_argument("--output", help="a file for the table; the chart stands beside it as .svg")
options = parser.parse_args()
os.environ["TENSORC_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(options.threads)
if options.target:
    # PyTorch's own kernels, oneDNN, MKL and NumPy each have a variable, which they read when they are loaded.
    os.environ |= {"TENSORC_CPU": options.target, "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
                   "MKL_ENABLE_INSTRUCTIONS": "AVX2", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}  # fmt: skip

import numpy as np  # noqa: E402
import torch  # noqa: E402

import tensorc as tc  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from peers.rows import rows  # noqa: E402

torch.set_num_threads(options.threads)
torch.set_grad_enabled(False)
clock = time.perf_counter if options.wall else time.process_time


def per_call(call, count):
    begin = clock()
    for _ in range(count):
        call()
    return (clock() - begin) / count


def settle(call):
    """Until nothing is compiled any more: sizes that come often get kernels of their own (docs/design/0055-frequent-sizes.md).

    Twice the 32 uses of that page, where 2 ms of the calling thread are one more use.
    """
    uses = 0
    while uses < 64:
        compiled, begin = tc.compile_stats()["compilations"], time.thread_time()
        call()
        uses += 1 + int((time.thread_time() - begin) / 2e-3)
        if tc.compile_stats()["compilations"] != compiled:
            uses = 0


def evaluated(result):
    for r in result if isinstance(result, (tuple, list)) else [result]:
        r.eval()
    return result


def error(ours, theirs):
    """The largest difference as a share of the largest element."""
    worst = 0.0
    pairs = zip(ours, theirs) if isinstance(ours, (tuple, list)) else [(ours, theirs)]
    for a, b in pairs:
        a, b = np.asarray(a, dtype=np.float64), np.asarray(b.detach().to(torch.float64) if isinstance(b, torch.Tensor) else b, dtype=np.float64)
        if a.shape != b.shape:
            return math.inf
        if b.size:
            worst = max(worst, float(np.nanmax(np.abs(a - b)) / max(float(np.nanmax(np.abs(b))), 1e-30)))
    return worst


def measure(row):
    ours, theirs = row.sides()
    begin = time.process_time()
    first = evaluated(ours())
    compiling = time.process_time() - begin
    difference = error(first, theirs())
    calls = [lambda: evaluated(ours()), theirs]
    counts = []
    settle(calls[0])
    for call in calls:
        call()
        counts.append(max(1, math.ceil(options.milliseconds / 1e3 / max(per_call(call, 1), 1e-7))))
    times = [[per_call(call, count) for call, count in zip(calls, counts)] for _ in range(options.rounds)]
    # The kernels that one call runs.
    return [statistics.median(side) for side in zip(*times)], difference, compiling


def chart(path, results):
    """A bar for each row, from the line of equality to the ratio, on a logarithmic scale."""
    height, left, scale = 14, 330, 90
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + 5 * scale + 200}" height="{height * (len(results) + 3)}" '
             'font-family="sans-serif" font-size="10">']
    middle = left + 2.5 * scale
    for i, (name, ratio) in enumerate(results):
        y = height * (i + 2)
        length = max(-2.5, min(2.5, math.log2(ratio) / 2)) * scale
        color = "#2a7" if ratio >= 1 else "#d66"
        lines.append(f'<text x="{left - 6}" y="{y + 9}" text-anchor="end">{name.replace("&", "&amp;").replace("<", "&lt;")}</text>')
        lines.append(f'<rect x="{min(middle, middle + length):.1f}" y="{y}" width="{abs(length):.1f}" height="{height - 3}" fill="{color}"/>')
        lines.append(f'<text x="{middle + 2.6 * scale:.0f}" y="{y + 9}">{ratio:.2f}</text>')
    for power in range(-2, 3):
        x = middle + power * scale
        lines.append(f'<line x1="{x}" x2="{x}" y1="{height}" y2="{height * (len(results) + 2)}" stroke="#999"/>')
        lines.append(f'<text x="{x}" y="{height - 3}" text-anchor="middle">{4.0**power:g}</text>')
    with open(path, "w") as file:
        file.write("\n".join(lines + ["</svg>\n"]))


def processor():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.processor()


lines, ratios = [], []


def say(line):
    lines.append(line)
    print(line, flush=True)


chosen = [row for row in rows() if options.only in row.name][:: options.every]
if options.list:
    print("\n".join(row.name for row in chosen))
    sys.exit()
say(f"{processor()}{f' as {options.target}' if options.target else ''}, {options.threads} thread(s), PyTorch {torch.__version__}, NumPy {np.__version__}; load {os.getloadavg()[0]:.1f}; "
    f"{'time by the clock' if options.wall else 'processor time'}, medians of {options.rounds} rounds\n")
say("| row | ours, ms | peer, ms | peer ÷ ours | first call, ms |\n|---|---|---|---|---|")
for row in chosen:
    try:
        (ours, theirs), difference, compiling = measure(row)
    except Exception as e:  # A row that cannot run is told; the others go on.
        say(f"| {row.name} | – | – | {type(e).__name__}: {str(e).splitlines()[0][:100]} | |")
        continue
    wrong = "" if difference <= row.tolerance else f", **differs by {difference:.1e}**"
    ratios.append((row.name, theirs / ours))
    say(f"| {row.name} | {ours * 1e3:.3f} | {theirs * 1e3:.3f} | {theirs / ours:.2f}{wrong} | {compiling * 1e3:.0f} |")
if ratios:
    mean = math.exp(sum(math.log(r) for _, r in ratios) / len(ratios))
    say(f"\n{len(ratios)} rows: geometric mean {mean:.2f}, at least 1.0 in {sum(r >= 1 for _, r in ratios)}, "
        f"below 0.95 in {sum(r < 0.95 for _, r in ratios)}")
if options.output:
    with open(options.output, "w") as file:
        file.write("\n".join(lines) + "\n")
    chart(os.path.splitext(options.output)[0] + ".svg", ratios)
