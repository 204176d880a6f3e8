"""Functions that NumPy does not have."""

from .. import _core
from .._arguments import _array, _axis, _floating, _int64, _logical

__all__ = [
    "clz", "cummax", "cummin", "dynamic_slice", "dynamic_update_slice", "fma", "lerp", "logcumsumexp", "masked_fill", "polar",
]  # fmt: skip


def _scan(name, doc, prepare=_array):
    function = getattr(_core, name)

    def call(x, /, axis=None, *, reverse=False, exclusive=False):
        x = prepare(x)
        if axis is None:
            x, axis = _core.reshape(x, (-1,)), 0
        return function(x, _axis(axis, x.ndim), reverse, exclusive)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"""{doc} up to each position along an axis, or in the flattened array.

    `reverse` starts at the end, and `exclusive` excludes the element itself.

    >>> tc.{name}(tc.asarray([1.0, 3.0, 2.0]), reverse=True).shape
    (3,)
    """
    return call


cummax = _scan("cummax", "The largest element")
cummin = _scan("cummin", "The smallest element")
logcumsumexp = _scan("logcumsumexp", "The logarithm of the sum of exp(x)", _floating)


def clz(x, /):
    """The number of leading zero bits of integers.

    >>> tc.clz(tc.asarray([1, 16], dtype=tc.uint8)).tolist()
    [7, 3]
    """
    return _core.clz(_array(x))


def fma(x, y, z, /):
    """x y + z, rounded once.

    >>> tc.fma(tc.asarray([2.0]), 3.0, 1.0)
    array([7.0], dtype=float32)
    """
    return _core.fma(_array(x), y, z)


def polar(magnitude, angle, /):
    """The complex numbers with these absolute values and angles, in radians.

    >>> tc.polar(tc.asarray(2.0), 0.0)
    array(2+0j, dtype=complex64)
    """
    return _core.polar(_floating(magnitude), angle)


def lerp(x, y, weight, /):
    """Interpolates from x (weight 0) to y (weight 1).

    >>> tc.lerp(tc.asarray([0.0, 1.0]), tc.asarray([2.0, 1.0]), 0.25)
    array([0.5, 1.0], dtype=float32)
    """
    x = _array(x)
    return x + weight * (y - x)


def masked_fill(x, mask, value, /):
    """x with the value where the mask is true.

    >>> tc.masked_fill(tc.arange(3), [False, True, False], 7).tolist()
    [0, 7, 2]
    """
    return _core.masked_fill(_array(x), _logical(mask), value)


def dynamic_slice(x, starts, sizes, /):
    """The slice of x with these sizes that begins at `starts`, which may be arrays. Negative starts count from the
    end, as in JAX. Starts are then clamped so that the slice lies in x.

    >>> tc.dynamic_slice(tc.arange(5), [tc.asarray(1)], [2]).tolist()
    [1, 2]
    """
    x = _array(x)
    return _core.dynamic_slice(x, _from_front(x, starts), sizes)


def dynamic_update_slice(x, update, starts, /):
    """x with the slice that begins at `starts` replaced by `update`.

    >>> tc.dynamic_update_slice(tc.arange(4), tc.asarray([9]), [tc.asarray(2)]).tolist()
    [0, 1, 9, 3]
    """
    x = _array(x)
    return _core.dynamic_update_slice(x, _array(update), _from_front(x, starts))


def _from_front(x, starts):
    def one(start, size):
        if isinstance(start, int):
            return start + size if start < 0 else start
        start = _array(start)
        if start.dtype.name.startswith("u"):
            return start
        start = _core.astype(start, _int64)  # the size may be more than its own dtype has
        return _core.select(_core.lt(start, 0), start + size, start)

    starts = list(starts)
    return starts if len(starts) != x.ndim else [one(start, size) for start, size in zip(starts, x.shape)]
