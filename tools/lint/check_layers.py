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
    # frontends
    ("compiler/frontends/files/", "LLVM ir/reference/ ir/text/ ir/tx/ runtime/abi/"),
    ("compiler/frontends/quantize/", "LLVM ir/builder/ ir/library/ ir/reference/ ir/tx/"),
    ("compiler/frontends/constants/", "LLVM ir/library/ ir/reference/ ir/shape/ ir/tx/"),
    ("compiler/frontends/onnx/", "LLVM compiler/frontends/constants/ compiler/frontends/files/ compiler/frontends/quantize/"
     " ir/builder/ ir/library/ ir/reference/ ir/shape/ ir/text/ ir/tx/"),
    ("compiler/frontends/stablehlo/", "LLVM compiler/frontends/constants/ compiler/frontends/files/"
     " ir/builder/ ir/library/ ir/reference/ ir/shape/ ir/text/ ir/tx/"),
    ("compiler/frontends/readers/", "LLVM compiler/frontends/files/ compiler/frontends/onnx/ compiler/frontends/stablehlo/"
     " ir/text/ ir/tx/"),
    # graph
    ("compiler/graph/kernels/", "LLVM ir/program/ ir/shape/ ir/text/ ir/tx/ runtime/abi/"),
    ("compiler/graph/", "LLVM compiler/log/ ir/fourier/ ir/library/ ir/shape/ ir/tx/ runtime/include/"),
    # transforms
    ("compiler/transforms/fusion/", "LLVM codegen/emitters/ codegen/kernel/ ir/analysis/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/transforms/passes/", "LLVM codegen/emitters/ codegen/kernel/ codegen/targets/ compiler/transforms/fusion/"
     " ir/builder/ ir/library/ ir/program/ ir/shape/ ir/tx/"),
    ("compiler/transforms/autodiff/", "LLVM compiler/transforms/passes/ ir/builder/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/transforms/batching/", "LLVM compiler/transforms/passes/ ir/builder/ ir/library/ ir/shape/ ir/tx/"),
    # output
    ("compiler/output/package/", "LLVM ir/program/ ir/shape/ ir/tx/ runtime/abi/ runtime/include/"),
    ("compiler/output/object/", "LLVM compiler/output/package/ ir/program/ ir/shape/ ir/tx/"),
    ("compiler/output/pipelines/", "LLVM codegen/kernel/ codegen/lowering/ codegen/targets/ compiler/log/ compiler/output/object/"
     " compiler/output/package/ compiler/transforms/autodiff/ compiler/transforms/batching/ compiler/transforms/passes/"
     " ir/program/ ir/tx/ runtime/abi/"),
    ("compiler/output/artefacts/", "LLVM codegen/native/ codegen/targets/ compiler/output/object/ compiler/output/pipelines/ ir/program/"),
    # session
    ("compiler/session/placement/", "LLVM codegen/kernel/ compiler/graph/ compiler/log/ compiler/output/pipelines/ ir/shape/ ir/tx/"
     " runtime/abi/ runtime/include/"),
    ("compiler/session/cache/", "LLVM compiler/log/ compiler/session/placement/"),
    ("compiler/session/tuning/", "LLVM codegen/emitters/ codegen/kernel/ compiler/frontends/files/ compiler/output/pipelines/"
     " compiler/transforms/passes/ ir/reference/ ir/tx/ runtime/include/"),
    ("compiler/session/jit/", "LLVM codegen/kernel/ compiler/frontends/files/ compiler/graph/ compiler/include/ compiler/log/"
     " compiler/output/pipelines/ compiler/session/cache/ compiler/session/placement/ compiler/session/tuning/"
     " ir/program/ ir/reference/ ir/tx/ runtime/include/"),
    ("compiler/session/derive/", "LLVM compiler/graph/ compiler/session/jit/ compiler/transforms/autodiff/"
     " compiler/transforms/batching/ compiler/transforms/passes/ ir/tx/"),
    ("compiler/session/export/", "LLVM codegen/targets/ compiler/frontends/files/ compiler/frontends/readers/ compiler/graph/"
     " compiler/output/artefacts/ compiler/output/pipelines/ compiler/session/jit/ ir/shape/ ir/tx/ runtime/include/"),
    ("compiler/api/", "LLVM compiler/frontends/files/ compiler/graph/ compiler/include/ compiler/output/pipelines/"
     " compiler/session/derive/ compiler/session/export/ compiler/session/jit/ runtime/abi/ runtime/include/"),
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
