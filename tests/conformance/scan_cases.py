"""Scans and sorting, judged by NumPy: reverse and descending by flipping, exclusive by shifting."""

import numpy as np

from cases import text
from draw import ALL, FLOATS, INTS, NUMBERS

OPS = {}


def drawn(d, dtypes, **limits):
    x = d.array(d.pick(dtypes), d.shape(least=1, elements=20000), **limits)
    axis = d.integer(-x.ndim, x.ndim - 1) if d.chance(96) else x.ndim
    return x, axis


def directed(function, x, axis, reverse, exclusive, first):
    """`first`: what an exclusive scan begins with, of the result's dtype."""
    y = np.flip(x, axis) if reverse else x
    y = function(y, axis)
    if exclusive and y.shape[axis]:
        shifted = np.roll(y, 1, axis)
        index = [slice(None)] * y.ndim
        index[axis] = 0
        shifted[tuple(index)] = first(y.dtype)
        y = shifted
    return np.flip(y, axis) if reverse else y


def in_double(function):
    def judge(x, axis):
        if x.dtype.kind != "f":
            return function(x, axis=axis, dtype=np.int64 if x.dtype == bool else x.dtype)
        return function(x.astype(np.float64), axis=axis).astype(x.dtype)

    return judge


def bound(x, axis):
    """Roundings of partial sums, of which a chunk has few behind each other."""

    def error(_):
        finite = np.abs(np.where(np.isfinite(x), x, 0)).astype(np.float64)
        scale = np.sum(finite, axis=axis, keepdims=True)
        return 4.0 * (np.log2(max(1, x.shape[axis])) + 4) * np.finfo(x.dtype).eps * scale + np.finfo(x.dtype).tiny

    return error


def scan(name, dtypes, function, first, error=lambda x, axis: 0, **limits):
    def draw(d, lib):
        x, axis = drawn(d, dtypes, **limits)
        reverse, exclusive = d.chance(40), d.chance(40)
        return (text(name, x, axis, reverse, exclusive), lambda: lib.cumulate(name, x, axis, reverse, exclusive),
                lambda: directed(function, x, axis, reverse, exclusive, first),
                error(x, axis) if x.dtype.kind == "f" and axis < x.ndim else 0)  # fmt: skip

    OPS[name] = draw


def lowest(t):
    return -np.inf if t.kind == "f" else False if t.kind == "b" else np.iinfo(t).min


def highest(t):
    return np.inf if t.kind == "f" else True if t.kind == "b" else np.iinfo(t).max


scan("cumsum", NUMBERS + ["i1"], in_double(np.cumsum), lambda t: 0, bound)
scan("cumprod", FLOATS + INTS + ["i1"], in_double(np.cumprod), lambda t: 1, lambda x, axis: 2 * x.shape[axis] + 2, low=0.9, high=1.1)
scan("cummax", ALL, lambda x, axis: np.maximum.accumulate(x, axis=axis), lowest)
scan("cummin", ALL, lambda x, axis: np.minimum.accumulate(x, axis=axis), highest)


def order(x, axis, descending):
    """The indices that sort x, ties in their order; NaN is above all numbers."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    flipped = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(flipped, axis)


def sorting(name, judge):
    def draw(d, lib):
        x, axis = drawn(d, ALL)
        descending = d.chance(40)
        return (text(name, x, axis, descending), lambda: lib.call(name, x, axis, descending),
                lambda: judge(x, axis, descending), 0)  # fmt: skip

    OPS[name] = draw


sorting("sort", lambda x, axis, descending: np.take_along_axis(x, order(x, axis, descending), axis))
sorting("argsort", order)


def top_k(d, lib):
    x, axis = drawn(d, ALL)
    size = x.shape[axis] if axis < x.ndim else 1
    k = d.integer(0, size) if d.chance(95) else size + 1
    largest, which = d.chance(60), d.integer(0, 1)

    def judge():
        places = order(x, axis, largest)
        if k > size:
            raise ValueError("k is too large")
        places = np.take(places, np.arange(k), axis)
        return places if which else np.take_along_axis(x, places, axis)

    return text("top_k", x, k, axis, largest, which), lambda: lib.top_k(x, k, axis, largest)[which], judge, 0


OPS["top_k"] = top_k
