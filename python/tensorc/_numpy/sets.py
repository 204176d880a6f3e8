"""Set functions with NumPy's names. Functions whose result's size depends on values evaluate their arguments."""

from .. import _core
from .._arguments import _array, _same, _together
from .._dtypes import is_float
from .._shapes import concat, ravel
from .._sorting import nonzero, unique_all

__all__ = ["intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique"]


def unique(x, /, return_index=False, return_inverse=False, return_counts=False, *, size=None, fill_value=0):
    """The distinct elements in ascending order, with all NaNs as one element, and optionally the other results of
    NumPy. Evaluates x.

    With a `size`, which traced functions need, nothing is evaluated: the result has the first `size` elements, padded
    with `fill_value`.

    >>> tc.unique(tc.asarray([3, 1, 3]))
    array([1, 3], dtype=int64)
    >>> tc.unique(tc.asarray([3, 1, 3]), size=3)
    array([1, 3, 0], dtype=int64)
    """
    if size is not None:
        if return_index or return_inverse or return_counts:
            raise ValueError("unique: with a size the elements alone are returned")
        return _core.unique(_array(x), size, fill_value)
    values, index, inverse, counts = _with_one_nan(*unique_all(x))
    wanted = [(values, True), (index, return_index), (inverse, return_inverse), (counts, return_counts)]
    made = tuple(value for value, is_wanted in wanted if is_wanted)
    return made if len(made) > 1 else values


def _with_one_nan(values, index, inverse, counts):
    """Merges the NaNs of the array API's result, where they come last and are distinct, into one
    element."""
    if not is_float(values.dtype):
        return values, index, inverse, counts
    first = values.shape[0] - int(_core.count_nonzero(_core.is_nan(values)))
    if first >= values.shape[0] - 1:
        return values, index, inverse, counts
    rest = _core.sum(counts[first:], (0,), True)
    return values[: first + 1], index[: first + 1], _core.minimum(inverse, first), concat([counts[:first], rest])


def isin(x, values, /, *, invert=False):
    """True for the elements of x that equal one of the values.

    >>> tc.isin(tc.arange(4), [1, 3])
    array([false, true, false, true], dtype=bool)
    """
    if isinstance(values, (int, float, complex)):
        x = _array(x)
        if x.dtype.name != "bool":
            return x != values if invert else x == values  # a Python number takes the dtype of x
    found = _core.isin(*_together(x, values))
    return _core.bitwise_not(found) if invert else found


def _chosen(x, mask):
    (places,) = nonzero(mask)
    return _core.take(x, places, 0)


def intersect1d(x1, x2):
    """The distinct elements that are in both, in ascending order."""
    first, second = (unique(a) for a in _same([x1, x2]))
    return _chosen(first, isin(first, second))


def union1d(x1, x2):
    """The distinct elements that are in at least one, in ascending order.

    >>> tc.union1d([1, 3], [2, 3])
    array([1, 2, 3], dtype=int64)
    """
    return unique(concat([ravel(a) for a in _same([x1, x2])]))


def setdiff1d(x1, x2):
    """The distinct elements of x1 that are not in x2, in ascending order."""
    x1, x2 = _together(x1, x2)
    first = unique(x1)
    return _chosen(first, isin(first, x2, invert=True))


def setxor1d(x1, x2):
    """The distinct elements that are in exactly one, in ascending order."""
    first, second = _same([x1, x2])
    return union1d(setdiff1d(first, second), setdiff1d(second, first))
