#!/usr/bin/env python3
"""Compares the machine code of tensorc's GPU kernels with that of Triton's, without a GPU.

usage: gpu_static.py TENSORC --csv=FILE [--only=REGEX]

Run it with the Python of a virtual environment with triton==3.5.1. The cuobjdump and ptxas of this package are used for
both. Each row is a kernel of a program of benchmarks/gpu/profiled.mlir, or Triton's kernel for the same program:
registers, bytes of stack (spills), and the instructions of the main loop by class. The main loop is the innermost loop
with the most matrix instructions, or else the most accesses to global memory; the whole kernel if it has no such loop.
"""

import argparse
import collections
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "gpu"))

CHIPS = {"sm_80": 80, "sm_90a": 90}
# Classes of instructions, recognized by the beginnings of their names. The first class that matches is used.
CLASSES = [("matrix", "HMMA|HGMMA|IMMA|QGMMA|DMMA"), ("matrix loads", "LDSM"),
           ("async copies", "LDGSTS|UTMALDG|UBLKCP"), ("global", "LDG|STG|LD |ST |RED|ATOMG|UTMASTG"),
           ("workgroup", "LDS|STS|ATOMS|STSM"), ("local", "LDL|STL"), ("barriers", "BAR|SYNCS|WARPSYNC|DEPBAR|LDGDEPBAR"),
           ("shuffles", "SHFL|REDUX"), ("special", "MUFU"), ("float", "F|HADD|HMUL|HFMA|HMNMX|HSET|DADD|DMUL|DFMA"),
           ("convert", "F2F|I2F|F2I|PRMT"), ("other", "")]
COLUMNS = [name for name, _ in CLASSES]


def classify(instruction):
    if instruction.startswith(("F2", "I2F")):
        return "convert"
    return next(name for name, names in CLASSES if re.match(names, instruction + " "))


def kernels_of(sass):
    """Returns the name of each function in cuobjdump's text, with a list of (address, instruction, operands)."""
    for part in re.split(r"^\s*Function : ", sass, flags=re.MULTILINE)[1:]:
        code = re.findall(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*);", part, re.MULTILINE)
        yield part.split("\n", 1)[0].strip(), [(int(a, 16), name, operands) for a, name, operands in code]


def main_loop(code):
    """Returns the instructions of the main loop."""
    best, most = code, None
    for at, name, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands) if name.startswith("BRA") else None
        if not target or int(target[1], 16) >= at:
            continue
        body = [each for each in code if int(target[1], 16) <= each[0] <= at]
        counts = collections.Counter(classify(each[1]) for each in body)
        accesses = 0 if counts["matrix"] else counts["global"] + counts["async copies"]
        score = (counts["matrix"], accesses, -len(body))
        if any(score[:2]) and (not most or score > most):
            best, most = body, score
    return best


def flops(name):
    """Returns the number of operations of a subgroup's matrix instruction."""
    shape = re.match(r"HMMA\.(\d+)(8)(\d+)|HGMMA\.(\d+)x(\d+)x(\d+)", name)
    if not shape:
        return 0
    m, n, k = (int(each) for each in shape.groups() if each)
    return 2 * m * n * k // (4 if name.startswith("HGMMA") else 1)


def width(name):
    """Returns the number of bytes that a load reads per lane."""
    found = re.search(r"\.(128|64|[US]?16|[US]?8)(?:\.|$)", name)
    return int(found[1].lstrip("US")) // 8 if found else 4


def describe(tools, cubin, path):
    """Returns the rows for the kernels of a cubin."""
    path.write_bytes(cubin)

    def dump(option):
        return subprocess.run([tools / "cuobjdump", option, path], capture_output=True, text=True, check=True).stdout

    usage = dict(re.findall(r"Function (\S+):\s*(REG:.*)", dump("-res-usage")))
    for name, code in kernels_of(dump("-sass")):
        used = dict((a, int(b)) for a, b in re.findall(r"(\w+):(\d+)", usage.get(name, "")))
        loop = main_loop(code)
        counts = collections.Counter(classify(each[1]) for each in loop)
        operations = sum(flops(each[1]) for each in loop)
        loads = [width(each[1]) for each in loop if re.match(r"LDG(STS)?\b", each[1])]
        yield name, {
            "registers": used.get("REG", 0), "stack bytes": used.get("STACK", 0) + used.get("LOCAL", 0), "instructions": len(code),
            "in loop": len(loop), **{each: counts[each] for each in COLUMNS},
            "bytes per load": f"{sum(loads) / len(loads):.1f}" if loads else "",
            "flops per instruction": f"{operations / len(loop):.0f}" if operations else ""}


def our_cubin(tensorc, entry, chip, folder):
    """Returns tensorc's machine code for a program. Products are of 4096 x 4096 matrices, because shorter loops over k
    would be unrolled completely, and attentions have 4096 keys, because few queries get smaller blocks."""
    text = (HERE / "gpu" / "profiled.mlir").read_text()
    text = re.search(rf"^func\.func @{entry}\(.*?^}}", text, re.MULTILINE | re.DOTALL)[0]
    if re.match("gemm|linear", entry):
        text = re.sub(r"\b(256|512)(x512)?x(b?f16)", lambda m: ("4096x4096x" if m[2] else "4096x") + m[3], text)
    elif re.match("attention", entry):
        text = text.replace("x256x64xf16", "x4096x64xf16")
    program, cubin = folder / "program.mlir", folder / "ours.cubin"
    program.write_text(text)
    subprocess.run([tensorc, "compile", program, f"--target=cuda:{chip}", "--emit=cubin", "-o", cubin], check=True)
    return cubin.read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tensorc")
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="programs whose name matches")
    options = parser.parse_args()
    import triton
    import triton_kernels
    tools = pathlib.Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
    os.environ["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["TRITON_CACHE_DIR"] = str(folder / "cache")
        for program in triton_kernels.KERNELS:
            if not re.search(options.only, program):
                continue
            for chip, capability in CHIPS.items():
                for maker, cubin in (("tensorc", our_cubin(options.tensorc, program, chip, folder)),
                                     (f"triton {triton.__version__}", triton_kernels.cubin(program, capability))):
                    for kernel, row in describe(tools, cubin, folder / "kernel.cubin"):
                        rows.append({"program": program, "chip": chip, "maker": maker, "kernel": kernel, **row})
                        print(*rows[-1].values(), sep="\t", flush=True)
    with options.csv.open("w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
