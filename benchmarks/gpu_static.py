#!/usr/bin/env python3
"""Compares the machine code of our GPU kernels with that of Triton's, without a GPU.

usage: gpu_static.py TENSORC --csv=FILE [--only=REGEX]

Run it by the Python of a virtual environment with triton==3.5.1, whose cuobjdump and ptxas are used for both. Each row
is a kernel of a program of benchmarks/gpu/profiled.mlir, or Triton's kernel for the same program: registers, workgroup
memory, bytes spilled, and the instructions of the main loop by class. The main loop is the innermost loop with the most
matrix instructions, or else the most accesses to global memory; the whole kernel if it has no such loop.
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
# Classes of instructions by the beginnings of their names; the first that fits.
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
    """For each function of cuobjdump's text: its name, and a list of (address, instruction, operands)."""
    for part in re.split(r"^\s*Function : ", sass, flags=re.MULTILINE)[1:]:
        code = re.findall(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*);", part, re.MULTILINE)
        yield part.split("\n", 1)[0].strip(), [(int(a, 16), name, operands) for a, name, operands in code]


def main_loop(code):
    """The instructions of the main loop."""
    best, most = code, (0, 0, 0)
    for at, name, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands) if name.startswith("BRA") else None
        if not target or int(target[1], 16) >= at:
            continue
        body = [each for each in code if int(target[1], 16) <= each[0] <= at]
        counts = collections.Counter(classify(each[1]) for each in body)
        score = (counts["matrix"], counts["global"] + counts["async copies"], -len(body))
        if score[:2] > most[:2] or (score[:2] == most[:2] and score[2] > most[2]):
            best, most = body, score
    return best if most[:2] != (0, 0) else code


def flops(name):
    """Operations of a matrix instruction of a subgroup."""
    shape = re.match(r"HMMA\.(\d+)(8)(\d+)|HGMMA\.(\d+)x(\d+)x(\d+)", name)
    if not shape:
        return 0
    m, n, k = (int(each) for each in shape.groups() if each)
    return 2 * m * n * k // (4 if name.startswith("HGMMA") else 1)


def width(name):
    found = re.search(r"\.(U?\d+)(?:\.|$)", name.replace(".E.", ".E|").split("|")[-1]) if "LDG" in name else None
    bits = int(found[1].lstrip("U")) if found else 32
    return bits // 8


def describe(tools, cubin, path):
    """Rows of the kernels of a cubin."""
    path.write_bytes(cubin)
    run = lambda *args: subprocess.run([tools / "cuobjdump", *args, path], capture_output=True, text=True).stdout
    usage = dict(re.findall(r"Function (\S+):\s*(REG:.*)", run("-res-usage")))
    for name, code in kernels_of(run("-sass")):
        used = dict((a, int(b)) for a, b in re.findall(r"(\w+):(\d+)", usage.get(name, "")))
        loop = main_loop(code)
        counts = collections.Counter(classify(each[1]) for each in loop)
        operations = sum(flops(each[1]) for each in loop)
        loads = [width(each[1]) for each in loop if each[1].startswith("LDG")]
        yield name, {
            "registers": used.get("REG", 0), "workgroup bytes": used.get("SHARED", 0),
            "stack bytes": used.get("STACK", 0) + used.get("LOCAL", 0), "instructions": len(code),
            "in loop": len(loop), **{each: counts[each] for each in COLUMNS},
            "bytes per load": f"{sum(loads) / len(loads):.1f}" if loads else "",
            "flops per instruction": f"{operations / len(loop):.0f}" if operations else ""}


def our_cubin(tensorc, entry, chip, folder):
    path = folder / "ours.cubin"
    subprocess.run([tensorc, "compile", HERE / "gpu" / "profiled.mlir", f"--entry={entry}", f"--target=cuda:{chip}",
                    "--emit=cubin", "-o", path], check=True)
    return path.read_bytes()


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
