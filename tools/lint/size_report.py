#!/usr/bin/env python3
"""Prints the project's sizes against its budgets and the committed baseline.

Never fails: a growth is to be seen, not forbidden. --update writes the baseline.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

import repo

LINES = {"file median": 150, "file p95": 600, "file max": 800, "function p95": 50, "function max": 100, "folder max": 25}
MEGABYTES = {"libtensorc_rt.so": 1.0, "libtensorc.so": None, "tensorc": None}
NOT_CODE = re.compile(r'R"(?P<end>\w*)\(.*?\)(?P=end)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
NO_FUNCTION = re.compile(r"^\s*(?:if|for|while|switch|do|else|try|catch|namespace|class|struct|union|enum|extern)\b|=\s*$")


def functions(text):
    """(first line, number of lines) of every function body, lambdas inside counted with it."""
    text = NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), text)
    found, depth, inside, start = [], [], False, 0
    for match in re.finditer(r"[{};]", text):
        if match[0] == "{":
            header = text[start : match.start()]
            is_function = not inside and ")" in header and not NO_FUNCTION.match(header.strip())
            first = start + len(header) - len(header.lstrip())
            depth.append((is_function, first))
            inside = inside or is_function
        elif match[0] == "}" and depth:
            is_function, first = depth.pop()
            if is_function:
                inside = False
                line = text.count("\n", 0, first) + 1
                found.append((line, text.count("\n", 0, match.end()) + 2 - line))
        start = match.end()
    return found


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


def stripped_megabytes(path):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["strip", "-o", out.name, path], check=True)
        return round(pathlib.Path(out.name).stat().st_size / 1e6, 2)


def measure(root, build):
    """Every size by name, and the longest files and functions."""
    sources = [n for n in repo.files(root, ".cpp", ".h", ".c", ".td", ".py") if not n.startswith("tests/")]
    texts = {n: (root / n).read_text(encoding="utf-8") for n in sources}
    lines = {n: t.count("\n") for n, t in texts.items()}
    bodies = {f"{n}:{line}": length for n, t in texts.items() if n.endswith((".cpp", ".h")) for line, length in functions(t)}
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
    over = [f"{n}: {v} lines" for n, v in lines.items() if v > LINES["file max"]]
    over += [f"{n}: function of {v} lines" for n, v in bodies.items() if v > LINES["function max"]]
    over += [f"{n}/: {v} sources" for n, v in folders.items() if v > LINES["folder max"]]
    return sizes, over


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--build", type=pathlib.Path, help="build folder (default: ROOT/build)")
    parser.add_argument("--update", action="store_true", help="write the baseline")
    args = parser.parse_args()
    sizes, over = measure(args.root, args.build or args.root / "build")
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
    for line in over:
        print(f"over budget: {line}")


main()
