#!/usr/bin/env python3
"""Prints the simulator's counts for the kernels of programs, which estimate their performance on a GPU.

usage: gpu_profile.py TENSORC [FILE.mlir or FOLDER ...] [--target=sim:sm_90a] [--csv=FILE] [--only=REGEX] [--without=REGEX] [--full] [--unlimited]

Each function of each file (by default benchmarks/gpu/profiled.mlir) is run with random inputs. Each kernel has a row
with the ratio of its sectors to the minimum, the number of passes of its accesses to workgroup memory, and the resource
that bounds the estimated time. The exit status is 1 if a kernel is above the limits and REASONS has no entry for it.

A function with symbolic sizes gets those of the first RUN line of the file that names it. It is skipped if there is none.
--full: counts all blocks of each kernel, too, and reports kernels whose multiplied counts differ.
--unlimited: kernels may be above the limits.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).parent
MAX_SECTORS, MAX_WAYS = 1.25, 1.1  # limits of the warnings of tensorc explain

# Maps each (program, kernel) above the limits to the reason.
REASONS = {
    ("sum_short_rows", "sum"):
        "each lane reads a row of 12 elements as three vectors; the next request uses the rest of the sectors (L1)",
    ("max_pool", "max_pool"): "windows of 2 x 2 with strides of 2: the next request uses the rest of the sectors (L1)",
}


def programs_of(file):
    """Returns the name of each function of a file with the options that set its sizes; None if these are not known."""
    text = file.read_text()
    lines = [line for line in re.findall(r"^// RUN: (.*)", text, re.MULTILINE)
             if "--shape=" in line and not re.search(r"--shape=\S*\b0\b", line)]
    for entry, types in re.findall(r"^func\.func @(\w+)(\(.*?)\{$", text, re.MULTILINE | re.DOTALL):
        named = [line for line in lines if (re.search(r"--entry=(\w+)", line) or [0, "main"])[1] == entry]
        if "?" not in types:
            yield entry, []
        elif named:
            yield entry, re.findall(r"--shape=\S+", named[0])
        else:
            yield entry, None


def profile(tensorc, file, entry, shapes, target, full=False):
    """Returns the kernels of one function, or None if it failed, in which case the error message is printed."""
    environment = {**os.environ, "TENSORC_SIM_PROFILE": "all"} if full else None
    ended = subprocess.run([tensorc, "explain", file, f"--entry={entry}", "--profile", f"--target={target}", "--json", *shapes],
                           capture_output=True, text=True, env=environment)
    if ended.returncode:
        print(f"{file.name}: {entry}: {ended.stderr.strip()[:300]}", file=sys.stderr)
        return None
    return json.loads(ended.stdout)["kernels"]


def differ(kernels, full):
    """Returns the names of kernels whose multiplied counts are not those of all blocks."""
    counts = [[{k: v for k, v in each.items() if k != "counted_blocks"} for each in some] for some in (kernels, full)]
    return [few["name"] for few, all_ in zip(*counts, strict=True) if few["exact"] and few != all_]


def worst(lines, what, least, kinds):
    """Returns the largest ratio of two counts among lines of some classes, or 1 if there is none."""
    ratios = [line[what] / line[least] for line in lines if line[least] and kinds in line["class"]]
    return max(ratios, default=1.0)


def row(program, kernel):
    lines = kernel["lines"]
    total = {what: sum(line[what] for line in lines) for what in ("sectors", "min_sectors", "flops", "instructions")}
    sectors = worst(lines, "sectors", "min_sectors", "")
    ways = worst(lines, "wavefronts", "min_wavefronts", "")
    name = kernel["name"]
    reason = REASONS.get((program, name), "")
    return {"program": program, "kernel": name, "blocks": kernel["blocks"], "threads": kernel["threads"],
            "counted": kernel["counted_blocks"], "worst sectors": f"{sectors:.2f}",
            "all sectors": f"{total['sectors'] / max(1, total['min_sectors']):.2f}", "worst ways": f"{ways:.2f}",
            "instructions": total["instructions"], "bound": kernel["bound"],
            "estimate us": f"{kernel['bound_seconds'] * 1e6:.2f}",
            "above": "yes" if sectors > MAX_SECTORS or ways > MAX_WAYS else "", "reason": reason}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tensorc")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--target", default="sim:sm_90a", help="cuda:sm_90a also finds registers, by ptxas")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--only", default="", help="functions whose name matches")
    parser.add_argument("--without", default="^$", help="skip files whose name matches")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--unlimited", action="store_true")
    options = parser.parse_args()
    rows, jobs, skipped, refused, wrong, multiplied = [], [], 0, 0, [], 0
    files = [each for path in options.files or [HERE / "gpu" / "profiled.mlir"]
             for each in (sorted(path.glob("*.mlir")) if path.is_dir() else [path])]
    for file in (file for file in files if not re.search(options.without, file.stem)):
        for entry, shapes in programs_of(file):
            if re.search(options.only, entry):
                skipped += shapes is None
                jobs += [(file, entry, shapes)] if shapes is not None else []

    def run(job):
        kernels = profile(options.tensorc, *job, options.target)
        return kernels, profile(options.tensorc, *job, options.target, full=True) if options.full and kernels else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, entry, _), (kernels, full) in zip(jobs, pool.map(run, jobs)):
            refused += kernels is None or (options.full and full is None)
            wrong += differ(kernels, full) if full else []
            for kernel in kernels or []:
                multiplied += kernel["counted_blocks"] < kernel["blocks"]
                rows.append(row(entry, kernel))
                print(*rows[-1].values(), sep="\t", flush=True)
    if options.csv:
        with options.csv.open("w", newline="") as out:
            writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    unexplained = [r for r in rows if r["above"] and not r["reason"]]
    if options.full:
        print(f"{multiplied} kernels with multiplied counts; other counts over all blocks: {', '.join(wrong) or 'none'}")
    print(f"{len(jobs)} programs, {len(rows)} kernels; above the limits without a reason: {len(unexplained)}; "
          f"refused programs: {refused}; skipped: {skipped}")
    return bool(refused or wrong or (unexplained and not options.unlimited))


if __name__ == "__main__":
    sys.exit(main())
