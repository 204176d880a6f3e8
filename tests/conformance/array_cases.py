"""What NumPy judges of tensorc/arrays.h and tensorc/nn.h; the form of the cases is that of cases.py."""

import math

import numpy as np

from cases import reduction_bound, registry, text
from draw import ALL, FLOATS, NUMBERS, SIGNED

OPS, op = registry()


def product_bound(x, count):
    """Of sums of `count` products of numbers below 4; f16 rounds after each contraction."""
    return lambda y: np.finfo(x.dtype).eps * (4 * np.abs(y) + 64 * (1 + count**0.5))


# Contractions ----------------------------------------------------------------------------------------------------

FORMS = ["ij,jk->ik", "ij,jk", "bij,bjk->bik", "...ij,...jk->...ik", "ii", "ii->i", "ij->ji", "ij->", "i,j->ij", "i,i",
         "ijk->k", "...i->...", "i...->...", "ij,jk,kl->il", "ijj->i", "iij,jk->ik", "ab,bc,ca", "...,...", "b...i,b...i->b...",
         "ij,ij->ij", "i,ij,j->", "ba", "ijij->ij", "aBc,cB->a", " i j , j k -> k i ", "...ii->...", "ij,k->kij"]  # fmt: skip
WRONG = ["ij,jk->il", "ij->ii", "ij,jk,k->i", "i1,jk->ik", "ijk,jk->i", "...i,...i->i", "ij"]


@op("einsum")
def _einsum(d, lib):
    form = d.pick(WRONG) if d.chance(6) else d.pick(FORMS)
    dtype = d.pick(["f32", "f32", "f64", "i32", "i64"])
    sizes = {c: d.pick([1, 2, 3, 5, 8]) for c in "abcdeijklBC1"}
    if d.chance(5):
        sizes[d.pick("ijk")] = 0
    batch, arrays = [d.pick([1, 2, 3]) for _ in range(d.integer(0, 2))], []
    for term in form.replace(" ", "").split("->")[0].split(","):
        shape = []
        for c in term.replace("...", "."):
            own = batch if c == "." else [sizes[c]]
            shape += [1 if d.chance(8) and term.count(c) == 1 else n for n in own]
        if d.chance(3) and shape:
            shape[0] += 1
        arrays.append(d.array(dtype, tuple(shape), special=False))
    count = math.prod(max(1, s) for s in sizes.values()) ** 0.5

    def theirs():
        y = np.einsum(form, *[a.astype(np.float64) if dtype in FLOATS else a for a in arrays])
        return np.asarray(y, arrays[0].dtype)

    # Three factors below 4 each.
    bound = lambda y: np.finfo(arrays[0].dtype).eps * (8 * np.abs(y) + 64 * (1 + count))  # noqa: E731
    return text(f"einsum {form!r}", *arrays), lambda: lib.einsum(form, arrays), theirs, bound if dtype in FLOATS else 0


@op("tensordot")
def _tensordot(d, lib):
    dtype = d.pick(FLOATS + SIGNED)
    count, free = d.integer(0, 2), [d.shape(most=2, elements=40) for _ in range(2)]
    summed = [d.pick([1, 2, 3, 5, 8]) for _ in range(count)]
    orders = [d.rng.permutation(len(f) + count) for f in free]
    arrays, axes = [], []
    for f, order in zip(free, orders):
        full = np.array([*f, *summed], int)
        if d.chance(4) and count:
            full[-1] += 1
        arrays.append(d.array(dtype, tuple(int(n) for n in full[order]), special=False))
        where = np.argsort(order)[len(f) :]
        axes.append([int(a) - (len(order) if d.chance(30) else 0) for a in where])
    x, y = arrays

    def theirs():
        if dtype in FLOATS:
            return np.asarray(np.tensordot(x.astype(np.float64), y.astype(np.float64), axes), x.dtype)
        return np.tensordot(x, y, axes)

    return (text("tensordot", x, y, axes), lambda: lib.tensordot(x, y, *axes), theirs,
            product_bound(x, math.prod(summed)) if dtype in FLOATS else 0)  # fmt: skip


@op("kron")
def _kron(d, lib):
    dtype = d.pick(NUMBERS)
    x, y = (d.array(dtype, d.shape(most=3, elements=60), special=False) for _ in range(2))
    return text("kron", x, y), lambda: lib.kron(x, y), lambda: np.asarray(np.kron(x, y), x.dtype), 0


# Comparing -------------------------------------------------------------------------------------------------------


@op("isclose")
def _isclose(d, lib):
    dtype, shape = d.pick(ALL), d.shape()
    x, y = d.array(dtype, shape), d.array(dtype, d.broadcastable(shape))
    rtol, atol, nan = d.pick([0.0, 1e-5, 0.5]), d.pick([0.0, 1e-8, 2.0]), d.chance(50)
    wide = np.float32 if dtype == "f16" else np.float64 if x.dtype.kind in "iub" else x.dtype
    return (text(f"isclose {rtol} {atol} {nan}", x, y), lambda: lib.isclose(x, y, rtol, atol, nan),
            lambda: np.isclose(x.astype(wide), y.astype(wide), rtol, atol, nan), 0)  # fmt: skip


def logical(name, count):
    def draw(d, lib):
        shape = d.shape()
        arrays = [d.array(d.pick(ALL), s) for s in (shape, d.broadcastable(shape))[:count]]
        return text(name, *arrays), lambda: getattr(lib, name)(*arrays), lambda: getattr(np, name)(*arrays), 0

    OPS[name] = draw


for name in ("logical_and", "logical_or", "logical_xor"):
    logical(name, 2)
logical("logical_not", 1)


# Shapes ----------------------------------------------------------------------------------------------------------


def triangle(name, upper):
    def draw(d, lib):
        x, k = d.array(d.pick(ALL), d.shape(least=1, elements=3000)), d.integer(-6, 6)
        return text(name, x, k), lambda: lib.triangle(x, k, upper), lambda: getattr(np, name)(x, k), 0

    OPS[name] = draw


triangle("tril", False)
triangle("triu", True)


@op("diag")
def _diag(d, lib):
    x, k = d.array(d.pick(ALL), d.shape(least=0 if d.chance(10) else 1, most=3 if d.chance(10) else 2)), d.integer(-6, 6)
    if x.ndim == 1:
        x = x[:20]
    return text("diag", x, k), lambda: lib.diag(x, k), lambda: np.diag(x, k), 0


@op("roll")
def _roll(d, lib):
    x = d.array(d.pick(ALL), d.shape())
    axes = list(d.axes(x.ndim))
    shifts = [d.integer(-20, 20) for _ in (axes or [0])]
    if len(set(a % max(1, x.ndim) for a in axes)) != len(axes):
        axes, shifts = axes[:1], shifts[:1]
    return (text("roll", x, shifts, axes), lambda: lib.roll(x, shifts, axes),
            lambda: np.roll(x, shifts, axes) if axes else np.roll(x, shifts[0]), 0)  # fmt: skip


@op("tile")
def _tile(d, lib):
    x = d.array(d.pick(ALL), d.shape(most=3, elements=500))
    counts = [d.pick([0, 1, 1, 2, 3]) for _ in range(d.integer(0, 4))]
    if d.chance(4) and counts:
        counts[0] = -1
    return text("tile", x, counts), lambda: lib.tile(x, counts), lambda: np.tile(x, counts), 0


@op("repeat")
def _repeat(d, lib):
    x, count = d.array(d.pick(ALL), d.shape(least=1, most=3)), d.integer(-1 if d.chance(5) else 0, 4)
    axis = d.integer(-x.ndim, x.ndim - 1) if d.chance(95) else x.ndim
    return text("repeat", x, count, axis), lambda: lib.repeat(x, count, axis), lambda: np.repeat(x, count, axis), 0


@op("stack")
def _stack(d, lib):
    shape, dtype = d.shape(most=3), d.pick(ALL)
    arrays = [d.array(dtype, d.broadcastable(shape) if d.chance(5) else shape) for _ in range(d.integer(1, 4))]
    axis = d.integer(-len(shape) - 1, len(shape)) if d.chance(95) else len(shape) + 1
    return text("stack", *arrays, axis), lambda: lib.stack(arrays, axis), lambda: np.stack(arrays, axis), 0


@op("meshgrid")
def _meshgrid(d, lib):
    dtype, xy = d.pick(ALL), d.chance(50)
    arrays = [d.array(dtype, d.pick([(), (0,), (1,), (4,), (7,)])) for _ in range(d.integer(1, 3))]
    which = d.integer(0, len(arrays) - 1)
    return (text("meshgrid", *arrays, xy), lambda: lib.meshgrid(arrays, xy)[which],
            lambda: np.meshgrid(*arrays, indexing="xy" if xy else "ij")[which], 0)  # fmt: skip


def pad_mode(mode):
    def draw(d, lib):
        shape = d.shape(least=1, most=3, elements=800)
        x = d.array(d.pick(ALL), shape if d.chance(20) else d.some(shape))
        most = d.pick([2, 4, 11])
        low, high = ([d.integer(-1 if d.chance(1) else 0, most) for _ in x.shape] for _ in range(2))
        return (text("pad", mode, x, low, high), lambda: lib.pad_with(x, low, high, mode),
                lambda: np.pad(x, list(zip(low, high)), mode=mode), 0)  # fmt: skip

    OPS[f"pad_{mode}"] = draw


for _mode in ("edge", "reflect", "wrap", "symmetric"):
    pad_mode(_mode)


# Images ----------------------------------------------------------------------------------------------------------


def resized(x, axis, to, mode):
    """Along one axis: the element at floor(i from / to), or its two neighbours in proportion."""
    size = x.shape[axis]
    if mode == "nearest":
        at = np.arange(to, dtype=np.float32) * np.float32(size / to)
        return np.take(x, np.minimum(at.astype(np.int64), size - 1), axis)
    if mode == "corners":
        at = np.arange(to) * ((size - 1) / (to - 1) if to > 1 else 0.0)
    else:
        at = np.maximum((np.arange(to) + 0.5) * (size / to) - 0.5, 0)
    low = np.minimum(at.astype(np.int64), size - 1)
    part = (at - low).reshape([-1] + [1] * (x.ndim - 1 - axis))
    return np.take(x, low, axis) * (1 - part) + np.take(x, np.minimum(low + 1, size - 1), axis) * part


@op("interpolate")
def _interpolate(d, lib):
    dims, mode = d.integer(1, 3), d.pick(["nearest", "linear", "corners"])
    extents = [d.pick([1, 2, 3, 5, 8, 13] if dims < 3 else [1, 2, 5]) for _ in range(dims)]
    x = d.array(d.pick(["f32", "f64"]), (d.pick([1, 2]), d.pick([1, 3]), *extents), special=False)
    to = [d.pick([1, 2, 3, 7, 16] if dims < 3 else [1, 3, 6]) for _ in range(dims)]
    if d.chance(5):
        to[0] = d.pick([0, -1])

    def theirs():
        if min(to) < 1:
            raise ValueError("sizes must be positive")
        y = x if mode == "nearest" else x.astype(np.float64)
        for i, n in enumerate(to):
            y = resized(y, i + 2, n, mode)
        return y.astype(x.dtype)

    # A position is off by its rounding, times the slope.
    return (text("interpolate", x, to, mode), lambda: lib.interpolate(x, to, mode), theirs,
            0 if mode == "nearest" else lambda y: 600 * np.finfo(y.dtype).eps)  # fmt: skip


# Reductions ------------------------------------------------------------------------------------------------------


@op("logsumexp")
def _logsumexp(d, lib):
    x = d.array(d.pick(FLOATS), d.some(d.shape(elements=20000)), low=-200, high=200)
    axes, keep = d.axes(x.ndim), d.chance(40)

    def theirs():
        w = x.astype(np.float64)
        return np.asarray(np.logaddexp.reduce(w, axis=axes or None, keepdims=keep), x.dtype)

    return (text("logsumexp", x, axes, keep), lambda: lib.logsumexp(x, axes, keep), theirs,
            lambda y: 32 * np.finfo(y.dtype).eps * np.maximum(1, np.abs(y)))  # fmt: skip


@op("std")
def _std(d, lib):
    x = d.array(d.pick(FLOATS), d.some(d.shape(least=1, elements=20000)), special=False)
    axes, keep, correction = d.axes(x.ndim), d.chance(40), float(d.integer(0, 1))
    return (text("std", x, axes, correction, keep), lambda: lib.std(x, axes, correction, keep),
            lambda: np.std(x.astype(np.float64), axis=axes or None, ddof=correction, keepdims=keep).astype(x.dtype),
            lambda y: reduction_bound(x, None) + 8 * np.finfo(y.dtype).eps)  # fmt: skip


@op("norm")
def _norm(d, lib):
    x = d.array(d.pick(FLOATS), d.some(d.shape(least=1, elements=20000)), special=False)
    axis, keep = d.integer(-x.ndim, x.ndim - 1) if d.chance(96) else x.ndim, d.chance(40)
    order = d.pick([0.0, 1.0, 2.0, 2.0, 3.0, 0.5, -1.0, math.inf, -math.inf])
    return (text("norm", x, order, axis, keep), lambda: lib.norm(x, order, (axis,), keep),
            lambda: np.linalg.norm(x.astype(np.float64), order, axis, keep).astype(x.dtype),
            lambda y: 64 * np.finfo(y.dtype).eps * np.abs(y).astype(np.float64) + np.finfo(y.dtype).tiny)  # fmt: skip
