#!/usr/bin/env python3
"""Every op for a batch against itself for one example after the other: batching_test.py TENSORC TENSORC_OPT TXOPS_JSON.

One program calls each op as its example in the definitions does. --tx-batch makes of it one for a batch; a tx.scan of
the same program does one example after the other. Both run on the same random numbers, once with a batch in all
arguments, then with one in some of them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tools/opgen"))
import examples  # noqa: E402
import records  # noqa: E402

TENSORC, TENSORC_OPT, JSON, *ONLY = sys.argv[1:]
COUNT = 3
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32,
          "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64}  # fmt: skip
# What the examples lack: shapes, dtypes and attributes that take another way.
MORE = """
%0 = tx.dot_general %x, %y batch = [1] x [2] contracting = [3, 2] x [0, 1] : (tensor<3x2x4x5xf32>, tensor<5x4x2x6xf32>) -> tensor<2x3x6xf32>
%0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<3x4xf16>, tensor<4x5xf16>) -> tensor<3x5xf32>
%0 = tx.pad %x, %v low = [-1, 2] high = [2, -1] interior = [1, 0] : tensor<3x4xf32> -> tensor<6x5xf32>
%0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0, 1] index_vector_dim = 0 slice_sizes = [1, 2] : (tensor<6x4xf32>, tensor<2x3xi32>) -> tensor<3x2xf32>
%0 = tx.gather %x, %i offset_dims = [] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 0 slice_sizes = [1] : (tensor<6xf32>, tensor<i8>) -> tensor<f32>
%0 = tx.scatter "add" %x, %i, %u update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<6xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<6xf32>
%0 = tx.scatter "set" %x, %i, %u update_window_dims = [0, 1] inserted_window_dims = [] scatter_dims_to_operand_dims = [1] index_vector_dim = 0 : (tensor<6x4xf32>, tensor<1xi64>, tensor<6x2xf32>) -> tensor<6x4xf32>
%0 = tx.dynamic_slice %x[%i] slice_sizes = [3] : (tensor<7xf32>, tensor<i32>) -> tensor<3xf32>
%0 = tx.dynamic_update_slice %x, %u[%i] : (tensor<7xf32>, tensor<3xf32>, tensor<i32>) -> tensor<7xf32>
%0 = tx.searchsorted %s, %x : (tensor<4xf32>, tensor<f32>) -> tensor<i64>
%0 = tx.searchsorted %s, %x : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x3xi64>
%0 = tx.conv %x, %k bias %b groups = 2 sizes = [3, 2] strides = [2, 1] dilations = [1, 2] low = [1, 0] high = [0, 1] input_dilations = [1, 1] : (tensor<2x4x5x6xf32>, tensor<6x2x3x2xf32>, tensor<6xf32>) -> tensor<2x6x2x5xf32>
%0 = tx.conv %x, %k channels_last groups = 1 sizes = [3] strides = [1] dilations = [1] low = [1] high = [1] input_dilations = [1] : (tensor<2x9x4xf32>, tensor<3x4x5xf32>) -> tensor<2x9x5xf32>
%0 = tx.conv_transpose %x, %k bias %b groups = 2 sizes = [3] strides = [1] dilations = [1] low = [2] high = [2] input_dilations = [2] : (tensor<2x4x9xf32>, tensor<4x5x3xf32>, tensor<10xf32>) -> tensor<2x10x19xf32>
%0 = tx.conv_transpose %x, %k channels_last groups = 1 sizes = [3] strides = [1] dilations = [1] low = [2] high = [2] input_dilations = [2] : (tensor<2x9x4xf32>, tensor<3x4x5xf32>) -> tensor<2x19x5xf32>
%0 = tx.attention %q, %k, %v, %s mask %m groups = 2 : (tensor<4x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<f32>, tensor<3x5xf32>) -> tensor<4x3x4xf32>
%0 = tx.cross_entropy %x, %l, %n none : (tensor<4x3xf32>, tensor<4xi64>, tensor<i64>) -> tensor<4xf32>
%0 = tx.cross_entropy %x, %l, %n none : (tensor<3xf32>, tensor<i64>, tensor<i64>) -> tensor<f32>
%0 = tx.batch_norm %x, %m, %v, %e scale %s bias %b dim = 1 : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5xf32>
%0 = tx.group_norm %x, %e scale %s bias %b groups = 2 : (tensor<2x4x5xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5xf32>
%0 = tx.dropout %x, %u, %l, %f : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
%0 = tx.fft %x length = 6 inverse : tensor<2x3x6xf32>
%0 = tx.argmax %x dims = [0, 2] : tensor<2x3x4xf32> -> tensor<3xi64>
%0 = tx.stop_gradient %x : tensor<4xf32>
"""
# Nothing but attributes, or not a program's own.
LEFT_OUT = {"constant", "iota", "size", "custom_call", "kernel_call", "fusion", "reinterpret", "return", "yield", "if", "switch", "while",
            "complex", "real", "imag", "fourier"}  # complex: ComplexTest.cpp, test_fft.py


class Case:
    """An op with the types of its arguments and results."""

    def __init__(self, text):
        self.text = " ".join(text.split())
        names = re.findall(r"%[a-z]\w*", self.text.split("{")[0])
        self.names = list(dict.fromkeys(names))
        head = self.text.split("{")[0]
        types = signature(head, len(names))
        self.types = [types[0][names.index(name)] for name in self.names]
        self.results = types[1]


def signature(text, count):
    """([types of the operands], [types of the results])"""
    if found := re.search(rf": \(([^()]*)\) -> (?:({examples.TYPE})|\(([^()]*)\)) ?$", text):
        return re.findall(examples.TYPE, found[1]), re.findall(examples.TYPE, found[2] or found[3])
    if found := re.search(rf": ({examples.TYPE})(?:, ({examples.TYPE}))? -> ({examples.TYPE})$", text):
        return [found[1], found[2] or re.sub(r"(\d+x)+", "", found[1])][:count], [found[3]]
    kind = re.search(rf": ({examples.TYPE})(?:, ({examples.TYPE}))?$", text)
    first, second = kind[1], kind[2] or kind[1]
    result = second
    operands = [first] * count if not kind[2] else [first] + [second] * (count - 1)
    if re.match(r"%0 = tx\.(eq|ne|lt|le|gt|ge|is_\w+|not_\w+) ", text):
        result = re.sub(r"(f|ui|i|bf)\d+>$", "i1>", second)
    if " tx.argsort " in text:
        result = re.sub(r"(f|ui|i|bf)\d+>$", "i64>", second)
    return operands, [result]


def cases():
    for op in records.read(JSON):
        text = (op.example or "").strip()
        if op.name not in LEFT_OUT and text.startswith("%0") and "%1" not in text:
            yield op.name, Case(text)
    for text in MORE.strip().splitlines():
        yield text.split()[2], Case(text)


def dims(kind):
    return [int(d) for d in re.findall(r"(\d+)x", kind)]


def batched(kind, first=True):
    return kind.replace("tensor<", f"tensor<{COUNT}x") if first else kind


class Program:
    def __init__(self, all_cases):
        self.arguments, self.body, self.results = [], [], []
        for number, (_, case) in enumerate(all_cases):
            text = re.sub(r"%([a-z]\w*)", rf"%c{number}_\1", case.text)
            self.body.append(text.replace("%0", f"%r{number}", 1))
            self.arguments += [(f"%c{number}_{name[1:]}", kind) for name, kind in zip(case.names, case.types)]
            for i, kind in enumerate(case.results):
                self.results.append((f"%r{number}" + (f"#{i}" if len(case.results) > 1 else ""), kind, number))

    def types(self):
        return [kind for _, kind in self.arguments]

    def one(self):
        arguments = ", ".join(f"{n}: {t}" for n, t in self.arguments)
        return (f"func.func @main({arguments}) -> ({', '.join(t for _, t, _ in self.results)}) {{\n" + "\n".join(self.body)
                + f"\nreturn {', '.join(n for n, _, _ in self.results)} : {', '.join(t for _, t, _ in self.results)}\n}}\n")  # fmt: skip

    def by_scan(self, flags):
        """One example after the other."""
        given = [(n, batched(t, flag), t, flag) for (n, t), flag in zip(self.arguments, flags)]
        order = [g for g in given if g[3]] + [g for g in given if not g[3]]
        outs = [batched(t) for _, t, _ in self.results]
        inside = ", ".join(f"{n}: {one}" for n, _, one, _ in order)
        return (f"func.func @main({', '.join(f'{n}: {t}' for n, t, _, _ in given)}) -> ({', '.join(outs)}) {{\n"
                f"%all:{len(outs)} = tx.scan <[{COUNT}]> carried = 0 scanned = {sum(flags)} ({', '.join(n for n, *_ in order)}) : "
                f"({', '.join(t for _, t, _, _ in order)}) -> ({', '.join(outs)}) {{\n^bb0(%index: tensor<i64>, {inside}):\n"
                + "\n".join(self.body)
                + f"\ntx.return {', '.join(n for n, _, _ in self.results)} : {', '.join(t for _, t, _ in self.results)}\n}}\n"
                f"return {', '.join(f'%all#{i}' for i in range(len(outs)))} : {', '.join(outs)}\n}}\n")  # fmt: skip


def draw(random, kind, shape):
    dtype = DTYPES[re.search(r"(\w+)>$", kind)[1].split("x")[-1]]
    if dtype == np.bool_:
        return random.random(shape) < 0.5
    if np.issubdtype(dtype, np.integer):
        high = 2**31 if dtype in (np.uint32, np.uint64) else 5
        return random.integers(0, high, shape).astype(dtype)
    return random.uniform(0.2, 0.9, shape).astype(dtype)


def tensorc(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))[:2000]}: {done.stdout[:2000]}{done.stderr[:4000]}")
    return done.stdout


def run(folder, program, device):
    out = folder / f"out-{device}-{program.stem}"
    tensorc(TENSORC, "run", program, f"--input={folder / 'in.npz'}", f"--device={device}", f"--output-dir={out}")
    return [np.load(out / f"out{i}.npy") for i in range(len(list(out.iterdir())))]


def main():
    all_cases = [(name, case) for name, case in cases() if not ONLY or name in ONLY]
    program, random = Program(all_cases), np.random.default_rng(5)
    wrong = 0
    rounds = [[True] * len(program.arguments)]
    for i in range(2):
        flags = [random.random() < 0.5 for _ in program.arguments]
        # One argument of each op, so that it has a batch.
        for number in range(len(all_cases)):
            own = [k for k, (n, _) in enumerate(program.arguments) if n.startswith(f"%c{number}_")]
            if own and not any(flags[k] for k in own):
                flags[own[i % len(own)]] = True
        rounds.append(flags)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for flags in rounds:
            (folder / "one.mlir").write_text(program.one())
            axes = ",".join("0" if flag else "none" for flag in flags)
            text = tensorc(TENSORC_OPT, folder / "one.mlir", f"--tx-batch=size={COUNT} in={axes}")
            text = re.sub(r"  func\.func @main\(.*?\n  }\n", "", text, flags=re.S)
            (folder / "batched.mlir").write_text(text.replace("@main_batched", "@main"))
            (folder / "scan.mlir").write_text(program.by_scan(flags))
            arrays = {f"arg{i}": draw(random, t, [COUNT] * flag + dims(t)) for i, (t, flag) in enumerate(zip(program.types(), flags))}
            np.savez(folder / "in.npz", **arrays)
            alone = {device: run(folder, folder / "scan.mlir", device) for device in ("reference", "cpu")}
            for device in alone:
                made = run(folder, folder / "batched.mlir", device)
                for i, (x, (_, kind, number)) in enumerate(zip(made, program.results)):
                    # The signs of factors, and the order of eigenvalues, are those of an implementation.
                    is_factor = re.search(r"tx\.(svd|eigh|eig)\b", all_cases[number][1].text)
                    y = alone[device if is_factor else "reference"][i]
                    exact = not np.issubdtype(y.dtype, np.inexact)
                    if x.shape != y.shape or not (np.array_equal(x, y) if exact else np.allclose(x, y, 1e-4, 1e-5, equal_nan=True)):
                        own = [f for f, (n, _) in zip(flags, program.arguments) if n.startswith(f"%c{number}_")]
                        print(f"{all_cases[number][1].text} on {device} with a batch in {own}: {x.ravel()[:4]}, not {y.ravel()[:4]}")
                        wrong += 1
    print(f"{len(all_cases)} ops, {wrong} wrong")
    sys.exit(wrong > 0 or not all_cases)


main()
