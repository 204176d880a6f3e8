"""Reductions and cumulative sums."""

import builtins

from . import _core
from ._arguments import _array, _axes, _axis, _floating, _int64, _logical
from ._creation import full
from ._dtypes import as_dtype, fits, is_float
from ._shapes import concat

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "count_nonzero", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "diff",
    "logsumexp", "max", "mean", "min", "prod", "std", "sum", "var",
]  # fmt: skip


def _reduced(function, x, axis, keepdims, *more):
    axes, reduces = _axes(axis, x)
    if not reduces or x.ndim == 0:
        # A reduction over no axes is a reduction over a new axis of size 1.
        single = _core.reshape(x, (*x.shape, 1))
        return function(single, -1, *more, False)
    return function(x, axes, *more, keepdims)


def _accumulator(x, dtype):
    """Converts x to the dtype of its sum: small integers are widened."""
    if dtype is not None:
        dtype = as_dtype(dtype)
    elif x.dtype.name == "bool" or x.dtype.name in ("int8", "int16", "int32"):
        dtype = _int64
    elif x.dtype.name in ("uint8", "uint16", "uint32"):
        dtype = as_dtype("uint64")
    return x if dtype is None or dtype == x.dtype else _core.astype(x, dtype)


def sum(x, /, axis=None, *, dtype=None, keepdims=False):
    """The sum along the axes, by default all; integers are summed in 64 bits.

    >>> tc.sum(tc.ones((2, 3)), axis=0)
    array([2.0, 2.0, 2.0], dtype=float32)
    """
    return _reduced(_core.sum, _accumulator(_array(x), dtype), axis, keepdims)


def prod(x, /, axis=None, *, dtype=None, keepdims=False):
    """The product along the axes, by default all; integers are multiplied in 64 bits.

    >>> tc.prod(tc.asarray([2, 3]))
    array(6, dtype=int64)
    """
    return _reduced(_core.prod, _accumulator(_array(x), dtype), axis, keepdims)


def _extremum(function, pair, name):
    def call(x, /, axis=None, *, keepdims=False, initial=None, where=None):
        x = _array(x)
        axes, _ = _axes(axis, x)
        if type(initial) in (builtins.bool, int, float) and not is_float(x.dtype) and (x.dtype.name == "bool" or fits(initial, x.dtype)):
            # The number takes the dtype of x.
            initial = full((), initial, dtype=x.dtype, device=x.device)
        if where is not None:
            if initial is None:
                raise ValueError(f"{name}: with where an initial value is needed, where no element takes part")
            x = _core.select(_core.near(where, x), x, initial)
        if any_zero(x.shape, axes):
            if initial is None:
                raise ValueError(f"{name}: of no elements")
            return _core.select(True, initial, _reduced(_core.sum, x, axis, keepdims))
        result = _reduced(function, x, axis, keepdims)
        return result if initial is None else pair(result, initial)

    call.__name__ = call.__qualname__ = name
    return call


def any_zero(shape, axes):
    return builtins.any(shape[a] == 0 for a in (range(len(shape)) if axes is None else axes))


max = _extremum(_core.max, _core.maximum, "max")
max.__doc__ = "The largest element along the axes; NaN if one is NaN. `where` excludes elements, `initial` is one more element.\n\n>>> tc.max(tc.arange(5))\narray(4, dtype=int64)"
min = _extremum(_core.min, _core.minimum, "min")
min.__doc__ = "The smallest element along the axes; NaN if one is NaN. `where` excludes elements, `initial` is one more element."
amax, amin = max, min


def mean(x, /, axis=None, *, keepdims=False):
    """The mean along the axes.

    >>> tc.mean(tc.arange(4))
    array(1.5, dtype=float32)
    """
    return _reduced(_core.mean, _floating(_array(x)), axis, keepdims)


def var(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """The variance along the axes: the sum of squared distances from the mean, divided by the count minus
    `correction`, which NumPy calls `ddof`."""
    return _reduced(_core.var, _floating(_array(x)), axis, keepdims, float(correction if ddof is None else ddof))


def std(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """The standard deviation: the square root of var.

    >>> tc.std(tc.asarray([1.0, 3.0]))
    array(1.0, dtype=float32)
    """
    return _reduced(_core.stddev, _floating(_array(x)), axis, keepdims, float(correction if ddof is None else ddof))


def all(x, /, axis=None, *, keepdims=False):
    """True if all elements along the axes are nonzero.

    >>> tc.all(tc.asarray([True, False]))
    array(false, dtype=bool)
    """
    return _reduced(_core.all, _logical(x), axis, keepdims)


def any(x, /, axis=None, *, keepdims=False):
    """True if any element along the axes is nonzero."""
    return _reduced(_core.any, _logical(x), axis, keepdims)


def count_nonzero(x, /, axis=None, *, keepdims=False):
    """The number of nonzero elements along the axes."""
    return _reduced(_core.count_nonzero, _array(x), axis, keepdims)


def _position(function, name):
    def call(x, /, axis=None, *, keepdims=False):
        x = _array(x)
        if axis is not None:
            axis = _axis(axis, x.ndim)
        if x.ndim == 0:
            return full((), 0, dtype=_int64, device=x.device)
        return function(_core.astype(x, as_dtype("uint8")) if x.dtype.name == "bool" else x,
                        None if axis is None else (axis,), keepdims)  # fmt: skip

    call.__name__ = call.__qualname__ = name
    return call


argmax = _position(_core.argmax, "argmax")
argmax.__doc__ = "The index of the largest element along an axis, by default in the flattened array.\n\n>>> tc.argmax(tc.asarray([3, 9, 1]))\narray(1, dtype=int64)"  # fmt: skip
argmin = _position(_core.argmin, "argmin")
argmin.__doc__ = "The index of the smallest element along an axis, by default in the flattened array."


def logsumexp(x, /, axis=None, *, keepdims=False):
    """log of the sum of exp(x), without overflow."""
    return _reduced(_core.logsumexp, _floating(_array(x)), axis, keepdims)


def _cumulative(function, name):
    def call(x, /, axis=None, *, dtype=None, include_initial=False, reverse=False, exclusive=False):
        if include_initial and (reverse or exclusive):
            raise ValueError(f"{name}: include_initial is neither reversed nor exclusive")
        x = _accumulator(_array(x), dtype)
        if axis is None:
            if x.ndim != 1:
                raise ValueError(f"{name}: of several axes one is to be named")
            axis = 0
        axis = _axis(axis, x.ndim)
        result = function(x, axis, reverse, exclusive)
        if include_initial:
            first = list(x.shape)
            first[axis] = 1
            initial = full(first, int(name.endswith("prod")), dtype=x.dtype, device=x.device)
            result = _core.concatenate([initial, result], axis)
        return result

    call.__name__ = call.__qualname__ = name
    return call


cumulative_sum = _cumulative(_core.cumsum, "cumulative_sum")
cumulative_sum.__doc__ = "The sums up to each element along an axis.\n\n`reverse`: from the end. `exclusive`: without the element itself, so the first sum is 0.\n\n>>> tc.cumulative_sum(tc.asarray([1, 2, 3]))\narray([1, 3, 6], dtype=int64)"  # fmt: skip
cumulative_prod = _cumulative(_core.cumprod, "cumulative_prod")
cumulative_prod.__doc__ = "The products up to each element along an axis.\n\n`reverse`: from the end. `exclusive`: without the element itself, so the first product is 1."


def cumsum(x, axis=None, dtype=None, *, reverse=False, exclusive=False):
    """NumPy's cumsum: without an axis, over the flattened x. `reverse`: from the end. `exclusive`: without the
    element itself.

    >>> tc.cumsum(tc.asarray([1, 2, 3]), reverse=True, exclusive=True)
    array([5, 3, 0], dtype=int64)
    """
    x = _array(x)
    flat, along = (_core.reshape(x, (-1,)), 0) if axis is None else (x, axis)
    return cumulative_sum(flat, axis=along, dtype=dtype, reverse=reverse, exclusive=exclusive)


def cumprod(x, axis=None, dtype=None, *, reverse=False, exclusive=False):
    """NumPy's cumprod: without an axis, over the flattened x. `reverse`: from the end. `exclusive`: without the
    element itself.

    >>> tc.cumprod(tc.asarray([1, 2, 3]), reverse=True, exclusive=True)
    array([6, 3, 1], dtype=int64)
    """
    x = _array(x)
    flat, along = (_core.reshape(x, (-1,)), 0) if axis is None else (x, axis)
    return cumulative_prod(flat, axis=along, dtype=dtype, reverse=reverse, exclusive=exclusive)


def diff(x, /, n=1, axis=-1, *, prepend=None, append=None):
    """The differences of neighbours along an axis, applied n times.

    >>> tc.diff(tc.asarray([1, 4, 9]))
    array([3, 5], dtype=int64)
    """
    x = _array(x)
    axis = _axis(axis, x.ndim)
    parts = [p for p in (prepend, x, append) if p is not None]
    if len(parts) > 1:
        x = concat(parts, axis=axis)
    for _ in range(n):
        def part(bounds):
            return (slice(None),) * axis + (bounds,)
        later, earlier = x[part(slice(1, None))], x[part(slice(None, -1))]
        x = _core.ne(later, earlier) if x.dtype.name == "bool" else later - earlier
    return x
