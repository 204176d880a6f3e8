"""Positions of elements, constructors and properties of arrays, with NumPy's names."""

import builtins
import math

from .. import _core
from .._arguments import Array, _array, _axis, _int64, _same, _together, _whole
from .._creation import arange, asarray, eye, full, linspace, ones
from .._dtypes import as_dtype, is_complex
from .._elementwise import allclose, pow
from .._reductions import all
from .._shapes import broadcast_to, moveaxis, ravel, stack
from .._sorting import argsort, nonzero, sort

__all__ = [
    "apply_along_axis", "argpartition", "argwhere", "array_equal", "bitwise_count", "compress", "copy", "diag_indices", "extract",
    "fill_diagonal", "flatnonzero", "fromfunction", "geomspace", "identity", "indices", "iscomplexobj", "isrealobj", "isscalar", "ix_", "lexsort", "logspace", "ndim",
    "partition", "put_along_axis", "ravel_multi_index", "shape", "size", "tri", "tril_indices", "triu_indices", "unravel_index",
]  # fmt: skip


def argwhere(x):
    """The indices of the nonzero elements, one row per element. Evaluates x, because the number of elements is a size
    of the result.

    >>> tc.argwhere(tc.asarray([[0, 5], [6, 0]])).tolist()
    [[0, 1], [1, 0]]
    """
    return stack(nonzero(x), axis=1)


def flatnonzero(x):
    """The indices of the nonzero elements of the flattened x. Evaluates x."""
    return nonzero(ravel(x))[0]


def array_equal(x1, x2, equal_nan=False):
    """True, as a Python bool, if both have the same shape and equal elements.

    >>> tc.array_equal(tc.arange(2), [0, 1])
    True
    """
    x1, x2 = _together(x1, x2)
    if x1.shape != x2.shape:
        return False
    if equal_nan:
        return allclose(x1, x2, 0, 0, equal_nan=True)
    return bool(all(_core.eq(*_same([x1, x2]))))


def bitwise_count(x, /):
    """The number of bits that are set in the absolute value of integers, as uint8.

    >>> tc.bitwise_count(tc.asarray([7, -1, 0])).tolist()
    [3, 1, 0]
    """
    return _core.astype(_core.popcount(_core.abs(_array(x))), as_dtype("uint8"))


def extract(condition, x, /):
    """The elements of the flattened x where the condition is true. Evaluates the condition, because their number is a
    size of the result.

    >>> tc.extract([True, False, True], tc.arange(3)).tolist()
    [0, 2]
    """
    return compress(ravel(condition), x)


def copy(x):
    """An array of the same value: later assignments to one do not change the other."""
    return _array(x).__copy__()


def shape(x):
    """The shape of an array as a tuple."""
    return _array(x).shape


def ndim(x):
    """The number of axes."""
    return _array(x).ndim


def size(x, axis=None):
    """The number of elements, or the size of an axis."""
    x = _array(x)
    return x.size if axis is None else x.shape[_axis(axis, x.ndim)]


def isscalar(x):
    """True for a Python number."""
    return isinstance(x, (bool, int, float, complex))


def iscomplexobj(x):
    """True if the elements are complex numbers."""
    return is_complex(_array(x).dtype)


def isrealobj(x):
    """True if the elements are not complex numbers."""
    return not iscomplexobj(x)


def identity(n, dtype=None):
    """The matrix with ones on its diagonal."""
    return eye(n, dtype=dtype)


def tri(n_rows, n_cols=None, k=0, dtype=None):
    """Ones on and below the diagonal k, zeros elsewhere."""
    n_cols = n_rows if n_cols is None else n_cols
    return _core.tril(ones((n_rows, n_cols), dtype=dtype), builtins.max(-n_rows - 1, builtins.min(k, n_cols + 1)))


def tril_indices(n, k=0, m=None):
    """The row and column indices of the elements on and below the diagonal k of an n x m matrix.

    >>> tc.tril_indices(2)
    (array([0, 1, 1], dtype=int64), array([0, 0, 1], dtype=int64))
    """
    return nonzero(tri(n, m, k, dtype="bool"))


def triu_indices(n, k=0, m=None):
    """The row and column indices of the elements on and above the diagonal k of an n x m matrix."""
    return nonzero(_core.bitwise_not(tri(n, m, k - 1, dtype="bool")))


def diag_indices(n, ndim=2):
    """The indices of the main diagonal of an array with n elements along each of its axes."""
    return (arange(n),) * ndim


def compress(condition, x, axis=None):
    """The slices of x along an axis (or the elements of the flattened x) where the vector `condition` is true.
    Evaluates the condition."""
    x = ravel(x) if axis is None else _array(x)
    along = 0 if axis is None else _axis(axis, x.ndim)
    (places,) = nonzero(condition)
    last, size = int(places[-1]) if places.size else -1, x.shape[along]
    if isinstance(size, int) and last >= size:
        raise IndexError(f"compress: the condition is true at {last}, and axis {along} has {size} elements")
    return _core.take(x, places, along)


def indices(dimensions, dtype=None):
    """The coordinates of each position of a grid, along a new first axis."""
    dimensions = tuple(dimensions)
    dtype = _int64 if dtype is None else as_dtype(dtype)
    rows = [arange(n, dtype=dtype) for n in dimensions]
    return stack(_core.meshgrid(rows, False)) if rows else full((0,), 0, dtype=dtype)


def fromfunction(function, shape, *, dtype=None):
    """Calls the function with the coordinates of the grid of this shape, one array per axis, which are floats by
    default."""
    return function(*indices(shape, as_dtype("float32") if dtype is None else dtype))


def ix_(*arrays):
    """Reshapes vectors of row indices, column indices, ... so that they broadcast to a grid."""
    made = []
    for i, a in enumerate(arrays):
        a = _array(a)
        if a.dtype.name == "bool":
            (a,) = nonzero(a)
        made.append(_core.reshape(a, (*[1] * i, -1, *[1] * (len(arrays) - i - 1))))
    return tuple(made)


def logspace(start, stop, num=50, *, base=10.0, dtype=None, endpoint=True):
    """`base` to the power of evenly spaced numbers from start to stop.

    >>> tc.logspace(0, 2, 3)
    array([1.0, 10.0, 100.0], dtype=float32)
    """
    dtype = as_dtype("float32" if dtype is None else dtype)
    return _core.astype(pow(float(base), linspace(start, stop, num, dtype="float64", endpoint=endpoint)), dtype)


def geomspace(start, stop, num=50, *, dtype=None, endpoint=True):
    """Numbers from start to stop in a geometric sequence.

    >>> tc.geomspace(1, 8, 4)
    array([1.0, 2.0, 4.0, 8.0], dtype=float32)
    """
    if not start or not stop or (start < 0) != (stop < 0):
        raise ValueError(f"geomspace: from {start} to {stop}")
    sign = -1.0 if start < 0 else 1.0
    made = logspace(math.log10(start * sign), math.log10(stop * sign), num, dtype="float64", endpoint=endpoint)
    return _core.astype(made * sign, as_dtype("float32" if dtype is None else dtype))


def lexsort(keys, axis=-1):
    """The indices that sort by the last key, with ties broken by the key before it, and so on.

    >>> tc.lexsort([tc.asarray([1, 0, 2]), tc.asarray([1, 1, 0])])
    array([2, 1, 0], dtype=int64)
    """
    keys = [_array(k) for k in keys]
    if not keys:
        raise TypeError("lexsort: at least one key is needed")
    axis = _axis(axis, keys[0].ndim)
    order = argsort(keys[0], axis=axis)
    for key in keys[1:]:
        order = _core.take_along_axis(order, argsort(_core.take_along_axis(key, order, axis), axis=axis), axis)
    return order


def partition(x, kth, axis=-1):
    """x sorted along an axis, so the element at position `kth` is the one of the sorted order."""
    return sort(x, axis=axis)


def argpartition(x, kth, axis=-1):
    """The indices that sort x along an axis."""
    return argsort(x, axis=axis)


def put_along_axis(x, places, values, axis):
    """Updates x in place: writes values at these indices along the axis."""
    axis = _axis(axis, x.ndim)
    places = _core.near(places, x)
    grid = _core.meshgrid([arange(n) for n in places.shape], False)
    grid[axis] = places
    x[tuple(grid)] = broadcast_to(_core.beside(values, x), places.shape)


def fill_diagonal(x, value, wrap=False, *, inplace=True):
    """Updates x in place: sets the elements x[i, i, ...] to a value, or to the elements of an array in order. With
    `wrap` the diagonal of a tall matrix starts again, one row further down. `inplace=False`, as in JAX, returns the
    changed array and leaves x as it is.

    >>> x = tc.zeros((2, 2))
    >>> tc.fill_diagonal(x, 5)
    >>> x
    array([[5.0, 0.0], [0.0, 5.0]], dtype=float32)
    """
    if not isinstance(x, Array):
        raise TypeError(f"fill_diagonal: an array is expected, whose object has the new value, not {type(x).__name__}")
    if x.ndim < 2:
        raise ValueError(f"fill_diagonal: an array of at least 2 axes is expected, not of shape {x.shape}")
    if x.ndim > 2 and len(set(x.shape)) > 1:
        raise ValueError(f"fill_diagonal: all axes must have one size, not those of {x.shape}")
    step = sum(math.prod(x.shape[i + 1 :]) for i in range(x.ndim))
    end = x.size if wrap or x.ndim > 2 else builtins.min(x.size, x.shape[1] * x.shape[1])
    count = len(range(0, end, step))
    if not isinstance(value, (bool, int, float, complex)):
        value = ravel(_core.beside(value, x))
        if not value.size:
            raise ValueError("fill_diagonal: no values")
        value = value[arange(count) % value.size]
    flat = ravel(x)
    flat[:end:step] = value
    filled = flat.reshape(x.shape)
    if not inplace:
        return filled
    x[...] = filled


def apply_along_axis(function, axis, x, *args, **kwargs):
    """Applies function(row, *args, **kwargs) to each row along an axis. If the function cannot be batched (vmap), it
    is called for one row after another.

    >>> tc.apply_along_axis(lambda row: row / tc.max(row), 1, tc.asarray([[1.0, 2.0], [3.0, 4.0]]))
    array([[0.5, 1.0], [0.75, 1.0]], dtype=float32)
    """
    from .._transforms import vmap

    x = moveaxis(_array(x), _axis(axis, _array(x).ndim), -1)
    rows = x.reshape(-1, x.shape[-1])
    if not rows.shape[0]:
        raise ValueError("apply_along_axis: there are no rows to apply the function to")
    try:
        made = vmap(lambda row: _array(function(row, *args, **kwargs)))(rows)
    # The function reads values, or sizes of its result depend on values.
    except (TypeError, ValueError):
        made = stack([_array(function(row, *args, **kwargs)) for row in rows])
    made = made.reshape(*x.shape[:-1], *made.shape[1:])
    # The axes of the function's result replace the axis.
    own = tuple(range(x.ndim - 1, made.ndim))
    return moveaxis(made, own, tuple(_axis(axis, x.ndim) + i for i in range(len(own))))


def unravel_index(places, shape):
    """The index along each axis for positions in the flattened array (row-major).

    >>> tc.unravel_index(tc.asarray([4]), (2, 3))
    (array([1], dtype=int64), array([1], dtype=int64))
    """
    places, made = _array(places), []
    for n in reversed(tuple(shape) if not isinstance(shape, int) else (shape,)):
        made.append(_core.mod(places, n))
        places = _core.floor_div(places, n)
    return tuple(reversed(made))


def ravel_multi_index(places, shape):
    """The positions in the flattened array (row-major) for these indices along the axes; a Python number out of range
    is a ValueError."""
    places, shape = tuple(places), tuple(shape)
    if len(places) != len(shape):
        raise ValueError(f"ravel_multi_index: {len(places)} indices for {len(shape)} axes")
    made = None
    for place, n in zip(places, shape):
        if not isinstance(place, Array) and not (0 <= builtins.min(_flat(place), default=0) <= builtins.max(_flat(place), default=0) < n):
            raise ValueError(f"ravel_multi_index: an index is outside of an axis of {n}")
        place = asarray(place, dtype=_int64)
        made = place if made is None else made * n + place
    return made


def _flat(places):
    return [p for each in places for p in _flat(each)] if hasattr(places, "__len__") and not isinstance(places, str) else [_whole(places, "an index")]
