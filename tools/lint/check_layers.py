#!/usr/bin/env python3
"""Checks every #include against the rooms.

A source may include its own room's folders and what the table allows.
"""

import re
import sys

import repo

LLVM = ("llvm/", "llvm-c/", "mlir/", "mlir-c/", "lld/")
PUBLIC = ("runtime/include/", "compiler/include/")

# A room, and the rooms that its sources may include besides the system's
# headers: LLVM stands for LLVM's and MLIR's. A room includes only rooms above
# it, so that there are no cycles.
ROOMS = [
    ("runtime/include/", ""),
    ("runtime/abi/", "runtime/include/"),
    ("runtime/core/", "runtime/include/ runtime/abi/"),
    ("runtime/memory/", "runtime/include/ runtime/core/"),
    ("runtime/program/", "runtime/include/ runtime/abi/ runtime/core/ runtime/memory/"),
    ("runtime/drivers/", "runtime/include/ runtime/abi/ runtime/core/"),
    ("runtime/linalg/", "runtime/include/"),
    ("runtime/cts/", "runtime/include/ runtime/abi/"),
    ("ir/text/", "LLVM"),
    ("ir/shape/", "LLVM"),
    ("ir/fourier/", "LLVM"),
    ("ir/program/", "LLVM"),
    ("ir/tx/", "LLVM ir/fourier/ ir/shape/ ir/text/"),
    ("ir/builder/", "LLVM ir/shape/ ir/tx/"),
    ("ir/library/", "LLVM ir/builder/ ir/fourier/ ir/shape/ ir/tx/"),
    ("ir/analysis/", "LLVM ir/shape/ ir/tx/"),
    ("ir/reference/", "LLVM ir/analysis/ ir/fourier/ ir/library/ ir/shape/ ir/tx/"),
    ("codegen/kernel/", "LLVM"),
    ("codegen/lowering/", "LLVM codegen/kernel/"),
    ("codegen/native/", "LLVM codegen/kernel/ codegen/lowering/"),
    ("codegen/emitters/", "LLVM codegen/kernel/ codegen/lowering/ ir/analysis/ ir/fourier/ ir/shape/ ir/tx/"),
    ("codegen/targets/", "LLVM codegen/emitters/ codegen/kernel/ codegen/lowering/ codegen/native/ ir/tx/ runtime/abi/"),
    ("compiler/include/", "runtime/include/"),
    ("compiler/log/", "LLVM"),
    ("compiler/kernels/", "LLVM ir/program/ ir/shape/ ir/text/ ir/tx/"),
    ("compiler/graph/", "LLVM compiler/kernels/ compiler/log/ ir/fourier/ ir/library/ ir/shape/ ir/tx/ runtime/include/"),
    ("compiler/fusion/", "LLVM codegen/emitters/ codegen/kernel/ ir/analysis/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/passes/", "LLVM codegen/emitters/ codegen/kernel/ codegen/targets/ compiler/fusion/ ir/builder/ ir/library/ ir/program/ ir/shape/ ir/tx/"),
    ("compiler/autodiff/", "LLVM compiler/passes/ ir/builder/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/batching/", "LLVM compiler/passes/ ir/builder/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/package/", "LLVM ir/program/ ir/shape/ ir/tx/ runtime/abi/ runtime/include/"),
    ("compiler/object/", "LLVM compiler/package/ ir/program/ ir/shape/ ir/tx/"),
    ("compiler/pipelines/", "LLVM codegen/kernel/ codegen/lowering/ codegen/targets/ compiler/object/ compiler/package/"
     " compiler/autodiff/ compiler/batching/ compiler/log/ compiler/passes/ ir/program/ ir/tx/ runtime/abi/"),
    ("compiler/artefacts/", "LLVM codegen/native/ codegen/targets/ compiler/object/ compiler/pipelines/ ir/program/"),
    ("compiler/files/", "LLVM ir/reference/ ir/text/ ir/tx/ runtime/abi/"),
    ("compiler/quantize/", "LLVM ir/builder/ ir/library/ ir/reference/ ir/tx/"),
    ("compiler/import/", "LLVM compiler/files/ compiler/quantize/ ir/builder/ ir/library/ ir/reference/ ir/shape/ ir/text/ ir/tx/"),
    ("compiler/placement/", "LLVM codegen/kernel/ compiler/graph/ compiler/log/ compiler/pipelines/ ir/shape/ ir/tx/"
     " runtime/include/"),
    ("compiler/cache/", "LLVM compiler/log/ compiler/placement/"),
    ("compiler/tuning/", "LLVM codegen/emitters/ codegen/kernel/ compiler/files/ compiler/passes/ compiler/pipelines/"
     " ir/reference/ ir/tx/ runtime/include/"),
    ("compiler/jit/", "LLVM codegen/kernel/ compiler/cache/ compiler/files/ compiler/graph/ compiler/include/ compiler/log/"
     " compiler/pipelines/ compiler/placement/ compiler/tuning/ ir/program/ ir/reference/ ir/tx/ runtime/include/"),
    ("compiler/transforms/", "LLVM compiler/autodiff/ compiler/batching/ compiler/graph/ compiler/jit/ compiler/passes/ ir/tx/"),
    ("compiler/aot/", "LLVM codegen/targets/ compiler/artefacts/ compiler/files/ compiler/graph/ compiler/import/ compiler/jit/"
     " compiler/pipelines/ ir/shape/ ir/tx/ runtime/include/"),
    ("compiler/api/", "LLVM compiler/aot/ compiler/files/ compiler/graph/ compiler/include/ compiler/jit/ compiler/pipelines/"
     " compiler/transforms/ runtime/include/"),
    ("examples/", " ".join(PUBLIC)),
    ("python/", " ".join(PUBLIC)),
]  # fmt: skip
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
        # Programs and our sources find an installed header by different paths, so its parts lie beside it.
        return None if source.startswith(PUBLIC) else "write the path from the project's root"
    if not name.startswith(OURS + LLVM):
        return None
    if name.startswith(TARGETS):
        if source.startswith(SHARED):
            return "what the targets share includes none of them"
        own, other = source.split("/"), name.split("/")
        if source.startswith(TARGETS) and min(len(own), len(other)) > 3 and own[2] != other[2]:
            return "a target includes no other target"
    for room, allowed in ROOMS:
        if source.startswith(room):
            may = (room, *allowed.replace("LLVM", " ".join(LLVM)).split())
            return None if name.startswith(may) else f"{room} may include only {allowed}"
    return "a room without a row in check_layers.py" if source.startswith(OURS[:4]) else None


def cycles():
    """Rows that name a room below them, or none."""
    above = {"LLVM"}
    for room, allowed in ROOMS:
        above.add(room)
        yield from (f"{room} comes before {other}, which it may include" for other in allowed.split() if other not in above)


def main():
    root = repo.root(__doc__)
    tracked = set(repo.files(root))
    bad = 0
    for reason in cycles():
        bad += 1
        print(f"check_layers.py: {reason}")
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
