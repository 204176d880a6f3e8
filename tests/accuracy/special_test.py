#!/usr/bin/env python3
"""The special functions against special.txt: special_test.py TENSORC DEVICE [--table].

Errors are in ulp of the exact value. --table prints the rows of docs/numerics.md.
"""

import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

TENSORC, DEVICE, TABLE = sys.argv[1], sys.argv[2], "--table" in sys.argv
# What docs/numerics.md promises, in ulp of f64; of f32 it is BOUND32.
BOUND32 = 1.0
BOUND64 = dict(
    erfc=6, erfcx=6, erfinv=8, ndtr=6, log_ndtr=6, ndtri=8, lgamma=16, digamma=16, polygamma=16, zeta=16, gammainc=1000,
    gammaincc=1000, betainc=4000, bessel_i0=8, bessel_i0e=8, bessel_i1=8, bessel_i1e=8, sinc=6, xlogy=4, xlog1py=4, log1mexp=4,
    logit=4, entr=4)  # fmt: skip
# Below 0 these have zeros between their poles, where only the absolute error is small.
CANCEL = ("lgamma", "digamma")
WIDTH = {"f32": (np.float32, 24, -125), "f64": (np.float64, 53, -1021)}


def read():
    """(function, dtype) -> rows of arguments, and the exact values."""
    rows = {}
    for line in (pathlib.Path(__file__).parent / "special.txt").read_text().splitlines():
        name, dtype, *words = line.split()
        rows.setdefault((name, dtype), []).append([float.fromhex(w) for w in words])
    return {key: np.array(value) for key, value in rows.items()}


def program(rows):
    arguments, body, results, types = [], [], [], []
    for (name, dtype), values in rows.items():
        shape = f"tensor<{len(values)}x{dtype}>"
        operands = [f"%{name}_{dtype}_{i}" for i in range(values.shape[1] - 1)]
        arguments += [f'{o}: {shape} {{tx.name = "{o[1:]}"}}' for o in operands]
        body.append(f"%r_{name}_{dtype} = tx.{name} {', '.join(operands)} : {shape}")
        results.append(f"%r_{name}_{dtype}")
        types.append(f'{shape} {{tx.name = "{name}_{dtype}"}}')
    plain = ", ".join(t.split(" ")[0] for t in types)
    return (f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n  " + "\n  ".join(body) +
            f"\n  return {', '.join(results)} : {plain}\n}}\n")  # fmt: skip


def ulps(got, exact, dtype, at_least):
    _, precision, least = WIDTH[dtype]
    exponent = max(math.frexp(max(abs(exact), at_least))[1], least)
    return abs(float(got) - exact) / math.ldexp(1.0, exponent - precision)


def main():
    rows, failed, worst = read(), False, {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "program.mlir").write_text(program(rows))
        command = [TENSORC, "run", folder / "program.mlir", f"--device={DEVICE}", f"--output-dir={folder}"]
        for (name, dtype), values in rows.items():
            for i in range(values.shape[1] - 1):
                path = folder / f"{name}_{dtype}_{i}.npy"
                np.save(path, values[:, i].astype(WIDTH[dtype][0]))
                command.append(f"--input={name}_{dtype}_{i}={path}")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for (name, dtype), values in rows.items():
            got = np.load(folder / f"{name}_{dtype}.npy")
            cancels = (values[:, 0] < 0) & (name in CANCEL)
            errors = [ulps(g, e, dtype, 1.0 if c else 0.0) for g, e, c in zip(got, values[:, -1], cancels)]
            errors = [math.inf if math.isnan(e) else e for e in errors]
            at = int(np.argmax(errors))
            worst[name, dtype] = errors[at]
            bound = BOUND32 if dtype == "f32" else BOUND64[name]
            if errors[at] > bound:
                failed = True
                print(f"{name}({', '.join(map(repr, values[at, :-1].tolist()))}) in {dtype} is {got[at]!r}, "
                      f"exactly {values[at, -1]!r}: {errors[at]:.1f} ulp, above {bound}")  # fmt: skip
    for name in dict.fromkeys(name for name, _ in rows) if TABLE else ():
        print(f"| {name} | {worst[name, 'f32']:.3f} | {worst[name, 'f64']:.3f} | {BOUND64[name]} |")
    return failed


sys.exit(main())
