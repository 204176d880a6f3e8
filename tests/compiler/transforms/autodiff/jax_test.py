#!/usr/bin/env python3
"""Derivatives of ops against JAX, where it is installed: jax_test.py TENSORC TENSORC_OPT.

One program sums all ops, each of arguments of its own, so one gradient has the first derivatives of all, and the gradient of
its sum their second ones. --tx-batch of the gradient is judged by jax.vmap of jax.grad. Every element is a case. The last
elements of arguments are where functions have kinks; EXPLAINED lists the ops whose derivatives differ there.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

try:
    import jax
    import jax.numpy as jnp
    from jax import lax
except ImportError:
    print("JAX is not installed")
    sys.exit(77)

jax.config.update("jax_enable_x64", True)
TENSORC, TENSORC_OPT = sys.argv[1:3]
POINTS, BATCH, KINKS = 40, 3, 4
V, M = f"tensor<{POINTS}xf64>", "tensor<6x5xf64>"
DRAW = {
    "": lambda r, s: r.normal(size=s) * 1.5, "p": lambda r, s: r.uniform(0.3, 3, s),
    "q": lambda r, s: r.uniform(1.3, 3, s), "u": lambda r, s: r.uniform(-0.9, 0.9, s),
}  # fmt: skip
# Kinks, where both sides are right: docs/gradients.md says what ours are.
EXPLAINED = {
    "abs": "0 at 0, as PyTorch; JAX gives 1",
    "softsign": "its slope has a kink at 0, where the second derivative is between the two; JAX gives that from the right",
    "atan2": "0 at (0, 0), as PyTorch; JAX gives NaN",
    "hypot": "of two zeros NaN, as the root of 0 has no finite slope; JAX gives a half",
}
UNARY = {
    "neg": jnp.negative, "abs": jnp.abs, "exp": jnp.exp, "exp2": jnp.exp2, "expm1": jnp.expm1, "log:p": jnp.log,
    "log2:p": jnp.log2, "log10:p": jnp.log10, "log1p:p": jnp.log1p, "sqrt:p": jnp.sqrt, "rsqrt:p": lax.rsqrt, "cbrt:p": jnp.cbrt,
    "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "asin:u": jnp.arcsin, "acos:u": jnp.arccos, "atan": jnp.arctan,
    "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh, "asinh": jnp.arcsinh, "acosh:q": jnp.arccosh, "atanh:u": jnp.arctanh,
    "erf": lax.erf, "sigmoid": jax.nn.sigmoid, "floor": jnp.floor, "ceil": jnp.ceil, "trunc": jnp.trunc, "round_even": jnp.round,
    "sign": jnp.sign, "relu": jax.nn.relu, "silu": jax.nn.silu, "gelu": lambda x: jax.nn.gelu(x, approximate=False),
    "mish": jax.nn.mish, "hardswish": jax.nn.hard_swish, "softsign": jax.nn.soft_sign, "logsigmoid": jax.nn.log_sigmoid,
    "softplus": jax.nn.softplus,
}  # fmt: skip
BINARY = {
    "add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply, "div:p": jnp.divide, "max": jnp.maximum, "min": jnp.minimum,
    "pow:p": jnp.power, "atan2": jnp.arctan2, "hypot": jnp.hypot, "logaddexp": jnp.logaddexp, "rem:p": lax.rem, "mod:p": jnp.mod,
    "copysign:p": jnp.copysign,
}  # fmt: skip
CUMULATIVE = {"cumsum": lax.cumsum, "cumprod": lax.cumprod, "cummax": lax.cummax, "cummin": lax.cummin, "logcumsumexp": lax.cumlogsumexp}


def weights(shape):
    return np.cos(np.arange(np.prod(shape, dtype=int), dtype=np.float64)).reshape(shape) + 1.5


def weighted(f):
    """A function of several outputs per input, summed with weights that differ."""

    def sum_of(*x):
        y = f(*x)
        return jnp.sum(y * weights(y.shape))

    return sum_of


def cases():
    """name -> (text that ends in %r, types of the arguments, type of %r, letter, function of JAX)"""
    for word, f in UNARY.items():
        name, _, letter = word.partition(":")
        kind = f"({V}) -> {V}" if name == "softplus" else V
        yield name, (f"%r = tx.{name} %x : {kind}", [V], V, letter, f)
    for word, f in BINARY.items():
        name, _, letter = word.partition(":")
        yield name, (f"%r = tx.{name} %x, %y : {V}", [V, V], V, letter, f)
    yield "fma", (f"%r = tx.fma %x, %y, %z : {V}", [V, V, V], V, "", lambda x, y, z: x * y + z)
    yield "select", (f"%p = tx.lt %x, %y : {V}\n%r = tx.select %p, %x, %z : tensor<{POINTS}xi1>, {V}", [V, V, V], V, "",
                     lambda x, y, z: jnp.where(x < y, x, z))  # fmt: skip
    for name, f in {"sum": jnp.sum, "prod": jnp.prod, "reduce_max": jnp.max, "reduce_min": jnp.min}.items():
        yield name, (f"%r = tx.{name} %x dims = [1] : {M} -> tensor<6xf64>", [M], "tensor<6xf64>", "", lambda x, f=f: f(x, axis=1))
    for name, f in {"mean": jnp.mean, "logsumexp": jax.nn.logsumexp}.items():
        yield name, (f"%r = tx.{name} %x dims = [1] : ({M}) -> tensor<6xf64>", [M], "tensor<6xf64>", "", lambda x, f=f: f(x, axis=1))
    for name, f in CUMULATIVE.items():
        for words in ("", " reverse"):
            yield name + words, (f"%r = tx.{name} %x dim = 1{words} : {M}", [M], M, "",
                                 lambda x, f=f, reverse=bool(words): f(x, axis=1, reverse=reverse))  # fmt: skip
    yield "sort", (f"%r = tx.sort %x dim = 1 : {M}", [M], M, "", lambda x: jnp.sort(x, axis=1))
    yield "softmax", (f"%r = tx.softmax %x dim = 1 : {M}", [M], M, "", lambda x: jax.nn.softmax(x, axis=1))
    yield "log_softmax", (f"%r = tx.log_softmax %x dim = 1 : {M}", [M], M, "", lambda x: jax.nn.log_softmax(x, axis=1))
    yield "transpose", (f"%r = tx.transpose %x permutation = [1, 0] : {M} -> tensor<5x6xf64>", [M], "tensor<5x6xf64>", "", jnp.transpose)
    yield "slice", (f"%r = tx.slice %x offsets = [1, 4] strides = [2, -2] : {M} -> tensor<3x3xf64>", [M], "tensor<3x3xf64>", "",
                    lambda x: x[1::2, ::-2])  # fmt: skip
    yield "pad", (f"%r = tx.pad %x, %y low = [1, -1] high = [0, 2] interior = [1, 0] : {M} -> tensor<12x6xf64>", [M, "tensor<f64>"],
                  "tensor<12x6xf64>", "", lambda x, y: lax.pad(x, y, [(1, 0, 1), (-1, 2, 0)]))  # fmt: skip
    yield "dot_general", (f"%r = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1] : ({M}, {M}) -> tensor<6x6xf64>",
                          [M, M], "tensor<6x6xf64>", "", lambda x, y: x @ y.T)  # fmt: skip
    yield "gather", ("%k = tx.constant dense<[4, 0, 4, 1]> : tensor<4xi64>\n%r = tx.gather %x, %k offset_dims = [1] "
                     "collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 5] : "
                     f"({M}, tensor<4xi64>) -> tensor<4x5xf64>", [M], "tensor<4x5xf64>", "",
                     lambda x: x[np.array([4, 0, 4, 1])])  # fmt: skip
    yield "scatter", ('%k = tx.constant dense<[4, 0, 4]> : tensor<3xi64>\n%r = tx.scatter "add" %x, %k, %y update_window_dims = [1] '
                      "inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : "
                      f"({M}, tensor<3xi64>, tensor<3x5xf64>) -> {M}", [M, "tensor<3x5xf64>"], M, "",
                      lambda x, y: x.at[np.array([4, 0, 4])].add(y))  # fmt: skip
    yield "conv", ("%r = tx.conv %x, %y groups = 1 sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] input_dilations "
                   "= [1] : (tensor<2x4x9xf64>, tensor<5x4x3xf64>) -> tensor<2x5x5xf64>", ["tensor<2x4x9xf64>", "tensor<5x4x3xf64>"],
                   "tensor<2x5x5xf64>", "", lambda x, k: lax.conv_general_dilated(x, k, (2,), [(1, 1)]))  # fmt: skip
    yield "conv groups", ("%r = tx.conv %x, %y groups = 2 sizes = [3] strides = [3] dilations = [2] low = [2] high = [1] input_dilations "
                          "= [1] : (tensor<2x4x9xf64>, tensor<6x2x3xf64>) -> tensor<2x6x3xf64>",
                          ["tensor<2x4x9xf64>", "tensor<6x2x3xf64>"], "tensor<2x6x3xf64>", "",
                          lambda x, k: lax.conv_general_dilated(x, k, (3,), [(2, 1)], rhs_dilation=(2,), feature_group_count=2))  # fmt: skip
    yield "conv channels last", ("%r = tx.conv %x, %y channels_last groups = 1 sizes = [3] strides = [2] dilations = [1] low = [0] high = "
                                 "[1] input_dilations = [1] : (tensor<2x9x4xf64>, tensor<3x4x17xf64>) -> tensor<2x4x17xf64>",
                                 ["tensor<2x9x4xf64>", "tensor<3x4x17xf64>"], "tensor<2x4x17xf64>", "",
                                 lambda x, k: lax.conv_general_dilated(x, k, (2,), [(0, 1)], dimension_numbers=("NHC", "HIO", "NHC")))  # fmt: skip
    yield "conv_transpose", ("%r = tx.conv_transpose %x, %y groups = 1 sizes = [3] strides = [1] dilations = [1] low = [2] high = [2] "
                             "input_dilations = [2] : (tensor<2x4x5xf64>, tensor<4x5x3xf64>) -> tensor<2x5x11xf64>",
                             ["tensor<2x4x5xf64>", "tensor<4x5x3xf64>"], "tensor<2x5x11xf64>", "", lambda x, k: lax.conv_general_dilated(
                                 x, k[:, :, ::-1].swapaxes(0, 1), (1,), [(2, 2)], lhs_dilation=(2,)))  # fmt: skip


def shape_of(kind):
    return [int(d) for d in re.findall(r"(\d+)x", kind)]


class Program:
    """The sum of all cases."""

    def __init__(self):
        self.arguments, self.body, self.jax = [], "%total0 = tx.constant dense<0.0> : tensor<f64>\n", []
        self.letters = []
        for number, (name, (text, types, result, letter, f)) in enumerate(cases()):
            own = [f"%c{number}_{x}" for x in "xyz"[: len(types)]]
            text = re.sub(r"%([a-z])\b", rf"%c{number}_\1", text)
            dims, shape = list(range(len(shape_of(result)))), shape_of(result)
            numbers = ", ".join(f"{w!r}" for w in weights(shape).ravel().tolist())
            self.body += (
                f"{text}\n%w{number} = tx.constant dense<[{numbers}]> : tensor<{len(weights(shape).ravel())}xf64>\n"
                f"%v{number} = tx.reshape %w{number} : tensor<{len(weights(shape).ravel())}xf64> -> {result}\n"
                f"%m{number} = tx.mul %c{number}_r, %v{number} : {result}\n"
                f"%s{number} = tx.sum %m{number} dims = {dims} : {result} -> tensor<f64>\n"
                f"%total{number + 1} = tx.add %total{number}, %s{number} : tensor<f64>\n")  # fmt: skip
            self.jax.append((name, len(types), weighted(f)))
            for argument, kind in zip(own, types):
                self.arguments.append((argument, kind))
                self.letters.append(letter)
        self.count = number + 1

    def text(self):
        arguments = ", ".join(f"{n}: {t}" for n, t in self.arguments)
        return f"func.func @main({arguments}) -> tensor<f64> {{\n{self.body}return %total{self.count} : tensor<f64>\n}}\n"

    def per_case(self, arrays, derivative):
        """The derivative of each case's function by its arguments, as one list."""
        out, first = [], 0
        for _, count, f in self.jax:
            out += derivative(f, count)(*arrays[first : first + count])
            first += count
        return [np.asarray(x) for x in out]


def sum_of_gradients(step):
    """The program `step`, returning the sum of the gradients alone."""
    _, values, types = re.search(r"^ *(return) (.*) : (.*)$", step, re.M).groups()
    lines, total = "", "%allzero"
    for i, (value, kind) in enumerate(list(zip(values.split(", "), re.findall(r"tensor<[^>]*>", types)))[1:]):
        dims = list(range(len(shape_of(kind))))
        lines += f"%all{i} = tx.sum {value} dims = {dims} : {kind} -> tensor<f64>\n" if dims else f"%all{i} = tx.neg {value} : {kind}\n"
        lines += f"%allt{i} = tx.{'add' if dims else 'sub'} {total}, %all{i} : tensor<f64>\n"
        total = f"%allt{i}"
    lines = "%allzero = tx.constant dense<0.0> : tensor<f64>\n" + lines
    step = re.sub(r"^ *return .*$", lambda _: lines + f"return {total} : tensor<f64>", step, flags=re.M)
    return re.sub(r"^( *func.func .*\)) -> \(.*\) \{$", r"\1 -> tensor<f64> {", step, flags=re.M)


def tensorc(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))[:500]}: {done.stdout[:500]}{done.stderr[:2000]}")
    return done.stdout


def gradients_of(folder, program, arrays, name="run"):
    """What a program returns for these arguments, without the first result."""
    out = folder / f"out-{name}"
    np.savez(folder / "in.npz", **{f"arg{i}": x for i, x in enumerate(arrays)})
    tensorc(TENSORC, "run", program, f"--input={folder / 'in.npz'}", f"--output-dir={out}")
    found = {path.stem: np.load(path) for path in out.iterdir()}
    return [found[f"grad_arg{i}"] for i in range(len(arrays))] if "grad_arg0" in found else [
        found[f"out{i + 1}"] for i in range(len(arrays))]  # fmt: skip


class Judge:
    def __init__(self, program):
        self.program, self.cases, self.wrong, self.explained = program, 0, 0, 0

    def compare(self, what, made, expected):
        place = 0
        for name, count, _ in self.program.jax:
            for x, y in zip(made[place : place + count], expected[place : place + count]):
                bad = ~np.isclose(x, y, 1e-6, 1e-8, equal_nan=True)
                self.cases += x.size
                if name in EXPLAINED and x.shape == (POINTS,):
                    self.explained += bad[-KINKS:].sum()
                    bad[-KINKS:] = False
                if bad.any():
                    self.wrong += bad.sum()
                    print(f"{what} of {name}: {bad.sum()} of {bad.size}, {x[bad][:3]}, JAX {y[bad][:3]}")
            place += count


def main():
    program, random = Program(), np.random.default_rng(3)
    draw = lambda front: [  # noqa: E731
        np.asarray(DRAW[letter](random, front + shape_of(t))) for (_, t), letter in zip(program.arguments, program.letters)]
    arrays = draw([])
    for x, letter in zip(arrays, program.letters):
        if letter == "" and x.shape == (POINTS,):
            x[-KINKS:] = [0.0, 1.0, -1.0, 2.0]  # kinks, and equal operands
    judge = Judge(program)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "loss.mlir").write_text(program.text())
        wrt = "--wrt=" + ",".join(f"arg{i}" for i in range(len(arrays)))
        step = folder / "step.mlir"
        tensorc(TENSORC, "differentiate", folder / "loss.mlir", wrt, "-o", step)
        judge.compare("first derivative", gradients_of(folder, step, arrays),
                      program.per_case(arrays, lambda f, n: jax.grad(f, tuple(range(n)))))  # fmt: skip
        (folder / "gradients.mlir").write_text(sum_of_gradients(step.read_text()))
        tensorc(TENSORC, "differentiate", folder / "gradients.mlir", wrt, "-o", folder / "second.mlir")

        def second(f, n):
            total = lambda *x: sum(jnp.sum(g) for g in jax.grad(f, tuple(range(n)))(*x))  # noqa: E731
            return jax.grad(total, tuple(range(n)))

        judge.compare("second derivative", gradients_of(folder, folder / "second.mlir", arrays, "second"), program.per_case(arrays, second))
        text = tensorc(TENSORC_OPT, step, f"--tx-batch=entry=main_gradient size={BATCH}")
        text = re.sub(r"  func\.func @main_gradient\(.*?\n  }\n", "", text, flags=re.S).replace("@main_gradient_batched", "@main")
        (folder / "batched.mlir").write_text(text)
        many = draw([BATCH])
        judge.compare("vmap of the gradient", gradients_of(folder, folder / "batched.mlir", many, "batched"),
                      program.per_case(many, lambda f, n: jax.vmap(jax.grad(f, tuple(range(n))))))  # fmt: skip
    print(f"{judge.cases} derivatives of {len(program.jax)} functions: {judge.wrong} wrong, {judge.explained} differ at kinks as EXPLAINED says")
    sys.exit(judge.wrong > 0)


main()
