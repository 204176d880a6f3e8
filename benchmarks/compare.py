#!/usr/bin/env python3
"""Compares tensorc with PyTorch (eager and compiled), JAX and NumPy on the CPU, one table row per computation.

  PYTHONPATH=build/python python3 benchmarks/compare.py                 all rows, as a table
  ... compare.py --only=conv2d --peers=eager,jax --wall                 some rows and peers, in wall-clock time
  ... compare.py --target=x86-64-v3 --every=4                           as if the processor had only AVX2, every fourth row
  ... compare.py --part=1/2 --output=1.md & ... --part=2/2 --output=2.md; wait
  ... compare.py --merge 1.json 2.json --output=table.md                merges the tables of two processes, and draws table.svg with a bar for each row

The Python interpreter needs PyTorch and JAX if they are among the peers. Each library runs in a separate process
(peers/sides.py). The processes share a core and take turns. A time is the median over all rounds of the time of a call.
The ratio is the best peer's time divided by that of tensorc, so a ratio above 1 means that tensorc is faster. Without
--wall, times are CPU times, which other processes affect least. Before a row is timed, the results are compared, and
tensorc's function is called until it compiles no more kernels.

`eager` is NumPy where it is faster than PyTorch, as in sorts. `compiled` is torch.compile, including the overhead of
its calls. Weights are arguments of the peers' functions. `kernels` is the number of kernels that one call of tensorc
launches. The KB of machine code and the CPU time of the compilation are per kernel. A first call includes recording and
compilation. It uses no kernel of another row.
"""

import argparse
import json
import math
import os
import platform
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from peers.rows import rows  # noqa: E402
from peers.sides import Side, cores, environment, in_turns  # noqa: E402

PEERS = {"eager": "eager", "compiled": "compiled", "jax": "JAX"}
COMPILERS = {"compiled", "jax"}
FUSED = ("linear +", "mlp", "conv + bn", "attention")  # rows whose parts a compiler should fuse into one kernel


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="the rows whose name contains this, or one of several with | between")
    parser.add_argument("--every", type=int, default=1, help="each such row of them")
    parser.add_argument("--part", default="1/1", help="I/N: the I-th of N parts of these, on the I-th core")
    parser.add_argument("--list", action="store_true", help="the rows' names")
    parser.add_argument("--peers", default=",".join(PEERS), help=f"of {', '.join(PEERS)}, with commas")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--milliseconds", type=float, default=15, help="the least time of a side in a round")
    parser.add_argument("--wall", action="store_true", help="time by the clock; for a machine on which nothing else runs")
    parser.add_argument("--target", choices=["x86-64-v3"], help="what all sides compile for or choose their kernels by; the default is the processor")
    parser.add_argument("--output", help="a file for the table; the chart stands beside it as .svg, the figures as .json")
    parser.add_argument("--merge", nargs="+", metavar="JSON", help="measure nothing: one table of these parts")
    return parser.parse_args()


def variables(options):
    """Environment variables for the process of every library."""
    names = environment(options.threads, options.wall)
    if options.target:
        # Each of PyTorch's own kernels, oneDNN, MKL, NumPy and XLA has such a variable.
        names |= {"TENSORC_CPU": options.target, "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2",
                  "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR", "XLA_FLAGS": names.get("XLA_FLAGS", "") + " --xla_cpu_max_isa=AVX2"}  # fmt: skip
    return names


def error(ours, theirs):
    """Returns the largest difference divided by the largest element."""
    import numpy as np

    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        a, b = a.astype(np.float64), b.astype(np.float64)
        if a.shape != b.shape:
            return math.inf
        if b.size:
            worst = max(worst, float(np.nanmax(np.abs(a - b)) / max(float(np.nanmax(np.abs(b))), 1e-30)))
    return worst


def measure(options, row, sides):
    """Returns the results of a row: seconds by library, facts about tensorc's kernels, and errors by library."""
    made, wrong, able = {}, {}, []
    for side in sides:
        try:
            values, facts = side.ask("prepare", row.name)
        except RuntimeError as e:
            wrong[side.name] = str(e)
            continue
        able.append(side)
        if side.name == "ours":
            expected, made["facts"] = values, facts
        elif able[0].name == "ours" and not (difference := error(expected, values)) <= row.tolerance:
            wrong[side.name] = f"differs from ours by {difference:.1e}"
    try:
        made["seconds"] = in_turns(able, options.rounds, options.milliseconds)
    except RuntimeError as e:
        made["seconds"], wrong["timing"] = {}, str(e)
    return made | {"name": row.name, "wrong": wrong, "numpy": bool(row.numpy)}


def ratio(figures, peers=frozenset(PEERS)):
    """Returns the best peer's time divided by tensorc's, or None if there is no peer."""
    seconds = figures["seconds"]
    theirs = [t for side, t in seconds.items() if side in peers]
    return min(theirs) / seconds["ours"] if theirs and "ours" in seconds else None


def line(figures, peers):
    seconds, facts = figures["seconds"], figures.get("facts", {})
    ms = lambda t, digits=3: "–" if t is None else f"{t * 1e3:.{digits}f}"
    shown = [ms(seconds.get("ours"))]
    for peer in peers:
        mark = " NumPy" if peer == "eager" and figures["numpy"] else ""
        shown.append(ms(seconds.get(peer)) + mark + "*" * (peer in figures["wrong"]))
    best = ratio(figures)
    shown += ["–" if best is None else f"{best:.2f}", str(facts.get("kernels", "–")), f"{facts.get('code', 0) / 1024:.1f}",
              ms(facts.get("compile"), 0), ms(facts.get("first"), 0)]  # fmt: skip
    return "| " + " | ".join([figures["name"], *shown]) + " |"


def head(peers):
    titles = ["row", "ours, ms", *(f"{PEERS[p]}, ms" for p in peers), "best ÷ ours", "kernels", "KB of code each", "compile, ms each", "first call, ms"]
    return "| " + " | ".join(titles) + " |\n|" + "---|" * len(titles)


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def summary(results, peers):
    """Returns lines with counts and means, rows in which tensorc is slower, and errors."""
    ratios = {f["name"]: ratio(f) for f in results if ratio(f) is not None}
    if ratios:
        low = [f"{name} {r:.2f}" for name, r in sorted(ratios.items(), key=lambda pair: pair[1]) if r < 0.95]
        yield (f"\n{len(ratios)} rows beside the best peer: geometric mean {mean(ratios.values()):.2f}, at least 1.0 in "
               f"{sum(r >= 1 for r in ratios.values())}, below 0.95 in {len(low)}")  # fmt: skip
        for names in [{p} for p in peers] + [COMPILERS] * COMPILERS.issubset(peers):
            alone = [r for f in results if (r := ratio(f, names)) is not None]
            if alone:
                label = " or ".join(PEERS[p] for p in sorted(names))
                yield f"- {label} ÷ ours: {len(alone)} rows, geometric mean {mean(alone):.2f}, at least 1.0 in {sum(r >= 1 for r in alone)}"
        yield "\nBelow 0.95: " + ("; ".join(low) or "none")
        fused = [(r, f["name"]) for f in results if f["name"].startswith(FUSED) and (r := ratio(f, COMPILERS)) is not None]
        if fused:
            yield (f"\n{len(fused)} rows of fused parts beside the best compiled peer: geometric mean {mean(r for r, _ in fused):.2f}, below 1.15: "
                   + ("; ".join(f"{name} {r:.2f}" for r, name in sorted(fused) if r < 1.15) or "none"))  # fmt: skip
    if wrong := [f"{f['name']}, {side}: {text}" for f in results for side, text in f["wrong"].items()]:
        yield "\n`*` and `–`:\n- " + "\n- ".join(wrong)


def chart(path, results):
    """Draws a bar for each row, from the line of equality to the ratio, on a logarithmic scale."""
    results = [(f["name"], ratio(f)) for f in results if ratio(f) is not None]
    height, left, scale = 14, 330, 90
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + 5 * scale + 200}" height="{height * (len(results) + 3)}" '
             'font-family="sans-serif" font-size="10">']
    middle = left + 2.5 * scale
    for i, (name, best) in enumerate(results):
        y = height * (i + 2)
        length = max(-2.5, min(2.5, math.log2(best) / 2)) * scale
        color = "#2a7" if best >= 1 else "#d66"
        lines.append(f'<text x="{left - 6}" y="{y + 9}" text-anchor="end">{name.replace("&", "&amp;").replace("<", "&lt;")}</text>')
        lines.append(f'<rect x="{min(middle, middle + length):.1f}" y="{y}" width="{abs(length):.1f}" height="{height - 3}" fill="{color}"/>')
        lines.append(f'<text x="{middle + 2.6 * scale:.0f}" y="{y + 9}">{best:.2f}</text>')
    for power in range(-2, 3):
        x = middle + power * scale
        lines.append(f'<line x1="{x}" x2="{x}" y1="{height}" y2="{height * (len(results) + 2)}" stroke="#999"/>')
        lines.append(f'<text x="{x}" y="{height - 3}" text-anchor="middle">{4.0**power:g}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["</svg>\n"]))


def write(path, title, peers, results):
    stem = os.path.splitext(path)[0]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([title, "", head(peers), *(line(f, peers) for f in results), *summary(results, peers)]) + "\n")
    with open(stem + ".json", "w", encoding="utf-8") as file:
        json.dump({"title": title, "peers": peers, "rows": results}, file)
    chart(stem + ".svg", results)


def processor():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.processor()


def title_of(options, peers):
    from importlib.metadata import version

    libraries = {"PyTorch": "torch", "JAX": "jax", "NumPy": "numpy"}
    used = [n for n in libraries if n == "NumPy" or (n == "JAX" and "jax" in peers) or (n == "PyTorch" and {"eager", "compiled"} & set(peers))]
    return (f"{processor()}{f' as {options.target}' if options.target else ''}, {options.threads} thread(s), "
            f"{', '.join(f'{n} {version(libraries[n])}' for n in used)}; load {os.getloadavg()[0]:.1f}; "
            f"{'time by the clock' if options.wall else 'processor time'}, medians of {options.rounds} rounds")  # fmt: skip


def merged(paths):
    parts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            parts.append(json.load(file))
    found = {f["name"]: f for part in parts for f in part["rows"]}
    return parts[0]["title"] + f"; {len(parts)} processes", parts[0]["peers"], [found[r.name] for r in rows() if r.name in found]


def measured(options):
    index, count = map(int, options.part.split("/"))
    chosen = [row for row in rows() if any(word in row.name for word in options.only.split("|"))][:: options.every][index - 1 :: count]
    if options.list:
        return print("\n".join(row.name for row in chosen))
    peers = [peer for peer in options.peers.split(",") if peer]
    core = cores()[(index - 1) % len(cores())] if options.threads == 1 else None
    sides = [Side(name, "peers.rows", core, variables(options)) for name in ["ours", *peers]]
    title, results = title_of(options, peers), []
    print(f"{title}\n\n{head(peers)}", flush=True)
    for row in chosen:
        results.append(measure(options, row, sides))
        print(line(results[-1], peers), flush=True)
        if options.output:  # a run that is aborted still writes its results so far
            write(options.output, title, peers, results)
    print("\n".join(summary(results, peers)))


def main():
    options = parsed()
    if not options.merge:
        return measured(options)
    title, peers, results = merged(options.merge)
    print("\n".join(summary(results, peers)))
    if options.output:
        write(options.output, title, peers, results)


if __name__ == "__main__":
    main()
