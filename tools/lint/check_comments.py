#!/usr/bin/env python3
"""Checks comments and names: the field's terms, and pictures of IR that keep their columns.

WORDS lists what this project once said in words of its own, with the usual term. In a comment
block where a line has `=>` between two columns, each line with text on both sides has its right
column where that line has it.
"""

import re
import sys

import repo

# What comments do not say, and what they say instead.
WORDS = {
    r"(nearest|second|third) cache": "L1, L2, LLC",
    r"past the caches": "streaming store",
    r"ask(s|ed|ing)? ahead": "prefetch",
    r"processors? (that )?looks? ahead": "hardware prefetcher",
    r"one behind the other": "contiguous",
    r"t(ake|akes|aking|ook) (their )?turns": "interleave, round-robin",
    r"by turns": "interleaved",
}
# What names do not begin with.
NAMES = {r"most[A-Z]\w+": "max…", r"fewest[A-Z]\w+": "min…", r"askFor\w*": "prefetch…"}

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


COMMENT = re.compile(r"^\s*//|^\s*\*|^\s*/\*")
FOUND = [(re.compile(rf"\b({word})\b"), instead, True) for word, instead in WORDS.items()]
FOUND += [(re.compile(rf"\b({word})\b"), instead, False) for word, instead in NAMES.items()]


def foreign(lines):
    """(number, word, term) of what the field says in other words. Strings are left out."""
    for number, line in enumerate(lines, 1):
        text = re.sub(r'"[^"]*"', "", line)
        for pattern, instead, only_comments in FOUND:
            if (match := pattern.search(text)) and (not only_comments or COMMENT.match(line)):
                yield number, match[1], instead


def main():
    root = repo.root(__doc__)
    bad = 0
    for name in sorted(repo.files(root)):
        if not name.endswith((".h", ".cpp", ".td")) or name.startswith("tests/"):
            continue
        lines = (root / name).read_text(encoding="utf-8").split("\n")
        for number in crooked(lines) if not name.endswith(".td") else ():
            bad += 1
            print(f"{name}:{number}: a column of this picture is not where the others are")
        for number, word, instead in foreign(lines):
            bad += 1
            print(f"{name}:{number}: {word}: the field says {instead}")
    print(f"check_comments: {bad} lines" if bad else "check_comments: ok")
    sys.exit(bad > 0)


main()
