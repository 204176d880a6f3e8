#!/usr/bin/env python3
"""Checks that include guards are named after their file: ir/tx/Tx.h has TENSORC_IR_TX_TX_H. --fix renames them."""

import re
import sys

import repo

GUARD = re.compile(r"^#ifndef (TENSORC_\w+)\n#define \1\b", re.M)
# Installed headers have guards named after the path in #include, and those of tests, examples and benchmarks are named
# after their program.
OTHERS = ("tests/", "examples/", "benchmarks/", "runtime/include/", "compiler/include/")


def main():
    fix = "--fix" in sys.argv
    if fix:
        sys.argv.remove("--fix")
    root = repo.root(__doc__)
    bad = 0
    for name in sorted(repo.files(root)):
        if not name.endswith(".h") or name.startswith(OTHERS):
            continue
        text = (root / name).read_text(encoding="utf-8")
        found = GUARD.search(text)
        wanted = "TENSORC_" + re.sub(r"[^A-Z0-9]", "_", name.upper())
        if not found or found[1] == wanted:
            continue
        bad += 1
        print(f"{name}: the guard is {found[1]}, not {wanted}")
        if fix:
            (root / name).write_text(re.sub(rf"\b{found[1]}\b", wanted, text), encoding="utf-8")
    print(f"check_guards: {bad} of another name" if bad else "check_guards: ok")
    sys.exit(bad > 0 and not fix)


main()
