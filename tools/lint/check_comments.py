#!/usr/bin/env python3
"""Checks that comments and names use common terms, and that diagrams of IR are aligned.

WORDS maps words that were used only in this project to the common terms. If a line of a comment block has `=>` between
two columns, the right column of all other lines must begin at the same position as in this line.
"""

import re
import sys

import repo

# Words that comments must not contain, and their replacements.
WORDS = {
    r"(nearest|second|third) cache": "L1, L2, LLC",
    r"past the caches": "streaming store",
    r"ask(s|ed|ing)? ahead": "prefetch",
    r"processors? (that )?looks? ahead": "hardware prefetcher",
    r"one behind the other": "contiguous",
    r"t(ake|akes|aking|ook) (their )?turns": "interleave, round-robin",
    r"by turns": "interleaved",
}
# Prefixes that names must not have.
NAMES = {r"most[A-Z]\w+": "max…", r"fewest[A-Z]\w+": "min…", r"askFor\w*": "prefetch…"}

ARROW = re.compile(r"^//.*\S {2,}=> {2,}(?=\S)")
TWO_COLUMNS = re.compile(r"^//.*\S {4,}(?=\S)")


def blocks(lines):
    """Returns (number of the first line, lines) for each sequence of // comment lines without an empty one."""
    start = None
    for number, line in enumerate([*lines, ""]):
        inside = line.startswith("//") and line.strip("/ ") != ""
        if inside and start is None:
            start = number
        elif not inside and start is not None:
            yield start, lines[start:number]
            start = None


def crooked(lines):
    """Returns the numbers of lines whose right column is not aligned with the line that has the arrow."""
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
    """Returns (number, word, term) for each word that should be replaced by a common term. Strings are ignored."""
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
