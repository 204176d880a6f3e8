#!/usr/bin/env python3
"""Prints the simulator's counts for the kernels of programs, which estimate their performance on a GPU.

usage: gpu_profile.py TENSORC [--target=cuda:sm_90a] [--csv=FILE] [--only=REGEX] [FILE.mlir ...]

Each function of each file (by default benchmarks/gpu/profiled.mlir) is run with random inputs. Each kernel has a row
with the ratio of its sectors to the minimum, the number of passes of its accesses to workgroup memory, and the resource
that bounds the estimated time. The exit status is 1 if a kernel is above the limits and REASONS has no entry for it.
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
MAX_SECTORS, MAX_WAYS = 1.25, 1.1  # limits of the warnings of tensorc explain

# Maps each (program, kernel) above the limits to the reason.
REASONS = {
    ("sum_short_rows", "sum"):
        "each lane reads a row of 12 elements as three vectors; the next request uses the rest of the sectors (L1)",
    ("max_pool", "max_pool"): "windows of 2 x 2 with strides of 2: the next request uses the rest of the sectors (L1)",
    ("vector_matrix", "mul_sum"): "open: the sum is along the columns of the matrix; gpu-performance.md shows the remedy",
    ("attention", "attention"): "open: fragments are stored to padded patches, whose rows share banks",
    ("attention_grouped", "attention"): "open: as attention",
}


def profile(tensorc, file, entry, target):
    """Returns the kernels of one function, or None if it failed, in which case the error message is printed."""
    ended = subprocess.run([tensorc, "explain", file, f"--entry={entry}", "--profile", f"--target={target}", "--json"],
                           capture_output=True, text=True)
    if ended.returncode:
        print(f"{entry}: {ended.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(ended.stdout)["kernels"]


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
    parser.add_argument("--target", default="cuda:sm_90a")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--only", default="", help="functions whose name matches")
    options = parser.parse_args()
    rows, refused = [], 0
    for file in options.files or [HERE / "gpu" / "profiled.mlir"]:
        for entry in re.findall(r"^func\.func @(\w+)", file.read_text(), re.MULTILINE):
            if not re.search(options.only, entry):
                continue
            kernels = profile(options.tensorc, file, entry, options.target)
            refused += kernels is None
            for kernel in kernels or []:
                rows.append(row(entry, kernel))
                print(*rows[-1].values(), sep="\t", flush=True)
    if options.csv:
        with options.csv.open("w", newline="") as out:
            writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    unexplained = [r for r in rows if r["above"] and not r["reason"]]
    print(f"{len(rows)} kernels; above the limits without a reason: {len(unexplained)}; refused programs: {refused}")
    return bool(unexplained or refused)


if __name__ == "__main__":
    sys.exit(main())
