#!/usr/bin/env python3
"""Checks every #include against the layers.

A source may include its own layer's folders and what the table allows.
"""

import re
import sys

import repo

LLVM = ("llvm/", "llvm-c/", "mlir/", "mlir-c/", "lld/")
PUBLIC = ("runtime/include/", "compiler/include/")

# Folder: what its sources may include, besides the system's headers. The first
# row that a source's path begins with holds.
LAYERS = [
    ("runtime/", ("runtime/",)),
    ("ir/", ("ir/", *LLVM)),
    ("codegen/", ("codegen/", "ir/", "runtime/abi/", *LLVM)),
    ("compiler/include/", PUBLIC),
    ("compiler/", ("compiler/", "codegen/", "ir/", "runtime/abi/", "runtime/include/", *LLVM)),
    ("examples/", ("examples/", *PUBLIC)),
    ("python/", ("python/", *PUBLIC)),
]
# What the targets share knows none of them, and a target knows no other.
TARGETS = "codegen/targets/"
SHARED = ("codegen/emitters/", "codegen/kernel/", "codegen/lowering/", "codegen/native/")

OURS = ("runtime/", "ir/", "codegen/", "compiler/", "tools/", "tests/", "benchmarks/", "examples/")
INCLUDE = re.compile(r'^\s*(?:#\s*)?include\s+(["<])([^">]+)[">]', re.M)


def installed(name, tracked):
    """The repository path of an installed header, included as tensorc/NAME."""
    return next((folder + name for folder in PUBLIC if folder + name in tracked), name)


def violation(source, quote, name, tracked):
    """Why this include is wrong, or None."""
    if name.startswith("tensorc/"):
        name = installed(name, tracked)
    if quote == '"' and "/" not in name and source.startswith(OURS[:4]):
        return "write the path from the project's root"
    if not name.startswith(OURS + LLVM):
        return None
    if name.startswith(TARGETS):
        if source.startswith(SHARED):
            return "what the targets share includes none of them"
        own, other = source.split("/"), name.split("/")
        if source.startswith(TARGETS) and min(len(own), len(other)) > 3 and own[2] != other[2]:
            return "a target includes no other target"
    for folder, allowed in LAYERS:
        if source.startswith(folder):
            return None if name.startswith(allowed) else f"{folder} may include only " + " ".join(allowed)
    return None


def main():
    root = repo.root(__doc__)
    tracked = set(repo.files(root))
    bad = 0
    for source in sorted(tracked):
        if not source.endswith((".h", ".cpp", ".c", ".td", ".inc")):
            continue
        text = (root / source).read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            reason = violation(source, *match.groups(), tracked)
            if reason:
                bad += 1
                line = text.count("\n", 0, match.start(1)) + 1
                print(f"{source}:{line}: includes {match[2]}: {reason}")
    print(f"check_layers: {bad} violations" if bad else "check_layers: ok")
    sys.exit(bad > 0)


main()
