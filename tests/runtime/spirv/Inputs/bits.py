"""Compares the bits of functions of f32 on devices of OpenCL and Vulkan with those of the simulator.

usage: bits.py TENSORC WORK_FOLDER DEVICE...

Prints for each device how many functions have equal bits, and for each of the others the largest difference in ulp.
"""

import os
import pathlib
import subprocess
import sys

import numpy as np

# Functions of one argument by the domain of their argument, and functions of two.
UNARY = {
    "x": "neg abs exp exp2 expm1 tanh sigmoid sin cos tan sinh cosh asinh atan erf gelu silu cbrt floor round_even ndtr",
    "p": "sqrt rsqrt log log2 log10 log1p",
    "u": "asin acos atanh erfinv",
}
BINARY = "add sub mul div atan2 hypot logaddexp rem mod"


def make_program():
    """Returns the text of the program, and the names of its results."""
    vector, matrix = "tensor<4096xf32>", "tensor<64x64xf32>"
    lines = [(name, f"tx.{name} %{x} : {vector}", vector) for x, names in UNARY.items() for name in names.split()]
    lines += [(name, f"tx.{name} %x, %z : {vector}", vector) for name in BINARY.split()]
    product = "batch = [] x [] contracting = [1] x [0]"
    lines += [
        ("pow", f"tx.pow %p, %z : {vector}", vector),
        ("cumsum", f"tx.cumsum %x dim = 0 : {vector}", vector),
        ("softmax", f"tx.softmax %m dim = 1 : {matrix}", matrix),
        ("sum", f"tx.sum %m dims = [1] : {matrix} -> tensor<64xf32>", "tensor<64xf32>"),
        ("dot", f"tx.dot_general %m, %m {product} : ({matrix}, {matrix}) -> {matrix}", matrix),
    ]
    arguments = [f'%{name}: {vector} {{tx.name = "{name}"}}' for name in "xpuz"] + [f'%m: {matrix} {{tx.name = "m"}}']
    results = ", ".join(f'{kind} {{tx.name = "{name}"}}' for name, _, kind in lines)
    text = f"func.func @main({', '.join(arguments)}) -> ({results}) {{\n"
    text += "".join(f"  %r_{name} = {op}\n" for name, op, _ in lines)
    values, kinds = ", ".join(f"%r_{name}" for name, _, _ in lines), ", ".join(kind for _, _, kind in lines)
    return text + f"  return {values} : {kinds}\n}}\n", [name for name, _, _ in lines]


def write_inputs(folder):
    random = np.random.default_rng(1)
    x, z = (random.standard_normal(4096).astype("f4") * 8 for _ in range(2))
    inputs = {"x": x, "z": z, "p": np.abs(x) + np.float32(1e-3), "u": np.tanh(x) * np.float32(0.999), "m": (np.abs(z) + np.float32(1e-3)).reshape(64, 64)}
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
    return [f"--input={name}={folder / name}.npy" for name in inputs]


def ordered(array):
    """Returns integers in the order of the floats; those of neighbours differ by 1."""
    bits = array.view("i4").astype("i8")
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def main():
    tensorc, work, *devices = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    text, names = make_program()
    (work / "bits.mlir").write_text(text)
    inputs = write_inputs(work)
    results = {}
    for device in ["sim:0", *devices]:
        out = work / device.replace(":", "-")
        subprocess.run(
            [tensorc, "run", work / "bits.mlir", f"--device={device}", f"--output-dir={out}", *inputs],
            check=True,
            stdout=subprocess.DEVNULL,
            env=os.environ,
        )
        results[device] = {name: np.load(out / f"{name}.npy") for name in names}
    for device in devices:
        same = 0
        for name in names:
            mine, other = results[device][name], results["sim:0"][name]
            equal = bool((mine.view("i4") == other.view("i4")).all())
            same += equal
            if not equal:
                print(f"{device}: {name} differs by {np.abs(ordered(mine) - ordered(other)).max()} ulp")
        print(f"{device}: {same} of {len(names)} functions have the bits of sim:0")


main()
