"""f8 and 4-bit integers, judged by ml_dtypes: conversions, every kind of movement, and refusals."""

import ml_dtypes
import numpy as np

from binding import NUMPY, OF_NUMPY, PACKED, Library
from cases import text
from draw import ALL, Draw

OPS = {}
STORAGE = {"f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2, "i4": ml_dtypes.int4,
           "ui4": ml_dtypes.uint4}  # fmt: skip
NUMPY.update(STORAGE)
OF_NUMPY.update({np.dtype(t): name for name, t in STORAGE.items()})


def op(function):
    OPS[function.__name__] = function
    return function


def stored(d: Draw, dtype, shape):
    """Any code, in memory that may not be contiguous."""

    def make(shape):
        codes = d.rng.integers(0, 256, size=shape).astype(np.uint8)
        if dtype in PACKED:
            values = codes.astype(np.int8) // 16 if dtype == "i4" else codes // 16
            return values.astype(STORAGE[dtype])
        return codes.view(STORAGE[dtype])

    return d.strided(shape, make)


def drawn(d, least=0):
    dtype = d.pick(list(STORAGE))
    return dtype, stored(d, dtype, d.shape(least=least))


def rounded_to_odd(x):
    """f32 that rounds once more to what f64 would: ml_dtypes itself rounds twice."""
    y = x.astype(np.float32)
    bits = y.view(np.uint32)
    back = y.astype(np.float64)
    bits = np.where(np.abs(back) > np.abs(x), bits - 1, bits)
    return np.where((back != x) & (back == back), bits | 1, bits).astype(np.uint32).view(np.float32)


def converted(x, dtype):
    if dtype in PACKED:
        low, high = (-8, 7) if dtype == "i4" else (0, 15)
        if x.dtype.kind == "f":
            wide = np.clip(np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0, posinf=high, neginf=low), low, high)
            return wide.astype(np.int8).astype(STORAGE[dtype])
        nibbles = (x.astype(np.uint64) & np.uint64(15)).astype(np.int16)
        return np.where(nibbles > high, nibbles - 16, nibbles).astype(np.int8).astype(STORAGE[dtype])
    if x.dtype in (np.float16, np.float32, np.bool_):
        return x.astype(STORAGE[dtype])
    # Integers of f64 and above 2^53 are far beyond the largest value.
    return rounded_to_odd(x.astype(np.float64)).astype(STORAGE[dtype])


@op
def astype_to_storage(d, lib):
    dtype = d.pick(list(STORAGE))
    x = d.array(d.pick(ALL), d.shape(), low=-20.0, high=600.0 if d.chance(50) else 2.0)
    return text(f"astype {dtype}", x), lambda: lib.astype(x, dtype), lambda: converted(x, dtype), 0


def widened(x, target):
    wide = x.astype(np.float64)
    if target == "i1":
        return wide != 0
    t = np.dtype(NUMPY[target])
    if t.kind == "f":
        return wide.astype(t)
    if x.dtype in (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)):
        return x.astype(np.int8).astype(t)
    info = np.iinfo(t)
    low, high = max(float(info.min), -1e6), min(float(info.max), 1e6)  # f8 has nothing larger
    inf = np.isinf(wide)
    exact = np.clip(np.trunc(np.where(np.isfinite(wide), wide, 0)), low, high).astype(t)
    return np.where(inf, np.where(wide > 0, info.max, info.min).astype(t), exact)


@op
def astype_from_storage(d, lib):
    _, x = drawn(d)
    target = d.pick(ALL)
    return text(f"astype {target}", x), lambda: lib.astype(x, target), lambda: widened(x, target), 0


@op
def storage_transpose(d, lib):
    _, x = drawn(d, least=1)
    order = [int(a) for a in d.rng.permutation(x.ndim)]
    return text(f"transpose {order}", x), lambda: lib.transpose(x, order), lambda: np.transpose(x, order), 0


@op
def storage_reshape(d, lib):
    _, x = drawn(d)
    shape = (x.size,) if d.chance(50) else (1, x.size, 1)
    return text(f"reshape {shape}", x), lambda: lib.reshape(x, shape), lambda: x.reshape(shape), 0


@op
def storage_slice(d, lib):
    _, x = drawn(d, least=1)
    parts = []
    for size in x.shape:
        start, stop = d.integer(0, size), d.integer(0, size)
        step = d.pick([1, 1, 2, 3, -1, -2])
        parts.append(slice(start, stop, step))
    return text(f"slice {parts}", x), lambda: lib.slices(x, parts), lambda: x[tuple(parts)], 0


@op
def storage_concatenate(d, lib):
    dtype, x = drawn(d, least=1)
    axis = d.integer(0, x.ndim - 1)
    arrays = [x]
    for _ in range(d.integer(0, 2)):
        shape = list(x.shape)
        shape[axis] = d.integer(0, 9)
        arrays.append(stored(d, dtype, tuple(shape)))
    return text("concatenate", *arrays), lambda: lib.concatenate(arrays, axis), lambda: np.concatenate(arrays, axis), 0


@op
def storage_pad(d, lib):
    dtype, x = drawn(d, least=1)
    value = d.integer(0, 7)
    widths = [(d.integer(0, 3), d.integer(0, 3)) for _ in x.shape]

    def theirs():
        y = np.full([s + a + b for s, (a, b) in zip(x.shape, widths)], value, np.int8).astype(x.dtype)
        y[tuple(slice(a, a + s) for s, (a, _) in zip(x.shape, widths))] = x
        return y

    lows, highs = [a for a, _ in widths], [b for _, b in widths]
    return text(f"pad {widths} {value}", x), lambda: lib.pad(x, lows, highs, None, value), theirs, 0


@op
def storage_take(d, lib):
    _, x = drawn(d, least=1)
    x = x.reshape(d.some(x.shape)) if x.size else stored(d, "i4", d.some(x.shape))
    axis = d.integer(0, x.ndim - 1)
    indices = d.rng.integers(0, x.shape[axis], size=d.integer(0, 9))
    return text("take", x, indices), lambda: lib.take(x, indices, axis), lambda: np.take(x, indices, axis), 0


@op
def storage_where(d, lib):
    dtype, x = drawn(d)
    y, p = stored(d, dtype, x.shape), d.values(x.shape, "i1")
    return text("where", p, x, y), lambda: lib.elementwise("select", p, x, y), lambda: np.where(p, x, y), 0


@op
def storage_set(d, lib):
    dtype, x = drawn(d, least=1)
    if x.shape[0] == 0:
        x = stored(d, dtype, (3, *x.shape[1:]))
    index = d.rng.permutation(x.shape[0])[: d.integer(1, x.shape[0])]
    value = stored(d, dtype, (len(index), *x.shape[1:]))

    def theirs():
        y = x.copy()
        y[index] = value
        return y

    return text("set", x, index, value), lambda: lib.index_update("set", x, [index], value), theirs, 0


@op
def storage_refused(d, lib: Library):
    """Nothing is computed in storage."""
    _, x = drawn(d, least=1)

    def theirs():
        raise ValueError("storage")

    ours = d.pick([
        lambda: lib.elementwise("add", x, x), lambda: lib.elementwise("exp", x), lambda: lib.elementwise("lt", x, x),
        lambda: lib.reduce("sum", x, (0,), False), lambda: lib.reduce("argmax", x, (0,), False),
        lambda: lib.sort(x, 0, False), lambda: lib.cumulate("cumsum", x, 0, False, False),
        lambda: lib.elementwise("mul", x, np.ones(1, np.float32)),
    ])  # fmt: skip
    return text("refused", x), ours, theirs, 0
