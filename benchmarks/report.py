#!/usr/bin/env python3
"""Runs the benchmarks and prints their targets and results as one table.

  benchmarks/report.py                 those of the release build, into benchmarks/results/
  benchmarks/report.py --build-time    also builds from scratch, without ccache
  benchmarks/report.py --only=jit      the rows whose name contains this
  benchmarks/report.py --tiny          only checks that everything runs (CTest)

Ratios are ratios of medians within one run, in which the compared programs alternate.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Runs:
    """The benchmark programs' results. Each program runs once, when its results are first needed."""

    def __init__(self, options):
        self.options = options
        self.results = {}  # maps a benchmark to the entry of its median
        self.done = set()

    def run(self, program, *flags, environment=None):
        command = [str(self.options.build / "bin" / f"bench-{program}"), "--benchmark_format=json"]
        command += [f"--threads={self.options.threads}", *flags]
        command += ["--tiny"] * self.options.tiny + ["--processor"] * self.options.processor
        print(f"report: {program} {' '.join(flags)}", file=sys.stderr, flush=True)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env={**os.environ, **(environment or {})})
        if done.returncode:
            sys.exit(f"report: {' '.join(command)} failed")
        for entry in json.loads(done.stdout)["benchmarks"]:
            if entry.get("error_occurred"):
                sys.exit(f"report: {entry['name']}: {entry['error_message']}")
            if entry.get("aggregate_name", "median") == "median":
                self.results[re.sub(r"/(repeats:\d+|iterations:\d+|process_time|real_time)|_median$", "", entry["name"])] = entry

    def get(self, program, benchmark, field="real_time"):
        if program not in self.done:
            self.done.add(program)
            self.run(program)
        return self.results[benchmark]["cpu_time" if self.options.processor and field == "real_time" else field]

    def best(self, program, benchmarks, field):
        return max((self.get(program, name, field), name) for name in benchmarks)


class Row:
    def __init__(self, name, target, figure, value, ok):
        self.name, self.target, self.figure, self.value, self.ok = name, target, figure, value, ok


def at_least(name, limit, value, detail):
    return Row(name, f"≥ {limit}", f"{value:.2f} ({detail})", value, value >= limit)


def at_most(name, limit, value, unit, detail=""):
    figure = f"{value:.3g} {unit}" + (f" ({detail})" if detail else "")
    return Row(name, f"≤ {limit} {unit}", figure, value, value <= limit)


def bandwidth_row(runs, name, limit, group, copies):
    ours = runs.get("bandwidth", f"{group}/tensorc", "bytes_per_second")
    kernels = runs.get("bandwidth", f"{group}/tensorc", "kernels")
    rival, best = runs.best("bandwidth", [f"{copies}/copy/{c}" for c in ("memcpy", "loop", "nontemporal")],
                            "bytes_per_second")
    detail = f"{ours / 1e9:.1f} of {rival / 1e9:.1f} GB/s, {best.split('/')[-1]}; kernels: {kernels:.0f}"
    return at_least(name, limit, ours / rival, detail)


def read_row(runs, name, group):
    ours, rival = (runs.get("bandwidth", f"read/{of}", "bytes_per_second") for of in (f"{group}/tensorc", "read"))
    kernels = runs.get("bandwidth", f"read/{group}/tensorc", "kernels")
    detail = f"{ours / 1e9:.1f} of {rival / 1e9:.1f} GB/s; kernels: {kernels:.0f}"
    return at_least(f"{name}, 8192×4096 f32 / read", 0.85, ours / rival, detail)


def read_rows(runs):
    return [read_row(runs, name, group) for name, group in (
        ("sum of all", "sum"), ("sums along rows", "sum_rows"), ("sums along columns", "sum_columns"),
        ("maxima along rows", "max_rows"), ("matrix times vector", "matrix_vector"), ("vector times matrix", "vector_matrix"))]


def contraction_row(runs, threads):
    group = f"contraction/threads:{threads}"
    ours, peak = (runs.get("contraction", f"{group}/{w}", "flops") / 1e9 for w in ("tensorc", "peak"))
    return at_least(f"contraction 1024³ f32, {threads} thread(s) / FMA peak", 0.3, ours / peak,
                    f"{ours:.0f} of {peak:.0f} GFLOP/s")


def linear_row(runs, m, weights):
    ours, read = (runs.get("contraction", f"linear/m:{m}/{w}", "bytes_per_second") / 1e9 for w in (weights, "read"))
    name = {"turned": "x·Wᵀ", "plain": "x·W"}[weights]
    return at_least(f"{name}, x [{m}, 4096], W [4096, 4096] f32 / read", 0.85, ours / read,
                    f"{ours:.1f} of {read:.1f} GB/s of W")


def stage_times(path):
    """Returns medians in ms over the compilations of a trace: the time before LLVM IR, of LLVM and the link, of the
    load, and of each stage.

    LLVM and the link run between the stages lower and serialize, and belong to neither stage."""
    events = json.loads(path.read_text())
    stages = [e for e in events if e["cat"] == "stage"]
    splits = []
    for whole in (e for e in events if e["cat"] == "compile"):
        end = whole["ts"] + whole["dur"]
        inside = {e["name"]: e for e in stages if whole["ts"] <= e["ts"] and e["ts"] + e["dur"] <= end + 1}
        lowered = inside["lower"]["ts"] + inside["lower"]["dur"]
        serialized = inside["serialize"]["ts"] + inside["serialize"]["dur"]
        split = {name: e["dur"] for name, e in inside.items()}
        split["before LLVM IR"] = lowered - whole["ts"]
        split["LLVM and link"] = serialized - lowered
        split["load"] = end - serialized
        splits.append(split)
    return {name: statistics.median(s[name] for s in splits) / 1e3 for name in splits[0]}


def first_evaluation_rows(runs, kind, name, limit):
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        runs.run("first-evaluation", f"--benchmark_filter=/{kind}", environment={"TENSORC_TRACE": str(trace)})
        split = stage_times(trace)
    value = runs.results[f"first_evaluation/{kind}"]["real_time"] / 1e3
    ours = split["before LLVM IR"]
    steps = ", ".join(f"{s} {split[s]:.2f}" for s in ("import", "tensor", "fuse", "emit", "lower"))
    return [
        at_most(f"first evaluation, {name}", limit, value, "ms",
                f"LLVM and link {split['LLVM and link']:.2f}, load {split['load']:.2f}"),
        at_most("  our part before LLVM IR", 5, ours, "ms", steps),
    ]


def unrolled_rows(runs):
    """Returns, for each body of a host loop of 256 steps, the milliseconds per 100 operations."""
    rows = []
    for name in ("arithmetic", "math", "normalize", "recurrent"):
        ops = runs.get("first-evaluation", f"unrolled/{name}", "ops")
        milliseconds = runs.get("first-evaluation", f"unrolled/{name}") / 1e3
        rows.append(at_most(f"256 unrolled steps, {name}, per 100 ops", 2, 100 * milliseconds / ops, "ms",
                            f"{ops:.0f} ops in {milliseconds:.1f} ms"))
    return rows


def style_rows(runs):
    """Returns, for each program of bench-styles, the time with named steps divided by that of one expression."""
    runs.get("styles", "styles/chain/named")
    names = [name.split("/")[1] for name in runs.results if name.startswith("styles/") and name.endswith("/named")]
    rows = []
    for name in names:
        named, nested = (runs.get("styles", f"styles/{name}/{style}") for style in ("named", "nested"))
        rows.append(at_most(f"named steps / nested, {name}", 1.1, named / nested, "×", f"nested {nested:.0f} µs"))
    return rows


def recompilation_row(runs, loop, name):
    count = runs.get("recompilations", f"recompilations/{loop}", "recompilations")
    return Row(f"recompilations, 1,000 × {name}", "0", f"{count:.0f}", count, count == 0)


def library_size(runs, name):
    """Returns the bytes of a library, as built and stripped."""
    library = runs.options.build / "lib" / name
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, library], check=True)
        return library.stat().st_size, os.stat(stripped.name).st_size


def size_rows(runs):
    rows = []
    for name, limit in (("libtensorc_rt.so", 1), ("libtensorc.so", None)):
        whole, stripped = library_size(runs, name)
        figure = f"{stripped / 1e6:.2f} MB ({whole / 1e6:.2f} MB unstripped)"
        rows.append(Row(f"{name}, stripped", f"≤ {limit} MB" if limit else "–", figure, stripped,
                        limit is None or stripped <= limit * 1e6))
    return rows


def build_time_row(runs):
    if not runs.options.build_time:
        return Row("build from scratch, 2 jobs", "< 15 min", "not measured in this run", None, True)
    folder = ROOT / "build-from-scratch"
    shutil.rmtree(folder, ignore_errors=True)
    begin = time.monotonic()
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    for command in (["cmake", "--preset", "release", "-B", folder], ["ninja", "-C", folder, "-j2"]):
        subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    minutes = (time.monotonic() - begin) / 60
    shutil.rmtree(folder)
    return Row("build from scratch, 2 jobs", "< 15 min", f"{minutes:.1f} min", minutes, minutes < 15)


def disk_cache_rows(runs):
    get = lambda name: runs.get("disk-cache", f"disk_cache/{name}") / 1e3
    warm, cold = get("process_warm"), get("process_cold")
    return [
        at_most("100 kernels from the disk cache, 100 expressions", 2, get("100_files"), "ms",
                f"100 files; known in memory {get('in_memory'):.2f}"),
        at_most("100 kernels from the disk cache, one expression", 2, get("one_file"), "ms", "one file"),
        Row("process start to first result, from the disk cache", "–", f"{warm:.3g} ms ({cold:.3g} without it)", warm, True),
    ]


def all_rows():
    """Returns the rows. Each has a name, by which it can be selected, and a function that computes it."""
    return [
        ("chain", lambda r: [bandwidth_row(r, "chain of 5 element-wise ops, 64 M f32 / best copy", 0.95,
                                           "chain", "chain")]),
        ("softmax", lambda r: [bandwidth_row(r, "softmax of rows, 8192×4096 / best copy", 0.85,
                                             "rows/softmax", "rows")]),
        ("layer_norm", lambda r: [bandwidth_row(r, "layer norm, 8192×4096 / best copy", 0.85,
                                                "rows/layer_norm", "rows")]),
        ("rms_norm", lambda r: [bandwidth_row(r, "rms norm, 8192×4096 / best copy", 0.85, "rows/rms_norm", "rows")]),
        ("reductions", read_rows),
        ("heads_first", lambda r: [bandwidth_row(r, "permutation (0, 2, 1, 3) of 32×512×32×64 f32 / best copy", 0.85,
                                                 "rows/heads_first", "rows")]),
        ("channels_last", lambda r: [bandwidth_row(r, "permutation (0, 2, 3, 1) of 32×256×64×64 f32 / best copy", 0.85,
                                                   "rows/channels_last", "rows")]),
        ("lookups", lambda r: [bandwidth_row(r, "32,768 rows of a table of 65,536×1024 f32 / best copy", 0.85,
                                             "table", "table")]),
        ("some", lambda r: [bandwidth_row(r, "the chain over 6,000,001 f32 / best copy", 0.85, "some/chain", "some")]),
        ("transpose", lambda r: [bandwidth_row(r, "transpose, 4096² f32 / best copy", 0.85,
                                               "square/transpose", "square")]),
        ("max_pool", lambda r: [bandwidth_row(r, "max_pool 3×3/2, 8×64×112×112 f32 / best copy", 0.85,
                                              "images/max_pool", "images")]),
        ("depthwise", lambda r: [bandwidth_row(r, "depthwise 3×3, 4×128×56×56 f32 / best copy", 0.85,
                                               "planes/depthwise", "planes")]),
        ("contraction", lambda r: [contraction_row(r, n) for n in range(1, r.options.threads + 1)]),
        ("linear", lambda r: [linear_row(r, m, w) for w in ("turned", "plain") for m in (1, 8, 32)]),
        ("first", lambda r: first_evaluation_rows(r, "arithmetic", "5 arithmetic ops", 8)
         + first_evaluation_rows(r, "math", "exp·tanh·log·erf·sqrt", 20)),
        ("unrolled", unrolled_rows),
        ("lazy", lambda r: [at_most("lazy 5 ops on 1,000 elements, build to result", 5,
                                    r.get("dispatch", "dispatch/lazy"), "µs")]),
        ("record", lambda r: [at_most("recording of the same", 0.4, r.get("dispatch", "dispatch/record"), "µs")]),
        ("jit", lambda r: [at_most("jit call of the same", 0.35, r.get("dispatch", "dispatch/jit"), "µs",
                                   f"loop by hand {r.get('dispatch', 'dispatch/loop'):.2f}")]),
        ("package", lambda r: [at_most("package call of the same", 0.25, r.get("dispatch", "dispatch/package"), "µs")]),
        ("startup", lambda r: [at_most("process start to first result", 80,
                                       r.get("startup", "startup/first_result") / 1e3, "ms",
                                       f"an empty process {r.get('startup', 'startup/nothing') / 1e3:.1f}")]),
        ("load", lambda r: [at_most("load a package, 100 MB of constants", 2,
                                    r.get("load", "load/constants") / 1e3, "ms",
                                    f"without constants {r.get('load', 'load/small') / 1e3:.2f}")]),
        ("disk_cache", disk_cache_rows),
        ("recompilations", lambda r: [recompilation_row(r, *pair) for pair in (
            ("learning_rate", "w - lr*g"), ("slice", "x[i:i+1]"), ("slice_sum", "x[i:i+1]*2+1"))]),
        ("styles", style_rows),
        ("sizes", size_rows),
        ("build", lambda r: [build_time_row(r)]),
    ]


def machine():
    text = subprocess.run(["lscpu"], stdout=subprocess.PIPE, text=True).stdout
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    get = lambda key: fields.get(key, "").strip()
    wide = "AVX-512" if "avx512f" in get("Flags") else "AVX2" if "avx2" in get("Flags") else ""
    return {"cpu": get("Model name"), "model": f"{get('CPU family')}/{get('Model')}", "vectors": wide,
            "cores": os.cpu_count(), "l3": get("L3 cache"), "system": f"{platform.system()} {platform.release()}"}


def commit():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def print_table(rows):
    print("| what | target | measured | |")
    print("|---|---|---|---|")
    for row in rows:
        print(f"| {row.name} | {row.target} | {row.figure} | {'yes' if row.ok else '**no**'} |")


def write(path, runs, rows, load):
    document = {
        "date": datetime.datetime.now().isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": machine(),
        "threads": runs.options.threads,
        "load_before": load,
        "rows": [vars(row) for row in rows],
        "medians": {name: {k: v for k, v in entry.items() if isinstance(v, float)}
                    for name, entry in sorted(runs.results.items())},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    print(f"report: wrote {path}", file=sys.stderr)


def default_output():
    name = re.sub(r"\W+", "-", re.sub(r"\((R|TM)\)", "", machine()["cpu"])).strip("-").lower()
    return ROOT / "benchmarks" / "results" / f"{datetime.date.today()}-{name}-{os.cpu_count()}.json"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--processor", action="store_true", help="processor time, where others work on the machine")
    parser.add_argument("--only", default="")
    parser.add_argument("--build-time", action="store_true")
    parser.add_argument("--output", type=pathlib.Path)
    runs = Runs(parser.parse_args())
    load = os.getloadavg()[0]
    rows = [row for name, make in all_rows() if runs.options.only in name for row in make(runs)]
    print_table(rows)
    if not runs.options.only:
        write(runs.options.output or default_output(), runs, rows, load)


main()
