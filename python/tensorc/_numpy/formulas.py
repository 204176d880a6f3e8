"""Functions of NumPy that are one op, or a short formula of others."""

import math
import numbers

from .. import _core
from .._arguments import _array, _axis, _floating, _int64, _logical, _same, _together
from .._creation import arange, asarray, full_like, zeros_like
from .._dtypes import as_dtype, is_complex, is_float
from .._elementwise import clip, pow
from .._reductions import all, cumulative_sum
from .._shapes import broadcast_shapes, concat, moveaxis, ravel
from .._sorting import nonzero
from .places import tril_indices, triu_indices

__all__ = [
    "array_equiv", "choose", "diag_indices_from", "ediff1d", "float_power", "i0", "iscomplex", "isreal", "matvec", "piecewise", "sinc",
    "tril_indices_from", "triu_indices_from", "unwrap", "vecmat",
]  # fmt: skip


def sinc(x, /):
    """sin(pi x) / (pi x), and 1 at 0.

    >>> tc.sinc(tc.asarray([0.0, 1.0])).tolist()[0]
    1.0
    """
    x = _floating(x)
    if not x.dtype.name.startswith("complex"):
        return _core.sinc(x)
    is_zero = _core.eq(x, 0)
    angle = _core.select(is_zero, 1, x * math.pi)
    return _core.select(is_zero, 1, _core.sin(angle) / angle)


def i0(x, /):
    """The modified Bessel function of order 0.

    >>> tc.i0(tc.asarray(0.0)).item()
    1.0
    """
    return _core.bessel_i0(_floating(x))


def float_power(x1, x2, /):
    """x1 raised to the power x2 in float64 or complex128."""
    x1, x2 = _together(x1, x2)
    dtype = as_dtype("complex128" if is_complex(x1.dtype) or is_complex(x2.dtype) else "float64")
    return pow(_core.astype(x1, dtype), _core.astype(x2, dtype))


def unwrap(x, discont=None, axis=-1, *, period=2 * math.pi):
    """x without jumps along an axis: differences of more than `discont` (by default half a period) are replaced by
    their complement to the period.

    >>> tc.unwrap(tc.asarray([0.0, 3.0, 6.0 - 2 * math.pi])).tolist()[1:]
    [3.0, 6.0]
    """
    x = _array(x)
    if is_complex(x.dtype):
        raise TypeError(f"unwrap: x must be real, not {x.dtype.name}")
    x = _floating(x) if isinstance(period, float) else x
    period = float(period) if is_float(x.dtype) else period
    axis = _axis(axis, x.ndim)
    last = moveaxis(x, axis, -1)
    steps = last[..., 1:] - last[..., :-1]
    high = period / 2 if isinstance(period, float) else period // 2
    wrapped = (steps + high) % period - high
    if isinstance(period, float) or period % 2 == 0:  # both ends of the interval are possible
        wrapped = _core.select(_core.bitwise_and(_core.eq(wrapped, -high), _core.gt(steps, 0)), high, wrapped)
    limit = period / 2 if discont is None else max(discont, period / 2)
    added = _core.select(_core.lt(_core.abs(steps), limit), _core.full(x.dtype, (), 0), wrapped - steps)
    return moveaxis(concat([last[..., :1], last[..., 1:] + cumulative_sum(added, axis=-1)], axis=-1), -1, axis)


def _end_of(x, value, name):
    """Returns the value of `to_begin` or `to_end` in the dtype of x. Numbers that do not fit are refused; NumPy wraps some of them."""
    made, kinds = _array(value), "buifc"
    is_whole = made.dtype.kind in "ui" and x.dtype.kind in "ui"
    if not is_whole and kinds.find(made.dtype.kind) > kinds.find(x.dtype.kind):
        raise TypeError(f"ediff1d: {name} is {made.dtype.name}, which {x.dtype.name} does not hold; convert it with astype")
    return ravel(_core.astype(made, x.dtype) if isinstance(value, _core.Array) else asarray(value, dtype=x.dtype, device=x.device))


def ediff1d(x, /, to_end=None, to_begin=None):
    """The differences of neighbours in the flattened x, between `to_begin` and `to_end`.

    >>> tc.ediff1d(tc.asarray([1, 4, 9]), to_end=[0]).tolist()
    [3, 5, 0]
    """
    x = ravel(x)
    parts = [x[1:] - x[:-1]]
    if to_begin is not None:
        parts.insert(0, _end_of(x, to_begin, "to_begin"))
    if to_end is not None:
        parts.append(_end_of(x, to_end, "to_end"))
    return concat(parts)


def matvec(x1, x2, /):
    """Products of matrices and vectors, the last two axes of x1 and the last one of x2.

    >>> tc.matvec(tc.ones((5, 2, 3)), tc.ones(3)).shape
    (5, 2)
    """
    x1, x2 = _same([x1, x2])
    if x1.ndim < 2 or x2.ndim < 1:
        raise ValueError(f"matvec: needs a matrix and a vector, not {x1.shape} and {x2.shape}")
    return _core.matmul(x1, x2[..., None])[..., 0]


def vecmat(x1, x2, /):
    """Products of vectors, of which complex ones are conjugated, and matrices: the last axis of x1 and the last two of
    x2.

    >>> tc.vecmat(tc.ones(2), tc.ones((5, 2, 3))).shape
    (5, 3)
    """
    x1, x2 = _same([x1, x2])
    if x1.ndim < 1 or x2.ndim < 2:
        raise ValueError(f"vecmat: needs a vector and a matrix, not {x1.shape} and {x2.shape}")
    x1 = _core.conj(x1) if is_complex(x1.dtype) else x1
    return _core.matmul(x1[..., None, :], x2)[..., 0, :]


def array_equiv(x1, x2):
    """True, as a Python bool, if the arrays have equal elements after one is broadcast to the shape of the other.

    >>> tc.array_equiv(tc.asarray([1, 1]), 1)
    True
    """
    x1, x2 = _together(x1, x2)
    try:
        shape = broadcast_shapes(x1.shape, x2.shape)
    except ValueError:
        return False
    return shape in (x1.shape, x2.shape) and bool(all(_core.eq(*_same([x1, x2]))))


def isreal(x, /):
    """True where the imaginary part is 0."""
    return _core.eq(_core.imag(_array(x)), 0) if is_complex(_array(x).dtype) else _core.eq(zeros_like(x), 0)


def iscomplex(x, /):
    """True where the imaginary part is not 0."""
    return _core.bitwise_not(isreal(x))


def tril_indices_from(x, k=0):
    """tril_indices for a matrix of the shape of x."""
    rows, columns = _shape_of_matrix("tril_indices_from", x)
    return tril_indices(rows, k, columns)


def triu_indices_from(x, k=0):
    """triu_indices for a matrix of the shape of x."""
    rows, columns = _shape_of_matrix("triu_indices_from", x)
    return triu_indices(rows, k, columns)


def _shape_of_matrix(name, x):
    shape = _array(x).shape
    if len(shape) != 2:
        raise ValueError(f"{name}: needs a matrix, not an array of shape {shape}")
    return shape


def diag_indices_from(x):
    """The indices of the main diagonal of x, whose axes have equal sizes and which has at least two."""
    shape = _array(x).shape
    if len(shape) < 2 or len(set(shape)) > 1:
        raise ValueError(f"diag_indices_from: needs at least two axes of equal size, not {shape}")
    return (arange(shape[0]),) * len(shape)


def choose(x, choices, mode="clip"):
    """The elements of choices[x[i]] at i, for arrays of one shape after broadcasting. Indices outside of the list take
    its ends ("clip") or count modulo its length ("wrap"). NumPy's default, which refuses such indices, would have to
    evaluate x.

    >>> tc.choose(tc.asarray([0, 1, 9]), [tc.zeros(3), tc.ones(3)]).tolist()
    [0.0, 1.0, 1.0]
    """
    if mode not in ("clip", "wrap"):
        raise ValueError(f"choose: mode must be 'clip' or 'wrap', not {mode!r}")
    x, choices = _core.astype(_array(x), _int64), _same(choices)
    count = len(choices)
    x = x % count if mode == "wrap" else clip(x, 0, count - 1)
    made = choices[0]
    for i, choice in enumerate(choices[1:], 1):
        made = _core.select(_core.eq(x, i), choice, made)
    return made if count > 1 else _core.broadcast_to(made, broadcast_shapes(x.shape, made.shape))


def piecewise(x, condlist, funclist, *args, **kwargs):
    """x where each element is replaced by the number or the result of the function that belongs to the last of the
    conditions which is true. One more function than conditions is the default, else it is 0. Each function is called
    with all of x, as in JAX. A number that the dtype of x does not hold is an error; integers take the whole part of a float, as in NumPy.

    >>> x = tc.asarray([-2.0, 3.0])
    >>> tc.piecewise(x, [x < 0, x >= 0], [lambda v: -v, 1.0]).tolist()
    [2.0, 1.0]
    """
    x = _array(x)
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ValueError(f"piecewise: {len(funclist)} functions for {len(conditions)} conditions")

    def value(f):
        made = f(x, *args, **kwargs) if callable(f) else f
        if not isinstance(made, numbers.Real):
            return _core.astype(_array(made), x.dtype)
        return full_like(x, int(made) if x.dtype.kind in "ui" else made)

    made = value(funclist[-1]) if len(funclist) > len(conditions) else zeros_like(x)
    for condition, f in zip(conditions, funclist):
        made = _core.select(_logical(condition), value(f), made)
    return made
