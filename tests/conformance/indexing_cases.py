"""Indexing: NumPy's own rules, drawn at random; gathers and scatters against loops in Python."""

import numpy as np

from binding import NUMPY
from cases import op, text
from draw import ALL, INTS, NUMBERS


def positions(d, size, shape, dtype=None):
    """Indices into a dimension, negative ones too."""
    dtype = dtype or d.pick(INTS)
    limit = np.iinfo(NUMPY[dtype])
    low, high = max(-size, int(limit.min)), min(size - 1, int(limit.max))
    if size == 0:
        return np.zeros(shape, limit.dtype)
    return d.strided(shape, lambda s: d.rng.integers(low, high, size=s, endpoint=True).astype(limit.dtype))


def bound(d, size):
    return None if d.chance(40) else d.integer(-size - 2, size + 2)


def index_of(d, shape, arrays=True):
    """A tuple for x[...] of this shape; now and then one that NumPy refuses."""
    used = d.integer(0, len(shape)) if d.chance(50) else len(shape)
    common = d.shape(most=2, elements=40) if arrays else ()
    items = []
    for size in shape[:used]:
        kind = d.integer(0, 3 if arrays else 1)
        if kind == 0 and size > 0:
            items.append(d.integer(-size, size - 1 if d.chance(97) else size))
        elif kind >= 2:
            own = tuple(1 if d.chance(20) else s for s in common)
            own = own[d.integer(0, len(own)) :] if d.chance(20) else own
            items.append(positions(d, size, own))
        else:
            items.append(slice(bound(d, size), bound(d, size), d.pick([None, 1, 1, 2, 3, -1, -2])))
    if d.chance(40):
        # Those behind an ellipsis are about the last dimensions.
        place = d.integer(0, len(items))
        if place == len(items) or used == len(shape):
            items.insert(place, Ellipsis)
    while len(items) < 6 and d.chance(25):
        items.insert(d.integer(0, len(items)), None)
    if d.chance(3):
        items.append(0)
    return tuple(items)


def shown(name, x, index, *more):
    parts = [f"{i.dtype}{list(i.shape)}" if isinstance(i, np.ndarray) else repr(i) for i in index]
    return text(name, x, *more) + "[" + ", ".join(parts) + "]"


@op("index")
def _index(d, lib):
    x = d.array(d.pick(ALL), d.shape(most=4, elements=3000))
    index = index_of(d, x.shape, arrays=False)
    return shown("index", x, index), lambda: lib.index(x, index), lambda: x[index], 0


@op("index_arrays")
def _index_arrays(d, lib):
    x = d.array(d.pick(ALL), d.shape(least=1, most=4, elements=3000))
    index = index_of(d, x.shape)
    return shown("index", x, index), lambda: lib.index(x, index), lambda: x[index], 0


COMBINE = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}


def updated(kind, x, index, value):
    y = x.copy()
    if kind == "set":
        y[index] = value
    else:
        np.broadcast_to(value, y[index].shape)
        COMBINE[kind].at(y, index, value)
    return y


def update(kind, arrays):
    def draw(d, lib):
        dtype = d.pick(ALL if kind in ("set", "min", "max") else NUMBERS)
        x = d.array(dtype, d.shape(least=int(arrays), most=4, elements=2000))
        index = index_of(d, x.shape, arrays)
        try:
            shape = d.broadcastable(x[index].shape)
        except IndexError:
            shape = ()
        value = d.array(dtype, shape)

        return (shown(kind, x, index, value), lambda: lib.index_update(kind, x, index, value),
                lambda: updated(kind, x, index, value), 0)  # fmt: skip

    return draw


for _kind in ("set", "add", "mul", "min", "max"):
    op(f"at_{_kind}")(update(_kind, arrays=False))
    op(f"at_{_kind}_arrays")(update(_kind, arrays=True))


# Masks -----------------------------------------------------------------------------------------------------------


def mask_index(d, shape):
    """A tuple with one mask of some neighbouring dimensions; now and then of a wrong shape."""
    first = d.integer(0, len(shape))
    last = d.integer(first, len(shape))
    own = list(shape[first:last])
    if own and d.chance(4):
        own[0] += 1
    mask = d.array("i1", tuple(own))
    before, after = index_of(d, shape[:first], False), index_of(d, shape[last:], False)
    if Ellipsis in before or len([i for i in before if i is not None]) != first:
        before = (slice(None),) * first
    if len(before) + len(after) > 6 or Ellipsis in after:
        after = ()
    return (*before, mask, *after), len(before)


def mask_update(kind):
    def draw(d, lib):
        dtype = d.pick(ALL if kind in ("set", "min", "max") else NUMBERS)
        x = d.array(dtype, d.shape(most=4, elements=2000))
        index, place = mask_index(d, x.shape)
        try:
            # The selected dimension is the one whose size the mask decides.
            none, every = (x[index[:place] + (np.full_like(index[place], v),) + index[place + 1 :]].shape for v in (False, True))
            shape = tuple(1 if a != b else a for a, b in zip(none, every))
            value = d.array(dtype, d.broadcastable(shape) if none != every else ())
        except IndexError:
            value = d.array(dtype, ())
        if any(a > 1 and b == 1 for a, b in zip(value.shape[::-1], shape[::-1])) if value.ndim else False:
            value = d.array(dtype, ())  # as many values as places: not known before the run

        return (shown(f"mask {kind}", x, index, value), lambda: lib.index_update(kind, x, index, value),
                lambda: updated(kind, x, index, value), 0)  # fmt: skip

    return draw


for _kind in ("set", "add", "mul", "min", "max"):
    op(f"at_{_kind}_mask")(mask_update(_kind))


def padded(found, size, fill):
    """The first of them, and the filling behind."""
    y = np.full((size, *found.shape[1:]), fill, found.dtype)
    y[: len(found)] = found[:size]
    return y


@op("nonzero")
def _nonzero(d, lib):
    x = d.array(d.pick(ALL), d.shape(least=1), special=False)
    x = np.where(d.rng.integers(2, size=x.shape) == 1, x, np.zeros((), x.dtype))
    size, fill, axis = d.pick([0, 1, 5, 40, x.size]), d.integer(-2, 9), d.integer(0, x.ndim - 1)
    return (text("nonzero", x, size, fill, axis), lambda: lib.nonzero(x, size, fill)[axis],
            lambda: padded(np.nonzero(x)[axis], size, fill), 0)  # fmt: skip


@op("masked_select")
def _masked_select(d, lib):
    x = d.array(d.pick(NUMBERS), d.shape())
    own = list(x.shape[: d.integer(0, x.ndim)])
    if own and d.chance(4):
        own[-1] += 1
    mask, size, fill = d.array("i1", tuple(own)), d.pick([0, 1, 5, 40]), d.integer(0, 9)
    return (text("masked_select", x, mask, size, fill), lambda: lib.masked_select(x, mask, size, fill),
            lambda: padded(x[mask], size, fill), 0)  # fmt: skip


# Slices whose starts are tensors ---------------------------------------------------------------------------------


def part_of(d, shape):
    """Sizes, now and then too large; starts as numbers and tensors; where the part lies."""
    sizes = tuple(d.integer(0, n + (1 if d.chance(2) else 0)) for n in shape)
    starts = [d.integer(-3, n + 3) for n in shape]
    given = [np.asarray(s, d.pick([np.int8, np.int32, np.int64])) if d.chance(60) else s for s in starts]

    def place():
        if any(s > n for s, n in zip(sizes, shape)):
            raise ValueError("does not fit")
        return tuple(slice(a, a + s) for a, s in zip((min(max(i, 0), n - s) for i, n, s in zip(starts, shape, sizes)), sizes))

    return sizes, given, place


@op("dynamic_slice")
def _dynamic_slice(d, lib):
    x = d.array(d.pick(ALL), d.shape())
    sizes, starts, place = part_of(d, x.shape)
    return text("dynamic_slice", x, starts, sizes), lambda: lib.dynamic_slice(x, starts, sizes), lambda: x[place()], 0


@op("dynamic_update_slice")
def _dynamic_update_slice(d, lib):
    dtype = d.pick(ALL)
    x = d.array(dtype, d.shape())
    sizes, starts, place = part_of(d, x.shape)
    update = d.array(d.pick(ALL) if d.chance(3) else dtype, sizes)

    def theirs():
        if update.dtype != x.dtype:
            raise TypeError("one dtype")
        y = x.copy()
        y[place()] = update
        return y

    return (text("dynamic_update_slice", x, update, starts), lambda: lib.dynamic_update_slice(x, update, starts), theirs, 0)  # fmt: skip


@op("take")
def _take(d, lib):
    x = d.array(d.pick(ALL), d.shape(least=1))
    axis = None if d.chance(25) else d.integer(-x.ndim, x.ndim - 1 if d.chance(95) else x.ndim)
    size = x.size if axis is None else x.shape[min(axis, x.ndim - 1)]
    i = positions(d, size, d.shape(most=2, elements=60))
    return text("take", x, i, axis), lambda: lib.take(x, i, axis), lambda: np.take(x, i, axis), 0


@op("take_along_axis")
def _take_along_axis(d, lib):
    x = d.array(d.pick(ALL), d.shape(least=1))
    axis = d.integer(-x.ndim, x.ndim - 1)
    shape = [1 if d.chance(15) else s for s in x.shape]
    shape[axis] = d.pick([0, 1, 2, 5, 17])
    if d.chance(4):
        shape.append(1)
    i = positions(d, x.shape[axis], tuple(shape))
    return (text("take_along_axis", x, i, axis), lambda: lib.take_along_axis(x, i, axis),
            lambda: np.take_along_axis(x, i, axis), 0)  # fmt: skip


@op("flip")
def _flip(d, lib):
    x = d.array(d.pick(ALL), d.shape())
    axes = d.axes(x.ndim)
    return text("flip", x, axes), lambda: lib.flip(x, axes), lambda: np.flip(x, axes or None), 0


@op("one_hot")
def _one_hot(d, lib):
    size, dtype = d.pick([0, 1, 2, 5, 33]), d.pick(ALL)
    i = positions(d, size + 2, d.shape(most=2, elements=60))

    def theirs():
        wide = i.astype(np.int64)
        return (np.where(wide < 0, wide + size, wide)[..., None] == np.arange(size)).astype(NUMPY[dtype])

    return text("one_hot", i, size), lambda: lib.one_hot(i, size, dtype), theirs, 0


# StableHLO's numbers ---------------------------------------------------------------------------------------------


def numbers_of(d, shape):
    """Dimension numbers and indices for an operand of this shape, some of them out of range."""
    rank = len(shape)
    count = d.integer(0, rank)
    mapped = tuple(int(v) for v in d.rng.permutation(rank)[:count])
    dropped = tuple(v for v in range(rank) if d.chance(50))
    batch = d.shape(most=2, elements=30)
    vector_dim = d.integer(0, len(batch))
    own = batch[:vector_dim] + (count,) + batch[vector_dim:]
    if count == 1 and d.chance(50):
        own, vector_dim = batch, len(batch)
    indices = d.rng.integers(-3, max(shape, default=0) + 4, size=own).astype(d.pick([np.int8, np.int32, np.int64]))
    total = len(batch) + rank - len(dropped)
    window = tuple(sorted(int(v) for v in d.rng.permutation(total)[: rank - len(dropped)]))
    return window, dropped, mapped, vector_dim, indices, batch


def walk(batch, indices, window, dropped, mapped, vector_dim, sizes):
    """(place in the result or the updates, start per dim of x, offset per dim of x)"""
    rank, total = len(sizes), len(batch) + len(window)
    kept = [v for v in range(rank) if v not in dropped]
    outer = [v for v in range(total) if v not in window]
    vectors = indices if vector_dim < indices.ndim else indices[..., None]
    vectors = np.moveaxis(vectors, vector_dim, -1)
    for n in np.ndindex(*batch):
        start = [0] * rank
        for k, v in enumerate(mapped):
            start[v] = int(vectors[n][k])
        for w in np.ndindex(*[sizes[v] for v in kept]):
            place, offset = [0] * total, [0] * rank
            for v, i in zip(outer, n):
                place[v] = i
            for v, a, i in zip(window, kept, w):
                place[v] = i
                offset[a] = i
            yield tuple(place), start, offset


@op("gather")
def _gather(d, lib):
    x = d.array(d.pick(ALL), d.some(d.shape(most=3, elements=500)))
    window, dropped, mapped, vector_dim, indices, batch = numbers_of(d, x.shape)
    sizes = [1 if v in dropped else d.integer(0, min(s, 5)) for v, s in enumerate(x.shape)]

    def theirs():
        shape = [0] * (len(batch) + len(window))
        for v, s in zip([v for v in range(len(shape)) if v not in window], batch):
            shape[v] = s
        for v, s in zip(window, [s for v, s in enumerate(sizes) if v not in dropped]):
            shape[v] = s
        y = np.zeros(shape, x.dtype)
        for place, start, offset in walk(batch, indices, window, dropped, mapped, vector_dim, sizes):
            y[place] = x[tuple(min(max(s, 0), n - z) + o for s, o, n, z in zip(start, offset, x.shape, sizes))]
        return y

    return (text("gather", x, indices, window, dropped, mapped, vector_dim, sizes),
            lambda: lib.gather(x, indices, window, dropped, mapped, vector_dim, sizes), theirs, 0)  # fmt: skip


@op("scatter")
def _scatter(d, lib):
    dtype, kind = d.pick(NUMBERS), d.pick(["set", "add", "mul", "min", "max"])
    x = d.array(dtype, d.some(d.shape(most=3, elements=500)))
    window, dropped, mapped, vector_dim, indices, batch = numbers_of(d, x.shape)
    sizes = [1 if v in dropped else d.integer(0, min(s, 5)) for v, s in enumerate(x.shape)]
    shape = [0] * (len(batch) + len(window))
    for v, s in zip([v for v in range(len(shape)) if v not in window], batch):
        shape[v] = s
    for v, s in zip(window, [s for v, s in enumerate(sizes) if v not in dropped]):
        shape[v] = s
    updates = d.array(dtype, tuple(shape))

    def theirs():
        y = x.copy()
        for place, start, offset in walk(batch, indices, window, dropped, mapped, vector_dim, sizes):
            at = tuple(s + o for s, o in zip(start, offset))
            if all(0 <= i < n for i, n in zip(at, y.shape)):
                y[at] = updates[place] if kind == "set" else COMBINE[kind](y[at], updates[place])
        return y

    return (text(f"scatter {kind}", x, indices, updates, window, dropped, mapped, vector_dim),
            lambda: lib.scatter(kind, x, indices, updates, window, dropped, mapped, vector_dim), theirs, 0)  # fmt: skip
