#!/usr/bin/env python3
"""Checks every #include against the allowed dependencies between folders ("rooms").

A source may include files of its own room and of the rooms that the table lists. Within a room, there must be no
include cycles between components, where a component is a header and the source of the same name.
"""

import re
import sys

import repo

LLVM = ("llvm/", "llvm-c/", "mlir/", "mlir-c/", "lld/")
PUBLIC = ("runtime/include/", "compiler/include/")

# Each room, with the rooms whose files it may include. LLVM stands for LLVM and MLIR. System headers are always
# allowed. A room includes only rooms above it in this list, so there are no cycles.
ROOMS = [
    ("runtime/include/", ""),
    ("runtime/abi/", "runtime/include/"),
    ("runtime/core/", "runtime/include/ runtime/abi/"),
    ("runtime/memory/", "runtime/include/ runtime/core/"),
    ("runtime/collectives/", "runtime/include/ runtime/core/ runtime/memory/"),
    ("runtime/program/", "runtime/include/ runtime/abi/ runtime/collectives/ runtime/core/ runtime/memory/"),
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
    ("codegen/kernel/", "LLVM runtime/abi/"),
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
    ("compiler/frontends/onnx/", "LLVM compiler/frontends/constants/ compiler/frontends/files/ compiler/frontends/quantize/ compiler/log/"
     " ir/builder/ ir/library/ ir/reference/ ir/shape/ ir/text/ ir/tx/"),
    ("compiler/frontends/stablehlo/", "LLVM compiler/frontends/constants/ compiler/frontends/files/ compiler/log/"
     " ir/builder/ ir/library/ ir/reference/ ir/shape/ ir/text/ ir/tx/"),
    ("compiler/frontends/readers/", "LLVM compiler/frontends/files/ compiler/frontends/onnx/ compiler/frontends/stablehlo/"
     " ir/text/ ir/tx/"),
    # graph
    ("compiler/graph/kernels/", "LLVM ir/program/ ir/shape/ ir/text/ ir/tx/ runtime/abi/"),
    ("compiler/graph/", "LLVM compiler/graph/kernels/ compiler/log/ ir/fourier/ ir/library/ ir/shape/ ir/tx/ runtime/include/"),
    ("compiler/graph/ops/", "LLVM compiler/graph/ compiler/log/ ir/library/ ir/shape/ ir/tx/ runtime/include/"),
    ("compiler/graph/module/", "LLVM compiler/graph/ compiler/graph/kernels/ compiler/graph/ops/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/graph/linalg/", "LLVM compiler/graph/ compiler/graph/ops/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/graph/random/", "LLVM compiler/graph/ compiler/graph/linalg/ compiler/graph/ops/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/graph/nn/", "LLVM compiler/graph/ compiler/graph/ops/ compiler/graph/random/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/graph/fourier/", "LLVM compiler/graph/ compiler/graph/nn/ compiler/graph/ops/ ir/fourier/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/graph/statistics/", "LLVM compiler/graph/ compiler/graph/linalg/ compiler/graph/ops/ ir/library/ ir/shape/ ir/tx/"),
    # transforms
    ("compiler/transforms/fusion/", "LLVM codegen/emitters/ codegen/kernel/ ir/analysis/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/transforms/passes/", "LLVM codegen/emitters/ codegen/kernel/ codegen/targets/ compiler/transforms/fusion/"
     " ir/builder/ ir/library/ ir/program/ ir/reference/ ir/shape/ ir/tx/ runtime/abi/"),
    ("compiler/transforms/autodiff/", "LLVM compiler/transforms/passes/ ir/builder/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/transforms/batching/", "LLVM compiler/transforms/passes/ ir/builder/ ir/library/ ir/shape/ ir/tx/"),
    ("compiler/transforms/sharding/", "LLVM compiler/transforms/passes/ ir/analysis/ ir/builder/ ir/library/ ir/shape/ ir/tx/"),
    # output
    ("compiler/output/package/", "LLVM ir/program/ ir/shape/ ir/tx/ runtime/abi/ runtime/include/"),
    ("compiler/output/object/", "LLVM compiler/output/package/ ir/program/ ir/shape/ ir/tx/"),
    ("compiler/output/pipelines/", "LLVM codegen/kernel/ codegen/lowering/ codegen/targets/ compiler/log/ compiler/output/object/"
     " compiler/output/package/ compiler/transforms/autodiff/ compiler/transforms/batching/ compiler/transforms/passes/"
      " compiler/transforms/sharding/ ir/program/ ir/tx/ runtime/abi/"),
    ("compiler/output/artefacts/", "LLVM codegen/kernel/ codegen/native/ codegen/targets/ compiler/output/object/ compiler/output/pipelines/ ir/program/"),
    # session
    ("compiler/session/placement/", "LLVM codegen/kernel/ codegen/targets/ compiler/graph/ compiler/log/"
     " compiler/output/pipelines/ ir/library/ ir/shape/ ir/tx/ runtime/abi/ runtime/include/"),
    ("compiler/session/cache/", "LLVM compiler/log/ compiler/session/placement/"),
    ("compiler/session/tuning/", "LLVM codegen/emitters/ codegen/kernel/ compiler/frontends/files/ compiler/output/pipelines/"
     " compiler/transforms/passes/ ir/reference/ ir/tx/ runtime/include/"),
    ("compiler/session/report/", "LLVM codegen/kernel/ codegen/targets/ compiler/frontends/files/ compiler/log/ compiler/output/artefacts/ compiler/output/pipelines/"
     " compiler/session/placement/ compiler/transforms/passes/ compiler/transforms/sharding/ ir/library/ ir/program/ ir/shape/ ir/tx/ runtime/include/"),
    ("compiler/session/jit/", "LLVM codegen/kernel/ compiler/frontends/files/ compiler/graph/ compiler/include/ compiler/log/"
     " compiler/output/pipelines/ compiler/session/cache/ compiler/session/placement/ compiler/session/report/ compiler/session/tuning/"
     " ir/program/ ir/reference/ ir/tx/ runtime/abi/ runtime/include/"),
    ("compiler/session/derive/", "LLVM compiler/graph/ compiler/session/jit/ compiler/transforms/autodiff/"
     " compiler/transforms/batching/ compiler/transforms/passes/ ir/tx/"),
    ("compiler/session/export/", "LLVM codegen/targets/ compiler/frontends/files/ compiler/frontends/readers/ compiler/graph/"
     " compiler/output/artefacts/ compiler/output/pipelines/ compiler/session/jit/ compiler/session/placement/"
     " compiler/session/report/ compiler/transforms/sharding/ ir/shape/ ir/tx/"
     " runtime/include/"),
    ("compiler/api/", "LLVM compiler/frontends/files/ compiler/graph/ compiler/include/ compiler/log/ compiler/output/pipelines/"
     " compiler/session/derive/ compiler/session/export/ compiler/session/jit/ runtime/abi/ runtime/include/"),
    ("examples/", " ".join(PUBLIC)),
    ("pjrt/", " ".join(PUBLIC)),
    ("python/", " ".join(PUBLIC)),
]  # fmt: skip
# Remaining include cycles between components, each with its reason. A cycle that is not listed is a violation, and so is
# an entry that is no longer a cycle.
KNOTS = [
    (
        "runtime/include/tensorc/runtime runtime/include/tensorc/runtime_calls runtime/include/tensorc/runtime_threads",
        "runtime.h includes its parts, each of which may also be included alone",
    ),
    (
        "runtime/program/Frame runtime/program/KernelSizes runtime/program/Program",
        "Program.h holds kernel sizes, which KernelSizes.cpp computes from a frame of the program",
    ),
    (
        "runtime/drivers/gpu/GpuDevice runtime/drivers/gpu/GpuStream runtime/drivers/gpu/math/Factorizations runtime/drivers/gpu/math/Run runtime/drivers/gpu/math/Transforms",
        "GpuDevice.cpp creates streams, which use GpuDevice.h, and a stream calls the math that it runs",
    ),
    (
        "ir/shape/Numbers ir/shape/Rules",
        "Numbers.h needs InferredShape, which stands in Rules.h, and Rules.cpp uses the numbers",
    ),
    (
        "ir/tx/Structure ir/tx/Tx ir/tx/TxDialect",
        "the dialect's source registers the ops, whose headers need the dialect",
    ),
    (
        "ir/reference/Complex ir/reference/Elementwise",
        "the two sources call each other",
    ),
    (
        "codegen/emitters/scalar/FloatFunctions codegen/emitters/scalar/ScalarOps",
        "the two sources call each other",
    ),
    (
        "codegen/emitters/simd/ReductionSkeleton codegen/emitters/simd/ReductionSplit codegen/emitters/simd/ReductionUnrolled",
        "the skeleton holds the unrolled form, whose source asks whether a split would pay off instead",
    ),
    (
        "codegen/emitters/ElementLocations codegen/emitters/ExpressionEmitter",
        "ElementLocations.h takes the emitter, whose source uses locations",
    ),
    (
        "codegen/native/NativeCode codegen/native/Shards",
        "Shards.h has the options of NativeCode.h, whose source compiles in shards",
    ),
    (
        "compiler/frontends/files/Gguf compiler/frontends/files/Npy compiler/frontends/files/Safetensors compiler/frontends/files/Weights",
        "Npy.h declares what all formats return, and Npy.cpp chooses among the formats",
    ),
    (
        "compiler/frontends/onnx/GraphImport compiler/frontends/onnx/NodeImport compiler/frontends/onnx/model/TensorData",
        "GraphImport.h holds a NodeImport, whose source imports the graphs of attributes",
    ),
    (
        "compiler/frontends/stablehlo/Converter compiler/frontends/stablehlo/Words",
        "Words.h takes the converter, whose source calls it",
    ),
    (
        "compiler/transforms/fusion/Group compiler/transforms/fusion/Kind",
        "Group.h holds a kind, which Kind.cpp derives from the group",
    ),
    (
        "compiler/output/package/FunctionEncoder compiler/output/package/Serialize compiler/output/package/Tables",
        "Tables.h and FunctionEncoder.h need types of Serialize.h, whose source calls the encoder",
    ),
    (
        "compiler/output/pipelines/InputVerifier compiler/output/pipelines/Pipelines compiler/output/pipelines/SimulatedImage compiler/output/pipelines/SplitSearch compiler/output/pipelines/StageVerifier",
        "the steps take options of Pipelines.h, whose source adds the steps",
    ),
    (
        "compiler/session/jit/CustomOps compiler/session/jit/NumberChecks",
        "the two sources call each other",
    ),
    (
        "compiler/api/Api compiler/api/Deferred",
        "Api.h includes Deferred.h for all sources of the API, and Deferred.cpp uses Api.h",
    ),
]  # fmt: skip
# Code that targets share must not depend on a target, and no target may depend on another one.
TARGETS = "codegen/targets/"
SHARED = ("codegen/emitters/", "codegen/kernel/", "codegen/lowering/", "codegen/native/")

OURS = ("runtime/", "ir/", "codegen/", "compiler/", "tools/", "tests/", "benchmarks/", "examples/")
INCLUDE = re.compile(r'^\s*(?:#\s*)?include\s+(["<])([^">]+)[">]', re.M)


def installed(name, tracked):
    """Returns the repository path of an installed header, which is included as tensorc/NAME."""
    return next((folder + name for folder in PUBLIC if folder + name in tracked), name)


def included(source, name, tracked):
    """Returns the repository path of an included header, if it belongs to the project."""
    if name.startswith("tensorc/"):
        return installed(name, tracked)
    return name if "/" in name else f"{source.rpartition('/')[0]}/{name}"


def room_of(path):
    """Returns the innermost room that contains a path, or an empty string."""
    return max((room for room, _ in ROOMS if path.startswith(room)), key=len, default="")


def violation(source, quote, name, tracked):
    """Returns the reason why this include is wrong, or None."""
    if name.startswith("tensorc/"):
        name = installed(name, tracked)
    if quote == '"' and "/" not in name and source.startswith(OURS[:4]):
        # User programs and our sources find installed headers by different paths, so parts of them must be in the same
        # folder.
        return None if source.startswith(PUBLIC) else "write the path from the project's root"
    if not name.startswith(OURS + LLVM):
        return None
    if name.startswith(TARGETS):
        if source.startswith(SHARED):
            return "what the targets share includes none of them"
        own, other = source.split("/"), name.split("/")
        if source.startswith(TARGETS) and min(len(own), len(other)) > 3 and own[2] != other[2]:
            return "a target includes no other target"
    room = room_of(source)
    if not room:
        return "a room without a row in check_layers.py" if source.startswith(OURS[:4]) else None
    allowed = dict(ROOMS)[room]
    for may in (room, *allowed.replace("LLVM", " ".join(LLVM)).split()):
        # A room may include files of an enclosing room only if they are in none of its inner rooms.
        if name.startswith(may) and (room_of(name) == may or not source.startswith(may)):
            return None
    return f"{room} may include only {allowed}"


def cycles():
    """Returns rows that name a room that is below them or does not exist."""
    above = {"LLVM"}
    for room, allowed in ROOMS:
        above.add(room)
        yield from (f"{room} comes before {other}, which it may include" for other in allowed.split() if other not in above)


def component(name):
    return name.rsplit(".", 1)[0]


def knots(includes):
    """Returns the strongly connected sets of more than one component (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(includes.get(node, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(frozenset(stack[at:]))
            del stack[at:]

    for node in sorted(includes):
        if node not in number:
            visit(node)
    return found


def check_knots(includes):
    """Returns cycles that are not listed, and entries that are not cycles. Entries whose files do not exist at all
    belong to another source tree."""
    listed = {frozenset(names.split()) for names, _ in KNOTS if includes.keys() & names.split()}
    found = set(knots(includes))
    for names in sorted(map(sorted, found - listed)):
        yield f"these include each other in a cycle: {' '.join(names)}"
    for names in sorted(map(sorted, listed - found)):
        yield f"a listed knot is none, remove or narrow it: {' '.join(names)}"


def main():
    root = repo.root(__doc__)
    tracked = set(repo.files(root))
    bad = 0
    includes = {}
    for reason in cycles():
        bad += 1
        print(f"check_layers.py: {reason}")
    for source in sorted(tracked):
        if not source.endswith((".h", ".cpp", ".c", ".td", ".inc")):
            continue
        text = (root / source).read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            if source.startswith(OURS[:4]) and not source.endswith(".td"):
                name = included(source, match[2], tracked)
                if name in tracked and component(name) != component(source):
                    includes.setdefault(component(source), set()).add(component(name))
            reason = violation(source, *match.groups(), tracked)
            if reason:
                bad += 1
                line = text.count("\n", 0, match.start(1)) + 1
                print(f"{source}:{line}: includes {match[2]}: {reason}")
    for reason in check_knots(includes):
        bad += 1
        print(f"check_layers.py: {reason}")
    print(f"check_layers: {bad} violations" if bad else "check_layers: ok")
    sys.exit(bad > 0)


main()
