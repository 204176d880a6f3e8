#!/usr/bin/env python3
"""Checks that each function of docs/functions.md, and each op of docs/ops.md that takes only floats, has an error bound
in docs/numerics.md.

usage: check_bounds.py [FUNCTIONS.md NUMERICS.md OPS.md]

The bound is a row `| name | 0.9 | ...` of a table of errors, or a row of the table `| functions | bound of the error |
tested by |` that names the function and existing tests.
"""

import pathlib
import re
import sys

from commands import ROOT

NAME = r"`(?:x\.)?([a-z]\w*)"


def first_column(text):
    return [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]


def functions(text):
    """Returns the names of functions in a text. `conv1d` .. `3d` stands for three names."""
    names = set()
    for cell in first_column(text):
        cell = re.sub(r"`(\w+)1d` \.\. `3d`", r"`\g<1>1d` `\g<1>2d` `\g<1>3d`", cell)
        names.update(re.findall(NAME, cell))
    return names - {"x"}


def main(paths):
    listed, numerics, ops = (pathlib.Path(path).read_text(encoding="utf-8") for path in paths)
    wanted, errors, bounded = functions(listed), [], {}
    table = re.search(r"^\| functions \| bound of the error \| tested by \|\n\|[-|]+\n((?:\|.*\n)*)", numerics, re.M)
    for row in table[1].splitlines() if table else []:
        names, bound, judges = (cell.strip() for cell in row.strip("| ").split(" | "))
        tests = [ROOT / test for test in re.findall(r"`(tests/[^`]+)`", judges)]
        errors += [f"there is no {test}" for test in tests if not test.exists()]
        errors += [] if tests else [f"no test judges {names}"]
        bounded.update(dict.fromkeys(re.findall(NAME, names), bound))
    # Functions in tables of errors, which were measured in ulp.
    measured = set(re.findall(r"^\| (\w+) \| [\d.]+ \|", numerics, re.M))
    rounded = set(re.findall(r"### `tx\.(\w+)`\n(?:(?!###).)*?\n\n- Operands: `\w+` \((?:floats|floats or complex numbers)\)", ops, re.S))
    wanted |= rounded - measured
    errors += [f"{name}: no bound in numerics.md" for name in sorted(wanted - bounded.keys())]
    errors += [f"{name}: a bound, but no function" for name in sorted(bounded.keys() - wanted)]
    print(f"{len(wanted | measured)} functions have bounds" if not errors else f"{len(errors)} errors")
    sys.exit("\n".join(errors) or None)

if __name__ == "__main__":
    main(sys.argv[1:4] or [ROOT / "docs" / f"{name}.md" for name in ("functions", "numerics", "ops")])
