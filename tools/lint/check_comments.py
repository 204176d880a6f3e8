#!/usr/bin/env python3
"""Checks comments: pictures of IR before and after keep their columns.

In a comment block where a line has `=>` between two columns, each line with text on both
sides has its right column where that line has it.
"""

import re
import sys

import repo

ARROW = re.compile(r"^//.*\S {2,}=> {2,}(?=\S)")
TWO_COLUMNS = re.compile(r"^//.*\S {4,}(?=\S)")


def blocks(lines):
    """(number of the first line, lines) of each run of // comments that no empty one interrupts."""
    start = None
    for number, line in enumerate([*lines, ""]):
        inside = line.startswith("//") and line.strip("/ ") != ""
        if inside and start is None:
            start = number
        elif not inside and start is not None:
            yield start, lines[start:number]
            start = None


def crooked(lines):
    """Numbers of lines whose right column is not where an arrow of their block says."""
    for start, block in blocks(lines):
        arrow = next((match for match in map(ARROW.match, block) if match), None)
        if not arrow:
            continue
        for number, line in enumerate(block, start + 1):
            found = ARROW.match(line) or TWO_COLUMNS.match(line)
            if not found or found.end() != arrow.end():
                yield number


def main():
    root = repo.root(__doc__)
    bad = 0
    for name in sorted(repo.files(root)):
        if not name.endswith((".h", ".cpp")):
            continue
        for number in crooked((root / name).read_text(encoding="utf-8").split("\n")):
            bad += 1
            print(f"{name}:{number}: a column of this picture is not where the others are")
    print(f"check_comments: {bad} lines" if bad else "check_comments: ok")
    sys.exit(bad > 0)


main()
