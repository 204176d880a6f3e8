"""The kinds of nodes: for each what it means (the judge), how it is recorded (the C interface), and its text (tx).

A class has three functions of a node: evaluate(node, *values) gives a Value or None where it makes no sense,
record(lib, node, *tensors) a tensor, and text(node, *operands) what stands behind `%n = `. An operand is a pair of a
name and a type.
"""

import numpy as np

from values import INTEGERS, Value, combined, correctly, inexact, is_float, rounded, unit

KINDS = {}


def kind(name):
    def register(cls):
        KINDS[name] = cls
        return cls

    return register


class Node:
    def __init__(self, kind, inputs, dtype, shape, **attributes):
        self.kind, self.inputs = kind, tuple(inputs)
        self.dtype, self.shape = dtype, tuple(int(n) for n in shape)
        self.attributes = attributes

    def __getattr__(self, name):
        try:
            return self.__dict__["attributes"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def type(self):
        return f"tensor<{''.join(f'{n}x' for n in self.shape)}{self.dtype}>"


def numbers(values):
    return "[" + ", ".join(str(int(v)) for v in values) + "]"


def spread(x, low, high):
    """The error of a monotonic function of x +- its error, from its values at both ends."""
    return np.maximum(np.abs(low - x), np.abs(high - x))


def with_signs(result, x, largest, any_of):
    """A largest or smallest element as IEEE 754 says: -0 is below 0, which NumPy leaves open. `any_of` goes the way of
    the result over what may have decided it."""
    if result.dtype.kind != "f":
        return result
    decides = any_of((x == 0) & (np.signbit(x) != largest))
    sign = np.where(decides != largest, np.float32(-1), np.float32(1))
    return np.where(result == 0, np.copysign(np.zeros_like(result), sign.astype(result.dtype)), result)


def extreme(x, y, largest):
    result = (np.maximum if largest else np.minimum)(x, y)
    both = np.stack(np.broadcast_arrays(x, y))
    return with_signs(result, both, largest, lambda d: np.any(d, axis=0))


# Element-wise ----------------------------------------------------------------------------------------------------

# Of functions, in half distances of neighbours: docs/numerics.md allows 2 ulp, 4 for some in f64.
ROUNDINGS = {"f16": 4, "bf16": 4, "f32": 5, "f64": 9}


def erf(x):
    from math import erf as of_one

    return np.vectorize(of_one, otypes=[np.float64])(x)


def flat(x):
    return np.ones_like(x)


EXACT_UNARY = {"neg": np.negative, "abs": np.abs}
STEPS = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round_even": np.rint, "sign": np.sign}
FUNCTIONS = {  # name: (function, least argument, largest argument, None or a bound of the slope)
    "exp": (np.exp, -20, 8, None), "exp2": (np.exp2, -20, 10, None), "expm1": (np.expm1, -20, 8, None),
    "log": (np.log, 0.01, 1e4, None), "log2": (np.log2, 0.01, 1e4, None), "log10": (np.log10, 0.01, 1e4, None),
    "log1p": (np.log1p, -0.9, 1e4, None), "sin": (np.sin, -1e3, 1e3, flat), "cos": (np.cos, -1e3, 1e3, flat),
    "tan": (np.tan, -1.2, 1.2, None), "asin": (np.arcsin, -0.95, 0.95, None), "acos": (np.arccos, -0.95, 0.95, None),
    "atan": (np.arctan, -1e4, 1e4, None), "sinh": (np.sinh, -8, 8, None), "cosh": (np.cosh, -8, 8, lambda x: np.sinh(x)),
    "tanh": (np.tanh, -1e4, 1e4, None), "asinh": (np.arcsinh, -1e4, 1e4, None),
    "acosh": (np.arccosh, 1.1, 1e4, None), "atanh": (np.arctanh, -0.95, 0.95, None),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), -600, 600, None), "erf": (erf, -1e4, 1e4, None),
    "cbrt": (np.cbrt, 0.01, 1e4, None), "sqrt": (np.sqrt, 0.01, 1e4, None), "rsqrt": (lambda x: 1 / np.sqrt(x), 0.01, 1e4, None),
}  # fmt: skip
CORRECT = {"sqrt"}


def of_unary_int(name, x):
    if name == "not":
        return np.logical_not(x) if x.dtype == bool else np.invert(x)
    if name == "sign":
        return np.sign(x).astype(x.dtype)
    if name in ("neg", "abs"):
        with np.errstate(over="ignore"):
            return EXACT_UNARY[name](x).astype(x.dtype)
    width = 8 * x.dtype.itemsize
    bits = x.astype(np.int64).astype(np.uint64) & np.uint64(2**width - 1)
    if name == "popcount":
        return np.array([int(b).bit_count() for b in bits.reshape(-1)], x.dtype).reshape(x.shape)
    return np.array([width - int(b).bit_length() for b in bits.reshape(-1)], x.dtype).reshape(x.shape)


API = {"max": "maximum", "min": "minimum", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
       "not": "bitwise_not"}  # fmt: skip


class Elementwise:
    @staticmethod
    def record(lib, node, *operands):
        return lib.elementwise(API.get(node.name, node.name), *operands)

    @staticmethod
    def text(node, *operands):
        return f"tx.{node.name} {', '.join(name for name, _ in operands)} : {operands[0][1]}"


@kind("unary")
class Unary(Elementwise):
    @staticmethod
    def evaluate(node, x):
        name = node.name
        if not is_float(x.dtype):
            return Value(x.dtype, of_unary_int(name, x.data))
        if name in EXACT_UNARY:
            return Value(x.dtype, EXACT_UNARY[name](x.data), x.error)
        if name in STEPS:
            return Value(x.dtype, STEPS[name](x.data)) if x.is_exact else None
        function, least, largest, slope = FUNCTIONS[name]
        e = x.errors()
        if x.data.size and (np.min(x.data - e) < least or np.max(x.data + e) > largest):
            return None
        y = function(x.data)
        if name in CORRECT and x.is_exact:
            return correctly(x.dtype, y)
        error = np.abs(slope(np.abs(x.data) + e)) * e if slope else spread(y, function(x.data - e), function(x.data + e))
        return inexact(x.dtype, y, error, 1 if name in CORRECT else ROUNDINGS[x.dtype])


@kind("test")
class Test(Elementwise):
    """is_nan, is_inf, is_finite of numbers."""

    @staticmethod
    def evaluate(node, x):
        return Value("i1", np.full(x.shape, node.name == "is_finite"))


def divided(x, y):
    """Toward zero; by zero 0; the smallest by -1 stays."""
    safe = np.where(y == 0, np.ones_like(y), y)
    with np.errstate(all="ignore"):
        if x.dtype.kind == "u":
            quotient = x // safe
        else:
            quotient = np.where(safe == -1, np.negative(x), (x - np.fmod(x, safe)) // safe)
        return np.where(y == 0, np.zeros_like(x), quotient).astype(x.dtype)


def of_shift(name, x, y):
    width = 8 * x.dtype.itemsize
    amount = y.astype(np.int64).astype(np.uint64) & np.uint64(2**width - 1)  # unsigned
    whole = amount >= width
    amount = np.where(whole, np.uint64(0), amount).astype(np.uint64)
    signed = np.dtype(f"i{x.dtype.itemsize}")
    unsigned = np.dtype(f"u{x.dtype.itemsize}")
    if name == "shl":
        return np.where(whole, 0, x.view(unsigned) << amount.astype(unsigned)).astype(unsigned).view(x.dtype)
    if name == "shr_logical":
        return np.where(whole, 0, x.view(unsigned) >> amount.astype(unsigned)).astype(unsigned).view(x.dtype)
    amount = np.where(whole, width - 1, amount).astype(signed)
    return (x.view(signed) >> amount).view(x.dtype)


def of_binary_int(name, x, y):
    simple = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "max": np.maximum, "min": np.minimum,
              "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "gcd": np.gcd, "lcm": np.lcm}  # fmt: skip
    with np.errstate(all="ignore"):
        if name in simple:
            return simple[name](x, y).astype(x.dtype)
        if name == "div":
            return divided(x, y)
        if name == "rem":
            return (x - divided(x, y) * y).astype(x.dtype)
        if name in ("floor_div", "mod"):
            q = divided(x, y)
            r = (x - q * y).astype(x.dtype)
            low = (r != 0) & ((r < 0) != (y < 0)) & (y != 0)
            return (q - low).astype(x.dtype) if name == "floor_div" else np.where(low, r + y, r).astype(x.dtype)
    return of_shift(name, x, y)


def of_binary_float(name, x, y):
    """(exact result in f64, error from the operands' errors, roundings); None where it makes no sense."""
    ex, ey = x.errors(), y.errors()
    a, b = x.data, y.data
    if name in ("add", "sub"):
        return (a + b if name == "add" else a - b), ex + ey, 1
    if name == "mul":
        return a * b, np.abs(a) * ey + np.abs(b) * ex + ex * ey, 1
    if name == "div":
        reach = np.abs(b) - ey
        if reach.size and np.min(reach) < 0.05:
            return None
        return a / b, (ex + np.abs(a / b) * ey) / reach, 1
    if name == "hypot":
        return np.hypot(a, b), ex + ey, 4
    if name == "logaddexp":
        y = np.logaddexp(a, b)
        # Counted in units of the largest argument.
        return y, np.maximum(ex, ey) + 4 * unit(x.dtype) * (np.abs(a) + np.abs(b)), 4
    if name == "atan2":
        reach = np.hypot(a, b) - ex - ey
        if reach.size and (np.min(reach) < 0.05 or np.min(b - ey) < 0.01):
            return None
        return np.arctan2(a, b), (ex + ey) / reach, ROUNDINGS[x.dtype]
    if a.size and (np.min(a - ex) < 0.05 or np.max(np.abs(b) + ey) > 8):
        return None
    y = np.power(a, b)
    ends = [np.power(a + s * ex, b + t * ey) for s in (-1, 1) for t in (-1, 1)]
    return y, np.max([np.abs(end - y) for end in ends], axis=0), ROUNDINGS[x.dtype]


@kind("binary")
class Binary(Elementwise):
    @staticmethod
    def evaluate(node, x, y):
        name = node.name
        if not is_float(x.dtype):
            return Value(x.dtype, of_binary_int(name, x.data, y.data))
        errors = combined(x, y)
        if name in ("max", "min"):
            return Value(x.dtype, extreme(x.data, y.data, name == "max"), None if errors is None else np.maximum(*errors))
        if name == "copysign":
            if np.any((np.abs(y.data) <= y.errors()) | (y.data == 0)):
                return None
            return Value(x.dtype, np.copysign(x.data, y.data), x.error)
        result = of_binary_float(name, x, y)
        if result is None:
            return None
        data, error, roundings = result
        if errors is None and name in ("add", "sub", "mul", "div"):
            return correctly(x.dtype, data)
        return inexact(x.dtype, data, error, roundings)


COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
               "ge": np.greater_equal}  # fmt: skip


@kind("compare")
class Compare(Elementwise):
    @staticmethod
    def evaluate(node, x, y):
        if is_float(x.dtype) and combined(x, y) is not None:
            if np.any(np.abs(x.data - y.data) <= x.errors() + y.errors()):
                return None
        return Value("i1", COMPARISONS[node.name](x.data, y.data))


@kind("select")
class Select(Elementwise):
    @staticmethod
    def evaluate(node, p, x, y):
        error = None if combined(x, y) is None else np.where(p.data, x.errors(), y.errors())
        return Value(x.dtype, np.where(p.data, x.data, y.data), error)

    @staticmethod
    def record(lib, node, *operands):
        return lib.elementwise("select", *operands)

    @staticmethod
    def text(node, p, x, y):
        return f"tx.select {p[0]}, {x[0]}, {y[0]} : {p[1]}, {x[1]}"


@kind("clamp")
class Clamp(Elementwise):
    @staticmethod
    def evaluate(node, low, x, high):
        if np.any(low.data.astype(np.float64) + low.errors() > high.data.astype(np.float64) - high.errors()):
            return None
        errors = combined(low, x, high)
        return Value(x.dtype, extreme(extreme(x.data, low.data, True), high.data, False),
                     None if errors is None else np.max(errors, axis=0))  # fmt: skip


@kind("fma")
class Fma(Elementwise):
    @staticmethod
    def evaluate(node, x, y, z):
        product, error, _ = of_binary_float("mul", x, y)
        # The judge rounds twice: f64 holds the product of narrower floats only.
        own = 4 * unit("f64") * np.abs(product)
        return inexact(x.dtype, product + z.data, error + z.errors() + own, 2)


@kind("convert")
class Convert:
    @staticmethod
    def evaluate(node, x):
        to = node.dtype
        if is_float(to):
            data = x.data.astype(np.float64)
            if not is_float(x.dtype) and x.data.size and np.max(np.abs(data)) > 2**52:
                return None  # the judge's own numbers end there
            return correctly(to, data, x.error)
        if is_float(x.dtype):
            if not x.is_exact:
                return None
            if to == "i1":
                return Value(to, x.data != 0)
            info = np.iinfo(INTEGERS[to])
            whole = np.trunc(x.data)
            if x.data.size and (np.min(whole) < info.min or np.max(whole) > info.max):
                return None  # it saturates, but f64 does not hold the ends
            return Value(to, whole.astype(INTEGERS[to]))
        return Value(to, x.data != 0 if to == "i1" else x.data.astype(INTEGERS[to]))

    @staticmethod
    def record(lib, node, x):
        return lib.astype(x, node.dtype)

    @staticmethod
    def text(node, x):
        return f"tx.convert {x[0]} : {x[1]} -> {node.type}"


@kind("bitcast")
class Bitcast:
    @staticmethod
    def evaluate(node, x):
        from values import from_bytes, storage, to_bytes

        if not x.is_exact:
            return None
        data = from_bytes(node.dtype, to_bytes(x).view(storage(node.dtype)))
        return Value(node.dtype, data) if np.all(np.isfinite(data)) else None

    @staticmethod
    def record(lib, node, x):
        return lib.bitcast(x, node.dtype)

    @staticmethod
    def text(node, x):
        return f"tx.bitcast {x[0]} : {x[1]} -> {node.type}"


# Sources ---------------------------------------------------------------------------------------------------------


@kind("splat")
class Splat:
    @staticmethod
    def evaluate(node):
        data = np.full(node.shape, node.value, np.float64)
        return Value(node.dtype, rounded(node.dtype, data) if is_float(node.dtype) else data.astype(INTEGERS[node.dtype]))

    @staticmethod
    def record(lib, node):
        value = bool(node.value) if node.dtype == "i1" else node.value
        return lib.full(node.dtype, node.shape, float(value) if is_float(node.dtype) else value)

    @staticmethod
    def text(node):
        value = f"{node.value:e}" if is_float(node.dtype) else int(node.value)
        if node.dtype == "i1":
            value = "true" if node.value else "false"
        return f"tx.constant dense<{value}> : {node.type}"


@kind("iota")
class Iota:
    @staticmethod
    def evaluate(node):
        shape = [1] * len(node.shape)
        shape[node.dim] = node.shape[node.dim]
        line = np.arange(node.shape[node.dim]).reshape(shape)
        data = np.broadcast_to(line, node.shape)
        if is_float(node.dtype):
            return Value(node.dtype, rounded(node.dtype, data))
        return Value(node.dtype, data.astype(INTEGERS[node.dtype]))

    @staticmethod
    def record(lib, node):
        shape = [1] * len(node.shape)
        shape[node.dim] = node.shape[node.dim]
        line = lib.arange(node.dtype, 0.0, float(node.shape[node.dim]), 1.0)
        return lib.broadcast_to(lib.reshape(line, shape), node.shape)

    @staticmethod
    def text(node):
        return f"tx.iota dim = {node.dim} : {node.type}"
