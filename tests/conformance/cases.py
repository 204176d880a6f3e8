"""What is judged: for each op how a case is drawn, what NumPy says, and how far apart they may be.

A case is (text, ours, theirs, error): two functions that may raise, and the largest error allowed: a number of
units in the last place, or a function of the expected values that gives an absolute bound.
"""

import math

import numpy as np

from draw import ALL, BITS, FLOATS, INTS, NUMBERS, SIGNED, Draw

def registry():
    """A dict of cases by op, and a decorator that puts one in."""
    ops = {}

    def op(name):
        def register(function):
            ops[name] = function
            return function

        return register

    return ops, op


OPS, op = registry()


def text(name, *operands):
    def one(x):
        return f"{x.dtype}{list(x.shape)}" if isinstance(x, np.ndarray) else repr(x)

    return f"{name}({', '.join(one(x) for x in operands)})"


def wide(function):
    """The function on f64, rounded back: a judge that is better than what it judges."""

    def judge(*operands):
        dtype = np.result_type(*operands)
        if dtype == np.float64:
            return function(*operands)
        return np.asarray(function(*[np.asarray(x, np.float64) for x in operands]), dtype)

    return judge


# Element-wise ----------------------------------------------------------------------------------------------------


def elementwise(name, numpy_function, arity, dtypes, ulps=0, low=-4.0, high=4.0, special=True):
    # What NumPy refuses too: bits of floats, signs and differences of booleans.
    refused = FLOATS if dtypes in (BITS, INTS) else ["i1"] if name in ("neg", "sign", "sub") else []

    def draw(d: Draw, lib):
        dtype = d.pick(refused if refused and d.chance(5) else dtypes)
        shape = d.shape()
        operands = []
        for i in range(arity):
            own = d.broadcastable(shape) if i else shape
            operands.append(d.array(dtype, own, low=low, high=high, special=special))
        if arity == 2 and dtype != "i1" and d.chance(15):
            number = d.integer(0, 3)
            operands[1] = float(number) if dtype in FLOATS else number
        judged = [np.asarray(x, operands[0].dtype) if np.isscalar(x) else x for x in operands]
        return text(name, *operands), lambda: lib.elementwise(name, *operands), lambda: numpy_function(*judged), ulps

    OPS[name] = draw


def wrapped_divide(x, y):
    """Toward zero; by zero 0."""
    if x.dtype.kind == "f":
        return x / y
    safe = np.where(y == 0, 1, y).astype(y.dtype)
    return np.where(y == 0, 0, ((x - np.fmod(x, safe)) // safe)).astype(x.dtype)


def with_remainder(function):
    """NumPy gives 0 for a remainder by zero; here x = (x / y) y + rem holds, so it is x (docs/numerics.md)."""

    def judge(x, y):
        if x.dtype.kind == "f":
            return function(x, y)
        x, y = np.broadcast_arrays(x, y)
        return np.where(y == 0, x, function(x, np.where(y == 0, 1, y).astype(y.dtype)))

    return judge


def floor_divide(x, y):
    if x.dtype.kind == "f":
        return np.floor_divide(x, y)
    return np.where(y == 0, 0, np.floor_divide(x, np.where(y == 0, 1, y).astype(y.dtype))).astype(x.dtype)


def shift(function):
    """NumPy's shifts by a negative amount are undefined: it counts as unsigned."""

    def judge(x, y):
        x, y = np.broadcast_arrays(x, y)
        bits = x.dtype.itemsize * 8
        amount = np.where((y < 0) | (y.astype(np.float64) >= bits), bits, y).astype(np.int64)
        return function(x, amount, bits)

    return judge


def shift_left(x, n, bits):
    return np.where(n >= bits, 0, np.left_shift(x, np.minimum(n, bits - 1).astype(x.dtype))).astype(x.dtype)


def shift_right(kind):
    def judge(x, n, bits):
        seen = x.view(x.dtype.str.replace("i", kind).replace("u", kind)) if x.dtype.kind != kind else x
        moved = np.right_shift(seen, np.minimum(n, bits - 1).astype(seen.dtype))
        if kind == "u":
            moved = np.where(n >= bits, 0, moved)
        return moved.astype(seen.dtype).view(x.dtype)

    return lambda x, n, bits: judge(x.copy(), n, bits)


def integers_only(function):
    def judge(x):
        if x.dtype.kind not in "iu":
            raise TypeError("bits of integers only, as numpy.bitwise_count")
        return function(x)

    return judge


@integers_only
def popcount(x):
    bits = np.unpackbits(x.flatten().view(np.uint8)).reshape(x.size, x.itemsize * 8)
    return bits.sum(1).astype(x.dtype).reshape(x.shape)


@integers_only
def clz(x):
    unsigned = x.astype(f"u{x.itemsize}")
    bits = x.itemsize * 8
    return np.vectorize(lambda v: bits - int(v).bit_length(), otypes=[x.dtype])(unsigned)


for _name, _function in {"add": np.add, "sub": np.subtract, "mul": np.multiply}.items():
    elementwise(_name, _function, 2, NUMBERS)
elementwise("div", wrapped_divide, 2, NUMBERS)
elementwise("floor_div", floor_divide, 2, NUMBERS, ulps=1)
elementwise("rem", with_remainder(np.fmod), 2, NUMBERS)
elementwise("mod", with_remainder(np.mod), 2, NUMBERS, ulps=1)
elementwise("gcd", np.gcd, 2, INTS)
elementwise("lcm", np.lcm, 2, INTS)
elementwise("maximum", np.maximum, 2, ALL)
elementwise("minimum", np.minimum, 2, ALL)
elementwise("clamp", lambda low, x, high: np.minimum(np.maximum(x, low), high), 3, NUMBERS)
elementwise("copysign", np.copysign, 2, FLOATS)
elementwise("neg", np.negative, 1, NUMBERS)
elementwise("abs", np.abs, 1, NUMBERS)
elementwise("sign", np.sign, 1, NUMBERS)
for _name, _function in {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round_even": np.rint}.items():
    elementwise(_name, _function, 1, FLOATS, low=-99, high=99)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _numpy = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
    elementwise(_name, getattr(np, _numpy[_name]), 2, ALL)
elementwise("is_nan", np.isnan, 1, ALL)
elementwise("is_inf", np.isinf, 1, ALL)
elementwise("is_finite", np.isfinite, 1, ALL)
elementwise("bitwise_and", np.bitwise_and, 2, BITS)
elementwise("bitwise_or", np.bitwise_or, 2, BITS)
elementwise("bitwise_xor", np.bitwise_xor, 2, BITS)
elementwise("bitwise_not", np.invert, 1, BITS)
elementwise("shl", shift(shift_left), 2, INTS)
elementwise("shr_arith", shift(shift_right("i")), 2, INTS)
elementwise("shr_logical", shift(shift_right("u")), 2, INTS)
elementwise("popcount", popcount, 1, INTS)
elementwise("clz", clz, 1, INTS)
# 2 ulp are ours (docs/numerics.md); NumPy's f64 has up to 4 of its own.
elementwise("sqrt", wide(np.sqrt), 1, FLOATS)
elementwise("rsqrt", wide(lambda x: 1 / np.sqrt(x)), 1, FLOATS, ulps=3)
for _name, _function in {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "cbrt": np.cbrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh,
}.items():  # fmt: skip
    elementwise(_name, wide(_function), 1, FLOATS, ulps=6)
elementwise("erf", wide(np.vectorize(math.erf, otypes=[np.float64])), 1, FLOATS, ulps=4)
elementwise("pow", wide(np.power), 2, FLOATS, ulps=6)
elementwise("atan2", wide(np.arctan2), 2, FLOATS, ulps=4)
elementwise("hypot", wide(np.hypot), 2, FLOATS, ulps=3)
elementwise("logaddexp", wide(np.logaddexp), 2, FLOATS, ulps=lambda y: 4 * np.spacing(np.abs(y) + y.dtype.type(4)))


@op("select")
def _select(d, lib):
    dtype, shape = d.pick(ALL), d.shape()
    p, x, y = d.array("i1", d.broadcastable(shape)), d.array(dtype, shape), d.array(dtype, d.broadcastable(shape))
    return text("select", p, x, y), lambda: lib.elementwise("select", p, x, y), lambda: np.where(p, x, y), 0


@op("promotion")
def _promotion(d, lib):
    """Two dtypes of one kind, or i1 and any: what both call the common one."""
    kind = d.pick([SIGNED, FLOATS, INTS, ALL])
    a, b = d.pick(kind), d.pick(kind)
    if "i1" not in (a, b) and (a[0] == "f") != (b[0] == "f"):
        b = a
    shape = d.shape(most=2)
    x, y = d.array(a, shape), d.array(b, shape)

    def theirs():
        common = np.result_type(x, y)
        if common == np.float64 and "f" not in a + b:
            raise TypeError("ui64 with a signed dtype: NumPy answers f64, the array API nothing")
        return np.maximum(x, y)

    return text("maximum", x, y), lambda: lib.elementwise("maximum", x, y), theirs, 0


@op("astype")
def _astype(d, lib):
    a, b = d.pick(ALL), d.pick(ALL)
    to_int = a in FLOATS and b in INTS
    x = d.array(a, d.shape(), low=0.0 if to_int and b[0] == "u" else -100.0, high=100.0, special=not to_int)
    from binding import NUMPY

    return text(f"astype {b}", x), lambda: lib.astype(x, b), lambda: x.astype(NUMPY[b]), 0


@op("bitcast")
def _bitcast(d, lib):
    a, b = d.pick(NUMBERS), d.pick(NUMBERS)
    x = d.array(a, d.shape())
    from binding import NUMPY

    def theirs():
        # Both bits of a NaN and its sign count: compared as integers.
        return np.ascontiguousarray(x).reshape(x.shape).view(NUMPY[b]).view(f"u{np.dtype(NUMPY[b]).itemsize}")

    return text(f"bitcast {b}", x), lambda: lib.bitcast(lib.bitcast(x, b), f"ui{8 * np.dtype(NUMPY[b]).itemsize}"), theirs, 0


# Reductions ------------------------------------------------------------------------------------------------------


def reduction_bound(x, axes, factor=4.0):
    """Sums of floats: so many roundings of the sum of the magnitudes, a logarithm of them in a tree."""
    count = max(1, x.size)
    scale = np.sum(np.abs(np.where(np.isfinite(x), x, 0)).astype(np.float64), axis=axes or None, keepdims=True)
    return factor * (np.log2(count) + 4) * np.finfo(x.dtype).eps * scale.max(initial=0) + np.finfo(x.dtype).tiny


def reduction(name, dtypes, numpy_function, needs_elements=False, low=-4.0, high=4.0, special=True):
    def draw(d, lib):
        dtype, shape = d.pick(dtypes), d.shape(elements=20000)
        if needs_elements and d.chance(90):
            shape = d.some(shape)
        x = d.array(dtype, shape, low=low, high=high, special=special)
        axes, keep = d.axes(len(shape)), d.chance(40)
        error = 0
        if dtype in FLOATS and name in ("sum", "mean", "prod", "var"):
            error = lambda y: reduction_bound(x, None)  # noqa: E731
            if name == "prod":
                error = lambda y: 8 * np.finfo(x.dtype).eps * x.size * np.abs(y)  # noqa: E731
            if name == "var":
                error = lambda y: reduction_bound(x * x, None)  # noqa: E731
        return (text(name, x, axes, keep), lambda: lib.reduce(name, x, axes, keep),
                lambda: numpy_function(x, axes or None, keep), error)  # fmt: skip

    OPS[name] = draw


def in_double(function):
    def judge(x, axis, keepdims):
        if x.dtype.kind != "f":
            # The array API would sum in i64; here integers keep their dtype and wrap, i1 counts in i64.
            return function(x, axis=axis, keepdims=keepdims, dtype=np.int64 if x.dtype == bool else x.dtype)
        return function(x.astype(np.float64), axis=axis, keepdims=keepdims).astype(x.dtype)

    return judge


reduction("sum", NUMBERS + ["i1"], in_double(np.sum))
reduction("prod", NUMBERS, in_double(np.prod), low=0.9, high=1.1)
reduction("max", NUMBERS, lambda x, a, k: np.max(x, axis=a, keepdims=k), needs_elements=True)
reduction("min", NUMBERS, lambda x, a, k: np.min(x, axis=a, keepdims=k), needs_elements=True)
reduction("any", ["i1"], lambda x, a, k: np.any(x, axis=a, keepdims=k))
reduction("all", ["i1"], lambda x, a, k: np.all(x, axis=a, keepdims=k))
reduction("mean", FLOATS, in_double(np.mean), needs_elements=True)


def argument(name, judge):
    def draw(d, lib):
        x = d.array(d.pick(NUMBERS), d.some(d.shape(least=1, elements=20000)))
        axis, keep = d.integer(-x.ndim, x.ndim - 1), d.chance(40)
        return (text(name, x, axis, keep), lambda: lib.reduce(name, x, (axis,), keep),
                lambda: judge(x, axis=axis, keepdims=keep), 0)  # fmt: skip

    OPS[name] = draw


argument("argmax", np.argmax)
argument("argmin", np.argmin)


@op("var")
def _var(d, lib):
    x = d.array(d.pick(FLOATS), d.some(d.shape(least=1, elements=20000)), special=False)
    axes, keep, correction = d.axes(x.ndim), d.chance(40), float(d.integer(0, 1))
    return (text("var", x, axes, correction, keep), lambda: lib.var(x, axes, correction, keep),
            lambda: np.var(x.astype(np.float64), axis=axes or None, ddof=correction, keepdims=keep).astype(x.dtype),
            lambda y: reduction_bound(x * x, None))  # fmt: skip


# Shapes ----------------------------------------------------------------------------------------------------------


@op("broadcast_to")
def _broadcast_to(d, lib):
    shape = d.shape()
    x = d.array(d.pick(ALL), d.broadcastable(shape))
    return text("broadcast_to", x, shape), lambda: lib.broadcast_to(x, shape), lambda: np.broadcast_to(x, shape), 0


@op("reshape")
def _reshape(d, lib):
    x = d.array(d.pick(ALL), d.shape())
    factors = [f for f in range(1, x.size + 1) if x.size % f == 0] or [0]
    first = d.pick(factors)
    shape = d.pick([(x.size,), (first, x.size // max(1, first)), (first, -1), (-1,), (1, x.size, 1), (x.size + 1,), x.shape[::-1]])
    return text("reshape", x, shape), lambda: lib.reshape(x, shape), lambda: np.reshape(x, shape), 0


@op("transpose")
def _transpose(d, lib):
    x = d.array(d.pick(ALL), d.shape())
    axes = tuple(int(a) for a in d.rng.permutation(x.ndim)) if d.chance(80) else ()
    if axes and d.chance(5):
        axes = axes[:-1] + (axes[0],) if len(axes) > 1 else (1,)
    return text("transpose", x, axes), lambda: lib.transpose(x, axes), lambda: np.transpose(x, axes or None), 0


@op("expand_dims")
def _expand_dims(d, lib):
    x = d.array(d.pick(ALL), d.shape(most=3))
    axis = d.integer(-x.ndim - 2, x.ndim + 1)
    return text("expand_dims", x, axis), lambda: lib.expand_dims(x, axis), lambda: np.expand_dims(x, axis), 0


@op("squeeze")
def _squeeze(d, lib):
    shape = tuple(1 if d.chance(50) else s for s in d.shape())
    x = d.array(d.pick(ALL), shape)
    axes = d.axes(x.ndim)
    return text("squeeze", x, axes), lambda: lib.squeeze(x, axes), lambda: np.squeeze(x, axes or None), 0


@op("slice")
def _slice(d, lib):
    x = d.array(d.pick(ALL), d.shape(least=1))
    slices = []
    for size in x.shape[: d.integer(1, x.ndim)]:
        bound = lambda: None if d.chance(30) else d.integer(-size - 2, size + 2)  # noqa: E731,B023
        slices.append(slice(bound(), bound(), d.pick([1, 1, 2, 3, -1, -2])))
    return text("slice", x, slices), lambda: lib.slices(x, slices), lambda: x[tuple(slices)], 0


@op("pad")
def _pad(d, lib):
    x = d.array(d.pick(NUMBERS), d.shape(most=3))
    low, high = ([d.integer(0, 4) for _ in x.shape] for _ in range(2))
    value = d.integer(0, 7)
    return (text("pad", x, low, high, value), lambda: lib.pad(x, low, high, None, value),
            lambda: np.pad(x, list(zip(low, high)), constant_values=value) if x.ndim else x, 0)  # fmt: skip


@op("concatenate")
def _concatenate(d, lib):
    shape = d.shape(least=1, most=3)
    dtype, axis = d.pick(ALL), d.integer(-len(shape), len(shape) - 1)
    arrays = []
    for _ in range(d.integer(1, 4)):
        own = list(shape)
        own[axis] = d.pick([0, 1, 2, 5, 17])
        if d.chance(3):
            own[0] += 1
        arrays.append(d.array(dtype, tuple(own)))
    return text("concatenate", *arrays, axis), lambda: lib.concatenate(arrays, axis), lambda: np.concatenate(arrays, axis), 0


@op("arange")
def _arange(d, lib):
    from binding import NUMPY

    dtype, start, step = d.pick(["i32", "i64", "f32", "f64"]), d.integer(-9, 9), d.pick([1, 2, 3, -1, -4])
    stop = start + d.integer(-20, 40)
    return (text("arange", dtype, start, stop, step), lambda: lib.arange(dtype, start, stop, step),
            lambda: np.arange(start, stop, step, dtype=NUMPY[dtype]), 0)  # fmt: skip


@op("linspace")
def _linspace(d, lib):
    from binding import NUMPY

    dtype, start, stop, count = d.pick(["f32", "f64"]), d.integer(-9, 9), d.integer(-9, 9), d.pick([0, 1, 2, 5, 33])
    return (text("linspace", dtype, start, stop, count), lambda: lib.linspace(dtype, start, stop, count),
            lambda: np.linspace(start, stop, count, dtype=NUMPY[dtype]), lambda y: 40 * np.finfo(y.dtype).eps)  # fmt: skip


@op("eye")
def _eye(d, lib):
    from binding import NUMPY

    dtype, rows, columns, k = d.pick(ALL), d.integer(0, 9), d.integer(0, 9), d.integer(-4, 4)
    return text("eye", dtype, rows, columns, k), lambda: lib.eye(dtype, rows, columns, k), lambda: np.eye(rows, columns, k, dtype=NUMPY[dtype]), 0


@op("full")
def _full(d, lib):
    from binding import NUMPY

    dtype, shape, value = d.pick(NUMBERS), d.shape(), d.integer(0, 100)
    return text("full", dtype, shape, value), lambda: lib.full(dtype, shape, value), lambda: np.full(shape, value, NUMPY[dtype]), 0


# Contractions and composites -------------------------------------------------------------------------------------


@op("matmul")
def _matmul(d, lib):
    dtype = d.pick(FLOATS + SIGNED)
    sizes = [d.pick([1, 2, 3, 5, 8, 17, 33, 64]) for _ in range(3)]
    m, k, n = sizes
    if d.chance(5):
        k = 0
    x_shape, y_shape = (m, k), (k, n)
    if d.chance(8):
        y_shape = (k + 1, n)
    if d.chance(25):
        batch = d.pick([(2,), (3, 1), (1,)])
        x_shape = batch + x_shape
        if d.chance(50):
            y_shape = batch[-1:] + y_shape
    elif d.chance(30):
        x_shape = (k,)
    if d.chance(20) and len(x_shape) == 2:
        y_shape = (k,)
    x, y = d.array(dtype, x_shape, special=False), d.array(dtype, y_shape, special=False)

    def theirs():
        if dtype in FLOATS:
            return np.matmul(x.astype(np.float64), y.astype(np.float64)).astype(x.dtype)
        return np.matmul(x, y)

    # f16 accumulates in f32, and rounds once.
    bound = lambda r: (np.finfo(x.dtype).eps * (np.abs(r) + 16 * (1 if dtype == "f16" else x.shape[-1])))  # noqa: E731
    return text("matmul", x, y), lambda: lib.matmul(x, y), theirs, bound if dtype in FLOATS else 0


def activation(name, function):
    def draw(d, lib):
        x = d.array(d.pick(["f32", "f64"]), d.shape())
        return text(name, x), lambda: lib.activate(name, x), lambda: wide(function)(x), lambda y: 16 * np.finfo(y.dtype).eps * 4

    OPS[name] = draw


_erf = np.vectorize(math.erf, otypes=[np.float64])
activation("relu", lambda x: np.maximum(x, 0))
activation("sigmoid", lambda x: 1 / (1 + np.exp(-x)))
activation("silu", lambda x: x / (1 + np.exp(-x)))
activation("gelu", lambda x: x * 0.5 * (1 + _erf(x / np.sqrt(2))))
activation("gelu_tanh", lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


def softmax(x, axis):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def along(name, function):
    def draw(d, lib):
        x = d.array(d.pick(["f32", "f64"]), d.some(d.shape(least=1, elements=20000)), special=False)
        axis = d.integer(-x.ndim, x.ndim - 1)
        if d.chance(4):
            axis = x.ndim
        return (text(name, x, axis), lambda: lib.call(name, x, axis),
                lambda: function(x.astype(np.float64), axis).astype(x.dtype),
                lambda y: 32 * np.finfo(y.dtype).eps * np.maximum(1, np.abs(y)))  # fmt: skip

    OPS[name] = draw


along("softmax", softmax)
along("log_softmax", lambda x, axis: np.log(softmax(x, axis)))


@op("layer_norm")
def _layer_norm(d, lib):
    x = d.array(d.pick(["f32", "f64"]), d.some(d.shape(least=1, elements=20000)), special=False)
    scale, bias = (d.array("f32" if x.dtype == np.float32 else "f64", x.shape[-1:], special=False) for _ in range(2))

    def theirs():
        w = x.astype(np.float64)
        mean = w.mean(-1, keepdims=True)
        return ((w - mean) / np.sqrt(w.var(-1, keepdims=True) + 1e-5) * scale + bias).astype(x.dtype)

    # A row of one element is its own mean: what rounding leaves is divided by sqrt(epsilon).
    return (text("layer_norm", x), lambda: lib.layer_norm(x, scale, bias, 1e-5), theirs,
            lambda y: 4000 * np.finfo(y.dtype).eps * np.maximum(1, np.abs(y)))  # fmt: skip
