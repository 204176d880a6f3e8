"""Joining and splitting arrays, with NumPy's names."""

import builtins

from .. import _core
from .._arguments import _array, _axis, _same, _together, _whole
from .._creation import asarray, full
from .._shapes import broadcast_to, concat, expand_dims, flip, moveaxis, ravel, split, stack, swapaxes

__all__ = [
    "append", "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "block", "column_stack", "delete", "diagflat", "diagonal",
    "dsplit", "dstack", "fliplr", "flipud", "hsplit", "hstack", "insert", "resize", "rollaxis", "rot90", "row_stack",
    "trim_zeros", "vsplit", "vstack",
]  # fmt: skip


def _each(function, arrays):
    made = [function(a) for a in _together(*arrays)]
    return made[0] if len(made) == 1 else tuple(made)


def atleast_1d(*arrays):
    """x with at least one axis; a tuple for several arrays.

    >>> tc.atleast_1d(3.0)
    array([3.0], dtype=float32)
    """
    return _each(lambda x: x if x.ndim else _core.reshape(x, (1,)), arrays)


def atleast_2d(*arrays):
    """x with at least two axes, where new axes come first; a tuple for several arrays."""
    return _each(lambda x: x if x.ndim > 1 else _core.reshape(x, (1, -1)), arrays)


def atleast_3d(*arrays):
    """x with at least three axes: a vector becomes (1, n, 1), a matrix (m, n, 1). A tuple for several arrays."""
    return _each(lambda x: x if x.ndim > 2 else _core.reshape(x, (*x.shape, 1) if x.ndim == 2 else (1, -1, 1)), arrays)


def hstack(arrays):
    """Arrays joined along the second axis, or vectors joined along their only axis.

    >>> tc.hstack([tc.ones(1), tc.zeros(2)])
    array([1.0, 0.0, 0.0], dtype=float32)
    """
    arrays = [atleast_1d(a) for a in _together(*arrays)]
    return concat(arrays, axis=0 if arrays and arrays[0].ndim == 1 else 1)


def vstack(arrays):
    """Arrays joined along the first axis; vectors become rows first.

    >>> tc.vstack([tc.ones(2), tc.zeros(2)]).shape
    (2, 2)
    """
    return concat([atleast_2d(a) for a in _together(*arrays)], axis=0)


row_stack = vstack


def dstack(arrays):
    """Arrays joined along the third axis."""
    return concat([atleast_3d(a) for a in _together(*arrays)], axis=2)


def column_stack(arrays):
    """Arrays joined along the second axis; vectors become columns first."""
    arrays = _together(*arrays)
    return concat([a if a.ndim > 1 else _core.reshape(a, (-1, 1)) for a in arrays], axis=1)


def block(arrays):
    """Joins nested lists of arrays: innermost lists along the last axis, the lists around them along the axis before,
    and so on.

    >>> tc.block([[tc.eye(1), tc.zeros((1, 1))], [tc.ones((1, 2))]]).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """

    def depth(x):
        return 1 + builtins.max(map(depth, x)) if isinstance(x, list) else 0

    levels = depth(arrays)

    def leaves(x):
        return [leaf for part in x for leaf in leaves(part)] if isinstance(x, list) else [_array(x)]

    rank = builtins.max([levels, *(a.ndim for a in leaves(arrays))])

    def joined(x, level):
        if not isinstance(x, list):
            x = _array(x)
            return _core.reshape(x, (*[1] * (rank - x.ndim), *x.shape))
        return concat([joined(part, level - 1) for part in x], axis=-level)

    return joined(arrays, levels)


def array_split(x, parts, axis=0):
    """Splits x along an axis into a number of parts, of which the first ones are longer by one if they cannot be
    equal, or before these positions."""
    x = _array(x)
    if isinstance(parts, int):
        if parts <= 0:
            raise ValueError(f"array_split: {parts} parts")
        size, longer = divmod(x.shape[_axis(axis, x.ndim)], parts)
        parts = [size * i + builtins.min(i, longer) for i in range(1, parts)]
    return split(x, parts, axis)


def hsplit(x, parts):
    """Splits x along the second axis, or a vector along its only axis."""
    x = _array(x)
    if x.ndim == 0:
        raise ValueError("hsplit: of an array of rank 0")
    return split(x, parts, 1 if x.ndim > 1 else 0)


def vsplit(x, parts):
    """Splits x along the first axis; x is not a vector."""
    x = _array(x)
    if x.ndim < 2:
        raise ValueError("vsplit: of an array with fewer than two axes")
    return split(x, parts, 0)


def dsplit(x, parts):
    """Splits x along the third axis."""
    x = _array(x)
    if x.ndim < 3:
        raise ValueError("dsplit: of an array with fewer than three axes")
    return split(x, parts, 2)


def append(x, values, axis=None):
    """x with values appended along an axis; without an axis both are flattened first."""
    x, values = _same([x, values])
    return concat([ravel(x), ravel(values)]) if axis is None else concat([x, values], axis=axis)


def _rows(x, axis):
    x = _array(x)
    return (ravel(x), 0) if axis is None else (x, _axis(axis, x.ndim))


def _at(axis, index):
    return (slice(None),) * axis + (index,)


def _places(name, where, count, most):
    """Returns the nonnegative positions that an index, a slice, a mask or a list of indices
    selects."""
    if isinstance(where, slice):
        return list(range(*where.indices(count)))
    where = where.tolist() if hasattr(where, "tolist") else where
    places = list(where) if isinstance(where, (list, tuple, range)) else [where]
    if places and all(isinstance(p, bool) for p in places):
        if len(places) != count:
            raise ValueError(f"{name}: a mask of {len(places)} elements for an axis of {count}")
        return [i for i, p in enumerate(places) if p]
    places = [_whole(p, f"{name}: an index") for p in places]
    for p in places:
        if not -count <= p < most:
            raise IndexError(f"{name}: the index {p} along an axis of {count} elements")
    return [p + count if p < 0 else p for p in places]


def delete(x, where, axis=None):
    """x without the positions along an axis that an index, a slice, a mask or a list of indices selects; without an
    axis x is flattened first.

    >>> tc.delete(tc.arange(4), [0, -1])
    array([1, 2], dtype=int64)
    """
    x, axis = _rows(x, axis)
    count = x.shape[axis]
    gone = set(_places("delete", where, count, count))
    kept = [i for i in range(count) if i not in gone]
    return _core.take(x, asarray(kept, dtype="int64", device=x.device), axis)


def insert(x, where, values, axis=None):
    """x with values inserted before an index, or each value before its own index, along an axis; without an axis x is
    flattened first.

    >>> tc.insert(tc.asarray([1.0, 4.0]), 1, [2.0, 3.0])
    array([1.0, 2.0, 3.0, 4.0], dtype=float32)
    """
    x, axis = _rows(x, axis)
    count = x.shape[axis]
    places = _places("insert", where, count, count + 1)
    values = _core.astype(_core.beside(values, x), x.dtype)
    one = not (isinstance(where, (list, tuple, range, slice)) or hasattr(where, "tolist"))
    if one and values.ndim:  # as many rows as there are, or one row, at a single index
        values = values if values.ndim == x.ndim else expand_dims(values, 0)
        values = values if x.ndim == 1 or values.ndim < x.ndim else moveaxis(values, 0, axis) if axis else values
        places *= values.shape[axis] if values.ndim == x.ndim else 1
    shape = (*x.shape[:axis], len(places), *x.shape[axis + 1 :])
    joined = concat([x, broadcast_to(values, shape)], axis=axis)
    order = sorted([(i, 1, i) for i in range(count)] + [(p, 0, count + n) for n, p in enumerate(places)])
    return _core.take(joined, asarray([row for *_, row in order], dtype="int64", device=x.device), axis)


def fliplr(x):
    """The columns in reverse order."""
    return flip(_array(x), axis=1)


def flipud(x):
    """The rows in reverse order."""
    return flip(_array(x), axis=0)


def rot90(x, k=1, axes=(0, 1)):
    """x rotated by k right angles, from the first of two axes to the second.

    >>> tc.rot90(tc.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """
    x = _array(x)
    first, second = (_axis(a, x.ndim) for a in axes)
    if first == second:
        raise ValueError(f"rot90: two axes are turned, not {axes}")
    k %= 4
    if k == 2:
        return flip(x, axis=(first, second))
    if k == 1:
        return swapaxes(flip(x, axis=second), first, second)
    return flip(swapaxes(x, first, second), axis=second) if k else x


def diagonal(x, offset=0, axis1=0, axis2=1):
    """The diagonals of two axes, along a new last axis.

    >>> tc.diagonal(tc.asarray([[1, 2], [3, 4]]))
    array([1, 4], dtype=int64)
    """
    x = _array(x)
    first, second = _axis(axis1, x.ndim), _axis(axis2, x.ndim)
    if first == second:
        raise ValueError(f"diagonal: of two axes, not {axis1} and {axis2}")
    x = moveaxis(x, (first, second), (-2, -1))
    *batch, rows, columns = x.shape
    first = builtins.max(-offset, 0) * columns + builtins.max(offset, 0)
    count = builtins.max(0, builtins.min(rows + builtins.min(offset, 0), columns - builtins.max(offset, 0)))
    flat = _core.reshape(x, (*batch, rows * columns))
    return flat[..., first : first + (count - 1) * (columns + 1) + 1 : columns + 1] if count else flat[..., :0]


def diagflat(x, k=0):
    """The matrix with the elements of x on a diagonal."""
    return _core.diag(ravel(x), k)


def resize(x, shape):
    """The flattened elements of x, repeated until the shape is filled."""
    x = ravel(x)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    count = 1
    for size in shape:
        count *= size
    if not x.shape[0]:
        return full(shape, 0, dtype=x.dtype, device=x.device)
    return _core.reshape(_core.tile(x, (-(-count // x.shape[0]),))[:count], shape)


def rollaxis(x, axis, start=0):
    """NumPy's rollaxis: moves the axis before the axis that is at `start`."""
    x = _array(x)
    axis = _axis(axis, x.ndim)
    start = start + x.ndim if start < 0 else start
    return moveaxis(x, axis, start - (axis < start))


def trim_zeros(x, trim="fb"):
    """A vector without the zeros at its front, its back or both. Evaluates x, because the size of the result depends
    on it."""
    x = _array(x)
    kept = [i for i, is_set in enumerate(_core.ne(x, 0).tolist()) if is_set]
    if not kept:
        return x[:0]
    first = kept[0] if "f" in trim else 0
    return x[first : kept[-1] + 1 if "b" in trim else None]
