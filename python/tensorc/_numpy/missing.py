"""Reductions that ignore NaN, with NumPy's names."""

from .. import _core
from .._arguments import _array, _axes, _axis, _floating
from .._elementwise import _operands
from .._reductions import _accumulator, _reduced
from .._statistics import _shares

__all__ = [
    "fmax", "fmin", "nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian",
    "nanmin", "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar",
]  # fmt: skip


def _extremum(name, doc):
    function = getattr(_core, name)

    def call(x, /, axis=None, *, keepdims=False):
        return _reduced(function, _array(x), axis, keepdims)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


nanmax = _extremum("nanmax", "The largest element along the axes that is not NaN; NaN if all are NaN.\n\n>>> tc.nanmax(tc.asarray([1.0, tc.nan]))\narray(1.0, dtype=float32)")  # fmt: skip
nanmin = _extremum("nanmin", "The smallest element along the axes that is not NaN; NaN if all are NaN.")


def _position(name, doc):
    function = getattr(_core, name)

    def call(x, /, axis=None, *, keepdims=False):
        x = _array(x)
        return function(x, None if axis is None else (_axis(axis, x.ndim),), keepdims)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


nanargmax = _position("nanargmax", "The index of the largest element that is not NaN; 0 if all are NaN.")
nanargmin = _position("nanargmin", "The index of the smallest element that is not NaN; 0 if all are NaN.")


def nansum(x, /, axis=None, *, dtype=None, keepdims=False):
    """The sum of the elements along the axes that are not NaN.

    >>> tc.nansum(tc.asarray([1.0, tc.nan, 2.0]))
    array(3.0, dtype=float32)
    """
    return _reduced(_core.nansum, _accumulator(_array(x), dtype), axis, keepdims)


def nanprod(x, /, axis=None, *, dtype=None, keepdims=False):
    """The product of the elements along the axes that are not NaN."""
    return _reduced(_core.nanprod, _accumulator(_array(x), dtype), axis, keepdims)


def nanmean(x, /, axis=None, *, keepdims=False):
    """The mean of the elements along the axes that are not NaN; NaN if all are NaN.

    >>> tc.nanmean(tc.asarray([[1.0, tc.nan], [2.0, 4.0]]), axis=0)
    array([1.5, 4.0], dtype=float32)
    """
    return _reduced(_core.nanmean, _floating(_array(x)), axis, keepdims)


def nanvar(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """The variance of the elements along the axes that are not NaN: squared distances divided by their number minus
    `correction`; NaN unless this divisor is positive."""
    return _reduced(_core.nanvar, _floating(_array(x)), axis, keepdims, float(correction if ddof is None else ddof))


def nanstd(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """The square root of nanvar."""
    return _reduced(_core.nanstd, _floating(_array(x)), axis, keepdims, float(correction if ddof is None else ddof))


def nanquantile(x, q, /, axis=None, *, keepdims=False, method="linear"):
    """The quantile of the elements that are not NaN, by a method of `quantile`; NaN if all are NaN."""
    x = _floating(_array(x))
    return _core.nanquantile(x, _shares(q, x), _axes(axis, x)[0], keepdims, method)


def nanpercentile(x, q, /, axis=None, *, keepdims=False, method="linear"):
    """The same as nanquantile, with q from 0 to 100."""
    x = _array(x)
    return nanquantile(x, _shares(q, x) / 100, axis, keepdims=keepdims, method=method)


def nanmedian(x, /, axis=None, *, keepdims=False):
    """The median of the elements that are not NaN; NaN if all are NaN."""
    x = _floating(_array(x))
    return _core.nanmedian(x, _axes(axis, x)[0], keepdims)


def _scan(function, x, axis):
    x = _accumulator(_array(x), None)
    return function(_core.reshape(x, (-1,)), 0) if axis is None else function(x, _axis(axis, x.ndim))


def nancumsum(x, /, axis=None):
    """The cumulative sums along an axis, by default of the flattened array; NaN counts as 0."""
    return _scan(_core.nancumsum, x, axis)


def nancumprod(x, /, axis=None):
    """The cumulative products along an axis, by default of the flattened array; NaN counts as 1."""
    return _scan(_core.nancumprod, x, axis)


def fmax(x1, x2, /):
    """The larger element. If one is NaN, the other one."""
    return _core.fmax(*_operands(x1, x2))


def fmin(x1, x2, /):
    """The smaller element. If one is NaN, the other one."""
    return _core.fmin(*_operands(x1, x2))


def nan_to_num(x, /, *, nan=0.0, posinf=None, neginf=None):
    """x with NaN replaced by `nan`, and infinities by `posinf` and `neginf`, by default the dtype's largest and
    smallest finite numbers.

    >>> tc.nan_to_num(tc.asarray([tc.nan, 1.0]))
    array([0.0, 1.0], dtype=float32)
    """
    given = {name: float(value) for name, value in (("posinf", posinf), ("neginf", neginf)) if value is not None}
    return _core.nan_to_num(_array(x), float(nan), **given)
