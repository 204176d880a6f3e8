"""Selecting, searching and sorting, and the array API's set functions."""

from collections import namedtuple

from . import _core
from ._arguments import _array, _axis, _int64, _logical, _numbers, _on, _same, _together, _whole
from ._creation import full, zeros_like
from ._dtypes import as_dtype, default_float, is_complex

__all__ = [
    "argsort", "check_numerics", "debug_print", "nonzero", "one_hot", "searchsorted", "sort", "take", "take_along_axis", "topk",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "where",
]  # fmt: skip

Array = _core.Array


def where(condition, x1=None, x2=None, /):
    """x1 where the condition is true, x2 elsewhere. With only a condition it is nonzero(condition).

    >>> tc.where(tc.asarray([True, False]), 1.0, 2.0)
    array([1.0, 2.0], dtype=float32)
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    ours = next((x for x in (x1, x2, condition) if isinstance(x, Array)), None)
    condition = _logical(condition if ours is None else _core.beside(condition, ours))
    if not isinstance(x1, Array) and not isinstance(x2, Array):
        with _on(condition.device):
            x1, x2 = _same([x1, x2])
    elif type(x1) not in _numbers and type(x2) not in _numbers:
        x1, x2 = _together(x1, x2)
    return _core.select(condition, x1, x2)


def nonzero(x, /):
    """The indices of the nonzero elements, one array per axis. The number of elements is computed when it is needed.

    >>> tc.nonzero(tc.asarray([0, 5, 6]))
    (array([1, 2], dtype=int64),)
    """
    x = _logical(x)
    if x.ndim == 0:
        raise ValueError("nonzero: of an array of rank 0")
    return _core.all_nonzero(x)


def take(x, indices, /, axis=None, *, mode="raise"):
    """The elements with these indices along an axis. Indices outside of it are errors if they are Python's, and else the
    nearest element's ("raise"); they count modulo the size ("wrap"), or are clipped to the first and last one ("clip").

    >>> tc.take(tc.asarray([10, 20]), tc.asarray([1, 1, 0]))
    array([20, 20, 10], dtype=int64)
    """
    x = _array(x)
    if axis is None and x.ndim == 1:
        axis = 0
    axis = axis if axis is None else _axis(axis, x.ndim)
    size = x.size if axis is None else x.shape[axis]
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"take: mode is 'raise', 'wrap' or 'clip', not {mode!r}")
    if isinstance(indices, int) and mode == "raise" and not -size <= indices < size:
        raise IndexError(f"take: the index {indices} is outside of {size} elements")
    indices = _core.near(indices, x)
    if mode != "raise":
        if isinstance(size, int) and size == 0 and indices.size:
            raise IndexError("take: an axis of 0 elements has none to take")
        indices = _core.mod(indices, size) if mode == "wrap" else _core.minimum(_core.maximum(indices, 0), size - 1)
    return _core.take(x, indices, axis)


def take_along_axis(x, indices, /, axis=-1):
    """The elements of x at the indices along the axis; the other axes broadcast."""
    x = _array(x)
    return _core.take_along_axis(x, _core.near(indices, x), _axis(axis, x.ndim))


def searchsorted(x1, x2, /, side="left", sorter=None):
    """The positions in the sorted x1 at which elements of x2 would be inserted.

    >>> tc.searchsorted(tc.asarray([1, 3]), tc.asarray([2, 9]))
    array([1, 2], dtype=int64)
    """
    if side not in ("left", "right"):
        raise ValueError("searchsorted: side is 'left' or 'right'")
    x1, x2 = _same([x1, x2])
    if sorter is not None:
        x1 = _core.take(x1, sorter, 0)
    return _core.searchsorted(x1, x2, side == "right")


def _sorted_along(x, axis):
    """Returns the array and the axis to sort. Without an axis these are those of the flattened
    array."""
    x = _array(x)
    return (_core.reshape(x, (-1,)), 0) if axis is None else (x, _axis(axis, x.ndim))


def _check_kind(name, kind):
    if kind not in (None, "quicksort", "mergesort", "heapsort", "stable"):
        raise ValueError(f"{name}: kind must be 'quicksort', 'mergesort', 'heapsort' or 'stable', not {kind!r}")


def sort(x, /, axis=-1, kind=None, *, descending=False, stable=True):
    """x sorted along an axis, or if the axis is None the sorted flattened x. NaN is larger than all numbers. The sort is
    stable, whatever `kind` and `stable` say.

    >>> tc.sort(tc.asarray([2, 3, 1]), descending=True)
    array([3, 2, 1], dtype=int64)
    """
    _check_kind("sort", kind)
    x, axis = _sorted_along(x, axis)
    if x.dtype.name == "bool":
        return _core.ne(_core.sort(_core.astype(x, as_dtype("uint8")), axis, descending), 0)
    return _core.sort(x, axis, descending)


def argsort(x, /, axis=-1, kind=None, *, descending=False, stable=True):
    """The indices that sort x along an axis, or if the axis is None those that sort the flattened x. Equal elements keep
    their order, whatever `kind` and `stable` say.
    """
    _check_kind("argsort", kind)
    x, axis = _sorted_along(x, axis)
    if x.dtype.name == "bool":
        x = _core.astype(x, as_dtype("uint8"))
    return _core.argsort(x, axis, descending)


def topk(x, k, /, axis=-1, largest=True):
    """The k largest elements along an axis, and their indices."""
    x = _array(x)
    return _core.top_k(x, _whole(k, "topk: k"), _axis(axis, x.ndim), largest)


def one_hot(indices, size, *, dtype=None):
    """Ones at the indices along a new last axis, zeros elsewhere."""
    return _core.one_hot(_array(indices), size, default_float() if dtype is None else as_dtype(dtype))


_UniqueAll = namedtuple("unique_all", "values indices inverse_indices counts")
_UniqueCounts = namedtuple("unique_counts", "values counts")
_UniqueInverse = namedtuple("unique_inverse", "values inverse_indices")


def _unique(x):
    """Returns the flattened x, the order that sorts it, the sorted elements, the positions where
    a new value begins, and a flag for each position."""
    flat = _core.reshape(x, (-1,))
    count = flat.shape[0]
    if is_complex(flat.dtype):  # sorts by the real part, then by the imaginary part
        order = argsort(_core.imag(flat))
        order = _core.take(order, argsort(_core.take(_core.real(flat), order, 0)), 0)
    else:
        order = argsort(flat)
    ordered = _core.take(flat, order, 0)
    if count == 0:
        return flat, order, ordered, order, full((0,), 0, dtype=_int64, device=x.device)
    # NaN is not equal to itself, so each NaN counts as a separate value.
    first = full((1,), True, dtype="bool", device=x.device)
    is_new = _core.concatenate([first, _core.ne(ordered[1:], ordered[:-1])], 0)
    (starts,) = nonzero(is_new)
    return flat, order, ordered, starts, is_new


def unique_all(x, /):
    """The distinct values in ascending order, the first index of each, the indices that reconstruct x from them, and
    the number of occurrences of each.

    >>> tc.unique_all(tc.asarray([3, 1, 3])).counts
    array([1, 2], dtype=int64)
    """
    x = _array(x)
    flat, order, ordered, starts, is_new = _unique(x)
    if flat.shape[0] == 0:
        return _UniqueAll(flat, order, _core.reshape(order, x.shape), order)
    values, indices = _core.take(ordered, starts, 0), _core.take(order, starts, 0)
    ends = _core.concatenate([starts[1:], full((1,), flat.shape[0], dtype=_int64, device=x.device)], 0)
    group = _core.sub(_core.cumsum(_core.astype(is_new, _int64), 0), 1)
    inverse = zeros_like(flat, dtype=_int64).at[order].set(group)
    return _UniqueAll(values, indices, _core.reshape(inverse, x.shape), _core.sub(ends, starts))


def unique_values(x, /):
    """The distinct values in ascending order.

    >>> tc.unique_values(tc.asarray([3, 1, 3]))
    array([1, 3], dtype=int64)
    """
    return unique_all(x).values


def unique_counts(x, /):
    """The distinct values in ascending order, and the number of occurrences of each."""
    result = unique_all(x)
    return _UniqueCounts(result.values, result.counts)


def unique_inverse(x, /):
    """The distinct values in ascending order, and the indices that reconstruct x from them."""
    result = unique_all(x)
    return _UniqueInverse(result.values, result.inverse_indices)


def check_numerics(x, text=""):
    """Returns x. Computing the result raises an error with the text if an element is NaN or infinite.

    >>> tc.check_numerics(tc.ones(2), "the ones")
    array([1.0, 1.0], dtype=float32)
    """
    return _core.check_numerics(_array(x), text)


def debug_print(x, text=""):
    """Returns x. When the result is computed, also in a compiled function, the text and the elements are printed on
    stderr."""
    return _core.debug_print(_array(x), text)
