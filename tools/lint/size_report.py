#!/usr/bin/env python3
"""Prints the project's sizes, their budgets and the committed baseline.

The script never fails: it shows growth but does not forbid it (check_sizes.py has the limits). --update writes the
baseline.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import functions
import repo

LINES = {"file median": 150, "file p95": 400, "file max": 600, "function p95": 50, "function max": 100, "folder max": 25}
MEGABYTES = {"libtensorc_rt.so": 1.0, "libtensorc.so": None, "tensorc": None}


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


def stripped_megabytes(path):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["strip", "-o", out.name, path], check=True)
        return round(pathlib.Path(out.name).stat().st_size / 1e6, 2)


def measure(root, build):
    """Returns each size by its name."""
    sources = [n for n in repo.files(root, ".cpp", ".h", ".c", ".td", ".py") if not n.startswith("tests/")]
    texts = {n: (root / n).read_text(encoding="utf-8") for n in sources}
    lines = {n: t.count("\n") for n, t in texts.items()}
    bodies = {f"{n}:{line}": length for n, t in texts.items() if n.endswith((".cpp", ".h")) for line, length in functions.bodies(t)}
    folders = {}
    for name in sources:
        folder = str(pathlib.PurePath(name).parent)
        folders[folder] = folders.get(folder, 0) + 1
    sizes = {
        "files": len(lines),
        "lines": sum(lines.values()),
        "file median": int(statistics.median(lines.values() or [0])),
        "file p95": percentile(lines.values(), 0.95),
        "file max": max(lines.values(), default=0),
        "functions": len(bodies),
        "function p95": percentile(bodies.values(), 0.95),
        "function max": max(bodies.values(), default=0),
        "folder max": max(folders.values(), default=0),
    }
    for name in MEGABYTES:
        for path in (build / "lib" / name, build / "bin" / name):
            if path.exists():
                sizes[name + " MB"] = stripped_megabytes(path)
    return sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--build", type=pathlib.Path, help="build folder (default: ROOT/build)")
    parser.add_argument("--update", action="store_true", help="write the baseline")
    args = parser.parse_args()
    sizes = measure(args.root, args.build or args.root / "build")
    path = args.root / "tools/lint/size_baseline.json"
    if args.update:
        path.write_text(json.dumps(sizes, indent=2) + "\n")
    before = json.loads(path.read_text()) if path.exists() else {}
    budgets = LINES | {name + " MB": budget for name, budget in MEGABYTES.items() if budget}
    print(f"{'size':22}{'now':>9}{'change':>9}{'budget':>9}")
    for name, value in sizes.items():
        change = round(value - before[name], 2) if name in before else "new"
        late = "  over" if name in budgets and value > budgets[name] else ""
        print(f"{name:22}{value:>9}{change if change else '':>9}{budgets.get(name, ''):>9}{late}")


main()
