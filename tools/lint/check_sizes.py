#!/usr/bin/env python3
"""Checks that files, functions and folders are short enough to be readable.

Tests and generated files are exempt. EXCEPTIONS lists files and functions that are above a limit, with the reasons.
"""

import pathlib
import sys

import functions
import repo

# Lines of a file, lines of a .td file, lines of a function, sources in a folder.
FILE, DEFINITIONS, FUNCTION, FOLDER = 600, 800, 100, 25
EXCEPTIONS = {
    "compiler/include/tensorc/": "users include tensorc/NAME",
}


def over(root):
    """Returns (path, message) for each violation."""
    folders = {}
    for name in repo.files(root, ".cpp", ".h", ".hpp", ".c", ".td", ".py"):
        if name.startswith("tests/"):
            continue
        folder = str(pathlib.PurePath(name).parent) + "/"
        folders[folder] = folders.get(folder, 0) + 1
        text = (root / name).read_text(encoding="utf-8")
        lines, limit = text.count("\n"), DEFINITIONS if name.endswith(".td") else FILE
        if lines > limit:
            yield name, f"{lines} lines, above {limit}"
        if name.endswith((".cpp", ".h", ".hpp", ".c")):
            for line, length in functions.bodies(text):
                if length > FUNCTION:
                    yield f"{name}:{line}", f"a function of {length} lines, above {FUNCTION}"
    for folder, count in folders.items():
        if count > FOLDER:
            yield folder, f"{count} sources, above {FOLDER}"


def main():
    found = [(place, text) for place, text in over(repo.root(__doc__)) if place not in EXCEPTIONS]
    for place, text in found:
        print(f"{place}: {text}")
    print(f"check_sizes: {len(found)} violations" if found else "check_sizes: ok")
    sys.exit(bool(found))


main()
