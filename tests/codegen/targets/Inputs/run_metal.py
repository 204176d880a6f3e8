"""Runs kernels that are printed for Metal on the host, and compares their results with the cpu's.

usage: run_metal.py TENSORC CXX WORK_FOLDER FILE[:ENTRY]...

The text is compiled as C++ with a small standard library of Metal (metal/metal_stdlib), which runs the threads of a block
in turns. This file runs the launches of a program: a function whose sizes are all static.
"""

import ctypes
import pathlib
import re
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
DTYPES = {"f32": np.float32, "f64": np.float64, "i1": np.bool_,
          "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
          "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64}  # fmt: skip
LAUNCH = re.compile(
    r"txp\.launch @kernels::@(\w+) extent\((%\w+)\) grain\(%\w+\) block\((\d+)\)(?: ins\(([^)]*)\))?(?: outs\(([^)]*)\))?"
    r"(?: scalars\(([^):]*):[^)]*\))?"
)


class Program:
    """The function of txp ops in a module's text."""

    def __init__(self, text):
        function = re.search(r"txp\.func @\w+\((.*?)\).*? attributes \{(.*?)\} \{\n(.*?)\n  \}", text, re.S)
        parameters, attributes, body = function.groups()
        self.parameters = re.findall(r"%\w+", parameters)
        self.inputs, self.outputs = (self.types(attributes, which) for which in ("inputs", "outputs"))
        self.names = re.findall(r'"(.*?)"', re.search(r"output_names = \[(.*?)\]", attributes)[1])
        self.lines = [line.strip() for line in body.split("\n")]

    @staticmethod
    def types(attributes, which):
        """[(dtype, shape)]"""
        types = re.findall(r"tensor<((?:\d+x)*)(\w+)>", re.search(rf"\b{which} = \[(.*?)\]", attributes)[1])
        return [(DTYPES[dtype], [int(d) for d in dims.split("x") if d]) for dims, dtype in types]

    def run(self, library, inputs):
        values = dict(zip(self.parameters, (i.ctypes.data for i in inputs)))
        keep = []
        for line in self.lines:
            name, _, op = line.partition(" = ") if line.startswith("%") else ("", "", line)
            words = re.findall(r"%\w+", op)
            if constant := re.match(r"arith\.constant (-?\d+)", op):
                values[name] = int(constant[1])
            elif op.startswith("txp.alloc"):
                keep.append(np.zeros(max(1, values[words[0]]), np.uint8))
                values[name] = keep[-1].ctypes.data
            elif op.startswith("txp.view"):
                values[name] = values[words[0]] + values[words[1]]
            elif launch := LAUNCH.match(op):
                kernel, extent, threads, *operands = launch.groups()
                words = [values[w] for group in operands for w in re.findall(r"%\w+", group or "")]
                words = (ctypes.c_uint64 * len(words))(*(w % 2**64 for w in words))
                library[f"run_{kernel}"](words, values[extent], int(threads))
            elif op.startswith("txp.return"):
                addresses = [values[w] for w in words]
            else:
                raise SystemExit(f"run_metal.py: cannot run '{op}'")
        results = []
        for (dtype, shape), address in zip(self.outputs, addresses):
            count = int(np.prod(shape))
            bytes_ = ctypes.string_at(address, count * np.dtype(dtype).itemsize)
            results.append(np.frombuffer(bytes_, dtype).reshape(shape))
        return results


def build(cxx, text, path):
    kernels = re.findall(r"\ntx_(\w+)\(", text)
    for kernel in kernels:
        text += (f'extern "C" void run_{kernel}(ulong *words, uint blocks, uint threads) '
                 f"{{ metal::runGrid(tx_{kernel}, words, blocks, threads); }}\n")  # fmt: skip
    path.with_suffix(".cpp").write_text(text)
    flags = ["-std=c++20", "-O1", "-ffp-contract=off", "-mfma", "-fno-strict-aliasing", "-w", "-shared", "-fPIC"]
    subprocess.run([cxx, *flags, "-I", HERE / "metal", path.with_suffix(".cpp"), "-o", path], check=True)
    return ctypes.CDLL(str(path))


def check(tensorc, cxx, work, place):
    file, _, entry = place.partition(":")
    stem = work / f"{pathlib.Path(file).stem}-{entry or 'main'}"
    stem.mkdir(parents=True, exist_ok=True)
    words = [tensorc, "compile", file, "--target=metal", *([f"--entry={entry}"] if entry else [])]

    def compile_(*more):
        return subprocess.run([*words, *more], check=True, capture_output=True, text=True).stdout

    program = Program(compile_("--stop-after=lower"))
    library = build(cxx, compile_("--emit=msl"), stem / "kernels.so")
    random = np.random.default_rng(7)
    inputs = []
    for i, (dtype, shape) in enumerate(program.inputs):
        numbers = random.standard_normal(shape) if dtype in (np.float32, np.float64) else random.integers(0, 10, shape)
        inputs.append(np.ascontiguousarray(numbers, dtype))
        np.save(stem / f"in{i}.npy", inputs[-1])
    run = [tensorc, "run", file, "--device=cpu", f"--output-dir={stem}/out", *words[4:]]
    subprocess.run([*run, *(f"--input={stem}/in{i}.npy" for i in range(len(inputs)))], check=True, capture_output=True)
    for name, got in zip(program.names, program.run(library, inputs), strict=True):
        want = np.load(stem / "out" / f"{name}.npy")
        if want.dtype == np.float32:
            np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6, err_msg=place)
        else:
            np.testing.assert_array_equal(got, want, err_msg=place)
    print(f"{pathlib.Path(file).name}: {entry or 'main'} agrees")


def main():
    tensorc, cxx, work, *places = sys.argv[1:]
    for place in places:
        check(tensorc, cxx, pathlib.Path(work), place)


main()
