#!/usr/bin/env python3
"""Compares the results of two builds of the tool, bit by bit.

  compare_bits.py OLD/tensorc NEW/tensorc [--device=cpu] [NAME ...]

Runs every line of tests/ops with random inputs (optionally only of the files NAME) with both builds. Prints the outputs
whose bytes differ, and then a count. Exits with status 1 if an output differs. Programs that one of the builds does not
support are counted.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OPS = pathlib.Path(__file__).parents[1] / "tests/ops"
LINE = re.compile(r"RUN: (?:env [^%]*)?%run_op ([^|\n]*--random-inputs[^|\n]*)")


def lines(names):
    """Returns (file, arguments) of each line to run, without duplicates."""
    for path in sorted(OPS.glob("*.mlir")):
        if names and path.stem not in names:
            continue
        seen = {}
        for match in LINE.finditer(path.read_text(encoding="utf-8")):
            words = [word for word in match[1].split() if not word.startswith(("--compare", "2>"))]
            if not any(sign in word for word in words for sign in "%\"'\\"):
                seen[tuple(words)] = None
        for words in seen:
            yield path, words


def outputs(tool, path, words, device):
    """Returns the bytes of each output by its name, or None if the tool failed."""
    with tempfile.TemporaryDirectory() as folder:
        command = [tool, "run", path, f"--device={device}", f"--output-dir={folder}", *words]
        if subprocess.run(command, capture_output=True).returncode:
            return None
        return {name: (pathlib.Path(folder) / name).read_bytes() for name in sorted(os.listdir(folder))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    equal = refused = 0
    different = []
    for path, words in lines(options.names):
        old, new = (outputs(tool, path, words, options.device) for tool in (options.old, options.new))
        if old is None or new is None:
            refused += 1
        elif old == new:
            equal += 1
        else:
            names = [name for name in old.keys() | new.keys() if old.get(name) != new.get(name)]
            different.append(path.stem)
            print(f"{path.stem} {' '.join(words)}: {' '.join(sorted(names))}", flush=True)
    print(f"{equal} programs equal, {len(different)} different, {refused} refused")
    sys.exit(1 if different or not equal else 0)


if __name__ == "__main__":
    main()
