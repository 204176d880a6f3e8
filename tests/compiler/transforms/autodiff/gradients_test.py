#!/usr/bin/env python3
"""The gradient of every op against differences in f64: gradients_test.py TENSORC_TEST_SERVER [--first] [NAME].

A case is a piece of tx text that ends in %r. Its loss is the sum of %r times weights that differ from element to
element; the gradient along a random direction must be the difference quotient along it. The same again for a loss
that is a weighted sum of the gradients: second derivatives, which --first leaves out.
"""

import pathlib
import re
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "onnx"))
from server import Server  # noqa: E402

SERVER, FIRST, ONLY = Server(sys.argv[1]), "--first" in sys.argv, [name for name in sys.argv[2:] if name != "--first"]
V, M = "tensor<7xf64>", "tensor<3x4xf64>"
UNARY = """neg abs exp exp2 expm1 log:p log2:p log10:p log1p:p sqrt:p rsqrt:p cbrt sin cos tan asin:u acos:u atan sinh
cosh tanh asinh acosh:q atanh:u erf sigmoid floor ceil trunc round_even sign erfc erfcx erfinv:u ndtr log_ndtr ndtri:v
lgamma:p digamma:p bessel_i0 bessel_i0e bessel_i1 bessel_i1e sinc log1mexp:p logit:v entr:p""".split()
BINARY = "add sub mul div:q max min pow:p atan2 hypot logaddexp rem:p mod:p copysign floor_div xlogy:p xlog1py:p".split()
DRAW = {  # the values of arguments, by the letter behind a case's name
    "": lambda r, s: r.normal(size=s) * 1.5, "p": lambda r, s: r.uniform(0.3, 3, s),
    "q": lambda r, s: r.uniform(1.3, 3, s), "u": lambda r, s: r.uniform(-0.9, 0.9, s),
    "v": lambda r, s: r.uniform(0.1, 0.9, s),
}  # fmt: skip
REDUCTIONS = ["sum", "prod", "reduce_max", "reduce_min"]
SCANS = ["cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"]


def dot(x, y, r, batch, contracting):
    return (f"%r = tx.dot_general %x, %y batch = {batch} contracting = {contracting} : ({x}, {y}) -> {r}", [x, y], r)


def linear_algebra():
    square, tall, sides = "tensor<4x4xf64>", "tensor<5x3xf64>", "tensor<4x2xf64>"
    many = "tensor<2x4x4xf64>"
    positive = (f"%p = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1] : ({square}, {square}) -> {square}\n"
                f"%i = tx.constant dense<[[3.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0], [0.0, 0.0, 5.0, 0.0], [0.0, 0.0, 0.0, 6.0]]> "
                f": {square}\n%a = tx.add %p, %i : {square}\n")  # fmt: skip
    for name in ("cholesky", "cholesky upper"):
        op, _, option = name.partition(" ")
        yield name.replace(" ", "_"), (f"{positive}%r = tx.{op} %a {option} : ({square}) -> {square}", [square], square, "")
    yield "cholesky_lower_triangle", (
        f"%d = tx.constant dense<[[19.0, 0.0, 0.0, 0.0], [0.0, 18.0, 0.0, 0.0], [0.0, 0.0, 17.0, 0.0], [0.0, 0.0, 0.0, 16.0]]> "
        f": {square}\n%a = tx.add %x, %d : {square}\n%r = tx.cholesky %a : ({square}) -> {square}", [square], square, "")  # fmt: skip
    yield "solve", (f"%r = tx.solve %x, %y : ({square}, {sides}) -> {sides}", [square, sides], sides, "")
    for words in ("", "upper", "transposed", "upper transposed", "unit", "upper transposed unit"):
        yield "triangular_solve_" + words.replace(" ", "_"), (
            f"%r = tx.triangular_solve %x, %y {words} : ({square}, {sides}) -> {sides}", [square, sides], sides, "q")  # fmt: skip
    yield "tridiagonal_solve", (f"%r = tx.tridiagonal_solve %x, %y : (tensor<3x4xf64>, {sides}) -> {sides}",
                                ["tensor<3x4xf64>", sides], sides, "")  # fmt: skip
    yield "cholesky_info", (f"{positive}%r = tx.cholesky %a info : ({square}) -> tensor<4x5xf64>", [square], "tensor<4x5xf64>", "")
    for name, rows, columns in (("lu", 4, 4), ("lu_tall", 5, 3), ("lu_wide", 3, 5)):
        x, y = f"tensor<{rows}x{columns}xf64>", f"tensor<{rows}x{columns + 1}xf64>"
        yield name, (f"%r = tx.lu %x : ({x}) -> {y}", [x], y, "")
    yield "determinant", (f"%r = tx.determinant %x : ({many}) -> tensor<2xf64>", [many], "tensor<2xf64>", "")
    yield "determinant_logarithm", (f"%r = tx.determinant %x logarithm : ({many}) -> tensor<2x2xf64>", [many], "tensor<2x2xf64>", "")
    yield "cofactors", (f"%r = tx.cofactors %x : ({many}) -> {many}", [many], many, "")
    yield "qr", (f"%r = tx.qr %x : ({tall}) -> tensor<5x6xf64>", [tall], "tensor<5x6xf64>", "")
    yield "svd", (f"%r = tx.svd %x : ({tall}) -> tensor<9x3xf64>", [tall], "tensor<9x3xf64>", "")
    yield "svd_wide", ("%r = tx.svd %x : (tensor<3x5xf64>) -> tensor<9x3xf64>", ["tensor<3x5xf64>"], "tensor<9x3xf64>", "")
    yield "eigh", (f"%r = tx.eigh %x : ({square}) -> tensor<5x4xf64>", [square], "tensor<5x4xf64>", "")


def cases():
    """name -> (text, types of the arguments x, y, z, type of %r, letter)"""
    for word in UNARY:
        name, _, letter = word.partition(":")
        yield name, (f"%r = tx.{name} %x : {V}", [V], V, letter)
    for word in BINARY:
        name, _, letter = word.partition(":")
        yield name, (f"%r = tx.{name} %x, %y : {V}", [V, V], V, letter)
    order = f"%a = tx.constant dense<[1.0, 2.0, 3.0, 0.5, 4.0, 1.5, 2.5]> : {V}\n%n = tx.round_even %a : {V}\n"
    order += f"%o = tx.constant dense<1.0> : {V}\n%k = tx.max %n, %o : {V}\n"
    for name in ("gammainc", "gammaincc"):
        yield name, (f"{order}%r = tx.{name} %a, %x : {V}", [V], V, "p")
    yield "polygamma", (f"{order}%r = tx.polygamma %k, %x : {V}", [V], V, "p")
    yield "zeta", (f"{order}%s = tx.add %k, %o : {V}\n%r = tx.zeta %s, %x : {V}", [V], V, "p")
    yield "betainc", (f"{order}%r = tx.betainc %a, %k, %x : {V}", [V], V, "v")
    yield from linear_algebra()
    yield "fma", (f"%r = tx.fma %x, %y, %z : {V}", [V, V, V], V, "")
    yield "clamp", (f"%r = tx.clamp %x, %y, %z : {V}", [V, V, V], V, "")
    yield "select", (f"%p = tx.lt %x, %y : {V}\n%r = tx.select %p, %x, %z : tensor<7xi1>, {V}", [V, V, V], V, "")
    yield "convert", (f"%h = tx.convert %x : {V} -> tensor<7xf32>\n%r = tx.convert %h : tensor<7xf32> -> {V}", [V], V, "")
    yield "twice", (f"%a = tx.mul %x, %x : {V}\n%b = tx.mul %a, %x : {V}\n%r = tx.add %a, %b : {V}", [V], V, "")
    yield "broadcast", (f"%r = tx.broadcast %x dims = [0, 2] : tensor<1x4xf64> -> tensor<3x2x4xf64>",
                        ["tensor<1x4xf64>"], "tensor<3x2x4xf64>", "")  # fmt: skip
    yield "reshape", (f"%r = tx.reshape %x : {M} -> tensor<2x6xf64>", [M], "tensor<2x6xf64>", "")
    yield "transpose", ("%r = tx.transpose %x permutation = [2, 0, 1] : tensor<2x3x4xf64> -> tensor<4x2x3xf64>",
                        ["tensor<2x3x4xf64>"], "tensor<4x2x3xf64>", "")  # fmt: skip
    for name, offset, stride, count in [("slice", 1, 2, 3), ("slice_back", 6, -2, 3), ("slice_all", 0, 1, 7)]:
        yield name, (f"%r = tx.slice %x offsets = [{offset}] strides = [{stride}] : {V} -> tensor<{count}xf64>",
                     [V], f"tensor<{count}xf64>", "")  # fmt: skip
    for name, stride in [("slice_none", 2), ("slice_none_back", -2)]:
        yield name, (f"%s = tx.slice %x offsets = [3] strides = [{stride}] : {V} -> tensor<0xf64>\n%t = tx.sum %s dims = [0] : "
                     f"tensor<0xf64> -> tensor<f64>\n%b = tx.broadcast %t dims = [] : tensor<f64> -> {V}\n%r = tx.add %b, %x : {V}",
                     [V], V, "")  # fmt: skip
    for name, low, high, gap, count in [("pad", 2, 1, 2, 22), ("pad_cut", -2, 1, 0, 6), ("pad_cut_gaps", -3, -2, 1, 8)]:
        yield name, (f"%r = tx.pad %x, %y low = [{low}] high = [{high}] interior = [{gap}] : {V} -> tensor<{count}xf64>",
                     [V, "tensor<f64>"], f"tensor<{count}xf64>", "")  # fmt: skip
    yield "concatenate", (f"%r = tx.concatenate %x, %y, %x dim = 1 : ({M}, tensor<3x2xf64>, {M}) -> tensor<3x10xf64>",
                          [M, "tensor<3x2xf64>"], "tensor<3x10xf64>", "")  # fmt: skip
    yield "windows", ("%r = tx.windows %x dims = [1, 2] sizes = [2, 3] strides = [2, 1] dilations = [1, 2] : "
                      "tensor<2x6x7xf64> -> tensor<2x3x3x2x3xf64>", ["tensor<2x6x7xf64>"], "tensor<2x3x3x2x3xf64>", "")  # fmt: skip
    for name in REDUCTIONS:
        yield name, (f"%r = tx.{name} %x dims = [0, 2] : tensor<2x3x4xf64> -> tensor<3xf64>", ["tensor<2x3x4xf64>"], "tensor<3xf64>", "")
    yield "prod_zero", ("%i = tx.iota dim = 0 : tensor<7xf64>\n%a = tx.mul %x, %i : tensor<7xf64>\n"
                        "%r = tx.prod %a dims = [0] : tensor<7xf64> -> tensor<f64>", [V], "tensor<f64>", "")  # fmt: skip
    for name in SCANS:
        for words in ("", " reverse", " exclusive", " reverse exclusive"):
            if "exclusive" in words and name in ("cummax", "cummin", "logcumsumexp"):
                body = (f"%a = tx.{name} %x dim = 1{words} : {M}\n%f = tx.is_finite %a : {M}\n"
                        f"%r = tx.select %f, %a, %x : tensor<3x4xi1>, {M}")  # fmt: skip
            else:
                body = f"%r = tx.{name} %x dim = 1{words} : {M}"
            yield name + words.replace(" ", "_"), (body, [M], M, "")
    yield "cumprod_zero", (f"%i = tx.iota dim = 1 : {M}\n%a = tx.mul %x, %i : {M}\n%r = tx.cumprod %a dim = 1 : {M}", [M], M, "")
    yield "sort", (f"%r = tx.sort %x dim = 0 descending : {M}", [M], M, "")
    yield "matmul", (*dot(M, "tensor<4x5xf64>", "tensor<3x5xf64>", "[] x []", "[1] x [0]"), "")
    yield "dot_batch", (*dot("tensor<3x2x4x5xf64>", "tensor<5x4x2x6xf64>", "tensor<2x3x6xf64>", "[1] x [2]", "[3, 2] x [0, 1]"), "")
    yield "dot_swapped", (*dot("tensor<4x5x3xf64>", "tensor<5x4xf64>", "tensor<3xf64>", "[] x []", "[0, 1] x [1, 0]"), "")
    yield "dot_order", (*dot("tensor<4x5x3xf64>", "tensor<5x6x4xf64>", "tensor<3x6xf64>", "[] x []", "[1, 0] x [0, 2]"), "")
    index = "%k = tx.constant dense<[4, 0, 4, 9, -3]> : tensor<5xi64>\n"
    yield "gather", (index + "%r = tx.gather %x, %k offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] "
                     "index_vector_dim = 1 slice_sizes = [1, 4] : (tensor<6x4xf64>, tensor<5xi64>) -> tensor<5x4xf64>",
                     ["tensor<6x4xf64>"], "tensor<5x4xf64>", "")  # fmt: skip
    pairs = "%k = tx.constant dense<[[4, 1], [0, 9], [4, 1]]> : tensor<3x2xi32>\n"
    beyond = "%k = tx.constant dense<[18446744073709551615, 1]> : tensor<2xui64>\n"
    yield "gather_beyond_i64", (beyond + "%r = tx.gather %x, %k offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] "
                                "index_vector_dim = 1 slice_sizes = [1, 4] : (tensor<6x4xf64>, tensor<2xui64>) -> tensor<2x4xf64>",
                                ["tensor<6x4xf64>"], "tensor<2x4xf64>", "")  # fmt: skip
    yield "gather_pairs", (pairs + "%r = tx.gather %x, %k offset_dims = [1] collapsed_slice_dims = [0] start_index_map = "
                           "[0, 1] index_vector_dim = 1 slice_sizes = [1, 2] : (tensor<6x4xf64>, tensor<3x2xi32>) -> "
                           "tensor<3x2xf64>", ["tensor<6x4xf64>"], "tensor<3x2xf64>", "")  # fmt: skip
    apart = "%k = tx.constant dense<[4, 0, 5, -1, 3]> : tensor<5xi64>\n"
    for kind in ("set", "add", "mul", "min", "max"):
        yield f"scatter_{kind}", (
            index + f'%r = tx.scatter "{kind}" %x, %k, %y update_window_dims = [1] inserted_window_dims = [0] '
            "scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<6x4xf64>, tensor<5xi64>, tensor<5x4xf64>) "
            "-> tensor<6x4xf64>", ["tensor<6x4xf64>", "tensor<5x4xf64>"], "tensor<6x4xf64>", "")  # fmt: skip
        # Windows may be shorter than x along a dim without an index.
        yield f"scatter_{kind}_part", (
            index + f'%r = tx.scatter "{kind}" %x, %k, %y update_window_dims = [1] inserted_window_dims = [0] '
            "scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<6x4xf64>, tensor<5xi64>, tensor<5x3xf64>) "
            "-> tensor<6x4xf64>", ["tensor<6x4xf64>", "tensor<5x3xf64>"], "tensor<6x4xf64>", "")  # fmt: skip
        # Of windows that are inside in part, the part counts.
        yield f"scatter_{kind}_windows", (
            apart + f'%r = tx.scatter "{kind}" %x, %k, %y update_window_dims = [1, 2] inserted_window_dims = [] '
            "scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<6x4xf64>, tensor<5xi64>, tensor<5x2x4xf64>) "
            "-> tensor<6x4xf64>", ["tensor<6x4xf64>", "tensor<5x2x4xf64>"], "tensor<6x4xf64>", "")  # fmt: skip
    start = "%i = tx.constant dense<2> : tensor<i64>\n%j = tx.constant dense<9> : tensor<i64>\n"
    yield "dynamic_slice", (start + "%r = tx.dynamic_slice %x[%i, %j] slice_sizes = [2, -1] : (tensor<6x4xf64>, tensor<i64>, "
                            "tensor<i64>) -> tensor<2x4xf64>", ["tensor<6x4xf64>"], "tensor<2x4xf64>", "")  # fmt: skip
    yield "dynamic_update_slice", (
        start + "%r = tx.dynamic_update_slice %x, %y[%i, %j] : (tensor<6x4xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) "
        "-> tensor<6x4xf64>", ["tensor<6x4xf64>", "tensor<2x3xf64>"], "tensor<6x4xf64>", "")  # fmt: skip
    zeros = f"%z = tx.constant dense<0.0> : {V}\n"
    yield "copysign_of_zeros", (zeros + f"%r = tx.copysign %x, %z : {V}", [V], V, "")
    for name in ("softmax", "log_softmax"):
        yield name, (f"%r = tx.{name} %x dim = 1 : {M}", [M], M, "")
    yield "softplus", (f"%r = tx.softplus %x beta %y : ({V}, tensor<f64>) -> {V}", [V, "tensor<f64>"], V, "")
    for words in ("", " inverse"):
        yield f"fft{words}", (f"%r = tx.fft %x length = 6{words} : tensor<2x3x6xf64>", ["tensor<2x3x6xf64>"], "tensor<2x3x6xf64>", "")
    yield "logsigmoid", (f"%r = tx.logsigmoid %x : {V}", [V], V, "")
    yield "gelu", (f"%r = tx.gelu %x : {V}", [V], V, "")
    for word in ("less", "more"):
        yield f"if_{word}", (
            f"%c = tx.constant dense<{-9.0 if word == 'less' else 9.0}> : tensor<f64>\n"
            f"%s = tx.sum %x dims = [0] : {V} -> tensor<f64>\n%p = tx.lt %s, %c : tensor<f64>\n"
            f"%r = tx.if %p (%x, %y) : tensor<i1>, ({V}, {V}) -> {V} {{\n^bb0(%a: {V}, %b: {V}):\n%t = tx.mul %a, %b : {V}\n"
            f"tx.return %t : {V}\n}} else {{\n^bb0(%a: {V}, %b: {V}):\n%t = tx.sin %a : {V}\ntx.return %t : {V}\n}}",
            [V, V], V, "")  # fmt: skip
    for number in range(3):
        yield f"switch_{number}", (
            f"%i = tx.constant dense<{number}> : tensor<i32>\n%r = tx.switch %i (%x, %y) : tensor<i32>, ({V}, {V}) -> {V} {{\n"
            + "}, {\n".join(f"^bb0(%a: {V}, %b: {V}):\n%t = {body} : {V}\ntx.return %t : {V}\n"
                            for body in ("tx.mul %a, %b", "tx.sin %a", "tx.div %b, %a"))
            + "}", [V, V], V, "")  # fmt: skip
    row = "tensor<4xf64>"
    for name, direction in [("scan", ""), ("scan_reverse", " reverse")]:
        yield name, (
            f"%s:2 = tx.scan <[3]> carried = 1 scanned = 1 (%z, %x, %y){direction} : ({row}, {M}, {row}) -> ({row}, {M}) {{\n"
            f"^bb0(%i: tensor<i64>, %c: {row}, %b: {row}, %w: {row}):\n%m = tx.mul %c, %w : {row}\n"
            f"%n = tx.add %m, %b : {row}\n%t = tx.tanh %n : {row}\n%q = tx.mul %t, %b : {row}\n"
            f"tx.return %t, %q : {row}, {row}\n}}\n%e = tx.broadcast %s#0 dims = [1] : {row} -> {M}\n%r = tx.add %e, %s#1 : {M}",
            [M, row, row], M, "")  # fmt: skip
    yield "scan_counted", (
        f"%r = tx.scan <[5]> carried = 1 scanned = 0 (%x, %y) : ({row}, {row}) -> {row} {{\n"
        f"^bb0(%i: tensor<i64>, %c: {row}, %w: {row}):\n%k = tx.convert %i : tensor<i64> -> tensor<f64>\n"
        f"%l = tx.broadcast %k dims = [] : tensor<f64> -> {row}\n%m = tx.mul %c, %w : {row}\n%n = tx.sin %m : {row}\n"
        f"%t = tx.add %n, %l : {row}\ntx.return %t : {row}\n}}", [row, row], row, "")  # fmt: skip


def dims(type):
    return [int(d) for d in re.findall(r"(\d+)x", type)]


def weighted_sum(value, type, to):
    """Text that makes %to, a f64, of a float tensor."""
    shape = dims(type)
    flat, every = f"tensor<{int(np.prod(shape, dtype=int))}xf64>", f"tensor<{'x'.join(map(str, [*shape, 'f64']))}>"
    return f"""%{to}_i = tx.iota dim = 0 : {flat}
%{to}_c = tx.cos %{to}_i : {flat}
%{to}_w = tx.reshape %{to}_c : {flat} -> {every}
%{to}_m = tx.mul {value}, %{to}_w : {every}
%{to}_f = tx.reshape %{to}_m : {every} -> {flat}
%{to} = tx.sum %{to}_f dims = [0] : {flat} -> tensor<f64>
"""


def loss_of(text, types, result):
    arguments = ", ".join(f'%{n}: {t} {{tx.name = "{n}"}}' for n, t in zip("xyz", types))
    return (f"func.func @main({arguments}) -> tensor<f64> {{\n{text}\n{weighted_sum('%r', result, 'loss')}"
            "return %loss : tensor<f64>\n}\n")  # fmt: skip


def loss_of_gradients(step):
    """The program `step`, returning a weighted sum of the gradients alone."""
    _, values, types = re.search(r"^ *(return) (.*) : (.*)$", step, re.M).groups()
    sums = [weighted_sum(v, t, f"sum{i}") for i, (v, t) in enumerate(zip(values.split(", "), types.split(", "))) if i]
    total = "%total0 = tx.constant dense<0.0> : tensor<f64>\n"
    for i in range(len(sums)):
        total += f"%total{i + 1} = tx.add %total{i}, %sum{i + 1} : tensor<f64>\n"
    step = re.sub(r"^ *return .*$", lambda _: "".join(sums) + total + f"return %total{len(sums)} : tensor<f64>", step, flags=re.M)
    return re.sub(r"^( *func.func .*\)) -> \(.*\) \{$", r"\1 -> tensor<f64> {", step, flags=re.M)


def tensorc(*words):
    status, text = SERVER.run([*map(str, words)])
    if status:
        sys.exit(f"{' '.join(map(str, words))}: {text}")
    if status is None:
        sys.exit(f"{' '.join(map(str, words))}: it crashed or took too long; {text}")


def run(folder, program, inputs):
    """name -> array"""
    words = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        words.append(f"--input={name}={folder / name}.npy")
    tensorc("run", program, *words, f"--output-dir={folder / 'out'}")
    return {path.stem: np.load(path) for path in (folder / "out").iterdir()}


class Case:
    def __init__(self, folder, text, types, result, letter):
        self.folder = folder
        random = np.random.default_rng(7)
        self.inputs = {n: np.asarray(DRAW[letter](random, dims(t))) for n, t in zip("xyz", types)}
        self.along = {n: random.normal(size=x.shape) for n, x in self.inputs.items()}
        self.is_rounded = "f32" in text

    def differs(self, loss):
        """How the gradient differs from differences, or None; the gradient's program."""
        program, gradient = self.folder / "loss.mlir", self.folder / "step.mlir"
        program.write_text(loss)
        tensorc("differentiate", program, "-o", gradient)
        out = run(self.folder, gradient, self.inputs)
        got = sum(np.sum(out[f"grad_{n}"] * v) for n, v in self.along.items())
        step = 1e-3 if self.is_rounded else 1e-6
        near = [{n: x + s * self.along[n] for n, x in self.inputs.items()} for s in (step, -step)]
        ends = [float(run(self.folder, program, inputs)["out0"]) for inputs in near]
        wanted = (ends[0] - ends[1]) / (2 * step)
        close = np.isclose(got, wanted, rtol=1e-3, atol=1e-3) if self.is_rounded else np.isclose(got, wanted, rtol=1e-6, atol=2e-7)
        return None if close else f"the gradient says {got:.9g}, differences {wanted:.9g}", gradient.read_text()


def main():
    count = failed = 0
    for name, (text, types, result, letter) in cases():
        if ONLY and name not in ONLY:
            continue
        with tempfile.TemporaryDirectory() as folder:
            case = Case(pathlib.Path(folder), text, types, result, letter)
            why, step = case.differs(loss_of(text, types, result))
            if not why and not case.is_rounded and not FIRST:
                why, _ = case.differs(loss_of_gradients(step))
                why = why and f"second derivative: {why}"
        count += 1
        if why:
            failed += 1
            print(f"{name}: {why}")
    print(f"{count} functions, {failed} wrong")
    sys.exit(failed > 0 or count == 0)


main()
