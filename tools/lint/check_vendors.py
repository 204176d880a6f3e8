#!/usr/bin/env python3
"""Checks that code names GPU vendors, their APIs and formats only in the folders of device kinds.

Elsewhere, a kind of device is a row of runtime/abi/DeviceKinds.h, and properties of its code come from its
codegen::Target. Comments, docstrings and descriptions of ops may contain any names.
"""

import ast
import re
import sys

import repo

FOLDERS = ("codegen/", "compiler/", "ir/", "python/", "runtime/", "tools/")
# Exempt are the folders of device kinds and of the format that two kinds share, the table of kinds, chip instructions
# as operations, and this file.
EXEMPT = ("codegen/targets/", "codegen/lowering/spirv/", "runtime/drivers/", "runtime/abi/DeviceKinds.h", "runtime/abi/PtxChips.h", "codegen/kernel/ops/", "tools/lint/")
# Files in which a word is part of the interface, with the reason. It is an error if a file no longer contains the word,
# so the list stays short.
ALLOWED = {
    # Kernels that users write in CUDA C++.
    "compiler/api/Kernels.cpp": "cuda",
    "compiler/include/tensorc/kernel.h": "cuda",
    "compiler/include/tensorc/kernel.hpp": "cuda",
    "python/src/kernels.cpp": "cuda",
    "python/tensorc/_kernels.py": "cuda",
    # Names as in PyTorch: Tensor.cuda(), is_cuda() and the module tensorc.cuda.
    "compiler/include/tensorc/devices.hpp": "cuda",
    "compiler/include/tensorc/names.hpp": "cuda",
    "compiler/include/tensorc/tensor.hpp": "cuda",
    "python/tensorc/__init__.py": "cuda",
    "python/tensorc/_array.py": "cuda",
    "python/tensorc/cuda.py": "cuda",
    # This name identifies files of the format, which are rejected.
    "compiler/frontends/files/InputFile.cpp": "ptx",
    # Tiles are lowered to an operation of this name.
    "codegen/lowering/tiles/RowLayout.cpp": "amd",
}
# Long words match within longer words. Short words match only as a part of an identifier: isHip, hip_error, but not
# ship.
LONG = "cuda|rocm|nvptx|nvvm|nvidia|amdgpu|amdgcn|rocdl|hsaco|cubin|opencl|vulkan|spirv"
SHORT = "hip|ptx|amd"
WORD = re.compile(
    rf"(?i:{LONG})|(?<![A-Za-z])(?:{SHORT})(?![a-z])|(?:{'|'.join(w.capitalize() for w in SHORT.split('|'))})(?![a-z])"
    rf"|(?<![A-Z])(?:{SHORT.upper()})(?![A-Z])"
)
SKIPPED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|let\s+description\s*=\s*\[\{.*?\}\]   # what is blanked
    |(?P<kept>R"(?P<tag>[^\s()]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*")""",
    re.S | re.X,
)


def cpp_code(text):
    """Returns (line, code) without comments and descriptions."""
    code = SKIPPED.sub(lambda m: m[0] if m["kept"] else "\n" * m[0].count("\n"), text)
    return enumerate(code.split("\n"), 1)


def python_code(text):
    """Returns (line, text) for names and strings, without docstrings."""
    tree = ast.parse(text)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if hasattr(node, "body") and isinstance(node.body, list) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        else:
            for field in ("id", "attr", "name", "arg", "asname"):
                if isinstance(getattr(node, field, None), str):
                    yield getattr(node, "lineno", 1), getattr(node, field)


def words(name, text):
    """Returns (line, word) for each vendor name in a file."""
    code = python_code(text) if name.endswith(".py") else cpp_code(text)
    return sorted({(line, m[0].lower()) for line, part in code for m in WORD.finditer(part)})


def main():
    root = repo.root(__doc__)
    bad = 0
    for name in repo.files(root, ".h", ".hpp", ".c", ".cpp", ".inc", ".td", ".py"):
        if not name.startswith(FOLDERS) or name.startswith(EXEMPT):
            continue
        found = words(name, (root / name).read_text(encoding="utf-8"))
        allowed = set(ALLOWED.get(name, "").split())
        for line, word in found:
            if word not in allowed:
                bad += 1
                print(f"{name}:{line}: names {word}: ask the table of kinds of devices, or the target")
        for word in sorted(allowed - {word for _, word in found}):
            bad += 1
            print(f"{name}: has no {word} any more: take it out of ALLOWED")
    print(f"check_vendors: {bad} violations" if bad else "check_vendors: ok")
    sys.exit(bad > 0)


main()
