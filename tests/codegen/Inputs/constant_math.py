"""Checks that functions of constants have the bits that kernels give.

  constant_math.py TENSORC [ARGS OF tensorc run...]
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

FUNCTIONS = "exp exp2 expm1 log log2 log10 log1p sin cos tan tanh erf sinh cosh asinh atan cbrt rsqrt"
VALUES = [0.375, 0.7001953125, 1.3125, 2.875, 11.5]
DTYPES = ["f32", "f64", "f16", "bf16"]


def entry(dtype: str) -> tuple[str, list[str]]:
    """One result for each function: whether it is the same for all constants."""
    names, lines, results = [], [], []
    vector, one = f"tensor<{len(VALUES)}x{dtype}>", f"tensor<1x{dtype}>"
    flags = f"tensor<{len(VALUES)}xi1>"
    for i, value in enumerate(VALUES):
        lines.append(f"%c{i} = tx.constant dense<{value}> : {one}")
        # A function of a function, and of arithmetic, folds one after the other.
        lines.append(f"%s{i} = tx.add %c{i}, %c{i} : {one}")
        lines.append(f"%n{i} = tx.exp %s{i} : {one}")
    wide = vector.replace(dtype, "f64")
    if dtype != "f64":
        lines.append(f"%x = tx.convert %read : {wide} -> {vector}")
    lines.append(f"%two = tx.add %x, %x : {vector}")
    lines.append(f"%nested = tx.exp %two : {vector}")
    for name, (suffix, argument) in itertools.product(
        FUNCTIONS.split(), [("c", "x"), ("n", "nested")]
    ):
        value = f"{name}_{argument}"
        if argument == "nested" and (dtype == "f16" or name not in ("log", "tanh", "rsqrt")):
            continue
        for i in range(len(VALUES)):
            lines.append(f"%{value}{i} = tx.{name} %{suffix}{i} : {one}")
        parts = ", ".join(f"%{value}{i}" for i in range(len(VALUES)))
        types = ", ".join([one] * len(VALUES))
        lines.append(f"%{value}_folded = tx.concatenate {parts} dim = 0 : ({types}) -> {vector}")
        lines.append(f"%{value}_computed = tx.{name} %{argument} : {vector}")
        lines.append(f"%{value}_eq = tx.eq %{value}_folded, %{value}_computed : {vector}")
        names.append(value)
        results.append(f"%{value}_eq")
    types = ", ".join(f'{flags} {{tx.name = "{name}"}}' for name in names)
    plain = ", ".join([flags] * len(names))
    body = "\n  ".join(lines)
    body = body if dtype != "f64" else body.replace("%x ", "%read ").replace("%x,", "%read,")
    text = f'func.func @{dtype}(%read: {wide} {{tx.name = "x"}}) -> ({types}) {{\n  {body}\n'
    return text + f"  return {', '.join(results)} : {plain}\n}}\n", names


def main() -> None:
    tensorc, *args = sys.argv[1:]
    entries = {dtype: entry(dtype) for dtype in DTYPES}
    with tempfile.TemporaryDirectory() as folder:
        source, x = pathlib.Path(folder, "functions.mlir"), pathlib.Path(folder, "x.npy")
        source.write_text("".join(text for text, _ in entries.values()))
        np.save(x, np.array(VALUES))
        for dtype, (_, names) in entries.items():
            command = [tensorc, "run", source, f"--entry={dtype}", f"--input=x={x}", f"--output-dir={folder}", *args]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            for name in names:
                same = np.load(pathlib.Path(folder, f"{name}.npy"))
                if not same.all():
                    sys.exit(f"{dtype} {name}: {np.array(VALUES)[~same]} has other bits as constants")


main()
