"""Reductions, shapes, sorting, sets: the functions of the array API and NumPy's that are not element-wise."""

import builtins
from collections import namedtuple

from . import _core
from ._creation import asarray
from ._dtypes import as_dtype, default_float, is_float, is_integer, result_type

__all__ = [
    "all", "any", "argmax", "argmin", "argsort", "astype", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat",
    "concatenate", "count_nonzero", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "diff", "dot", "einsum",
    "expand_dims", "flip", "kron", "logsumexp", "matmul", "matrix_transpose", "max", "mean", "min", "moveaxis", "nonzero",
    "one_hot", "outer", "pad", "permute_dims", "prod", "ravel", "repeat", "reshape", "roll", "searchsorted", "sort", "split",
    "squeeze", "stack", "std", "sum", "swapaxes", "take", "take_along_axis", "tensordot", "tile", "topk", "transpose",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "unstack", "var", "vecdot", "where", "bitcast",
    "diag", "check_numerics",
]  # fmt: skip

Array = _core.Array
_int64 = as_dtype("int64")


def _array(x):
    return x if isinstance(x, Array) else _core.as_array(x)


def _axis(axis, ndim):
    """An axis from the front."""
    if not -ndim <= axis < ndim:
        raise IndexError(f"axis {axis} of an array of {ndim} axes")
    return axis % ndim if ndim else 0


def _axes(axis, x):
    """What the library is given: none are all, and no axes at all is another matter."""
    if axis is None:
        return None, True
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(_axis(a, x.ndim) for a in axes)
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis is named twice: {axis}")
    return axes, bool(axes)


def _reduced(function, x, axis, keepdims, *more):
    axes, reduces = _axes(axis, x)
    if not reduces or x.ndim == 0:
        # Over no axes: each element is a reduction of one.
        single = _core.reshape(x, (*x.shape, 1))
        return function(single, -1, *more, False)
    return function(x, axes, *more, keepdims)


def _accumulator(x, dtype):
    """x in the dtype of its sums: integers are widened."""
    if dtype is not None:
        dtype = as_dtype(dtype)
    elif x.dtype.name == "bool" or x.dtype.name in ("int8", "int16", "int32"):
        dtype = _int64
    elif x.dtype.name in ("uint8", "uint16", "uint32"):
        dtype = as_dtype("uint64")
    return x if dtype is None or dtype == x.dtype else _core.astype(x, dtype)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sum along the axes, by default all; of integers in 64 bits.

    >>> tc.sum(tc.ones((2, 3)), axis=0)
    array([2.0, 2.0, 2.0], dtype=float32)
    """
    return _reduced(_core.sum, _accumulator(_array(x), dtype), axis, keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product along the axes, by default all; of integers in 64 bits.

    >>> tc.prod(tc.asarray([2, 3]))
    array(6, dtype=int64)
    """
    return _reduced(_core.prod, _accumulator(_array(x), dtype), axis, keepdims)


def _extremum(function, name):
    def call(x, /, *, axis=None, keepdims=False):
        x = _array(x)
        axes, _ = _axes(axis, x)
        if any_zero(x.shape, axes):
            raise ValueError(f"{name}: of no elements")
        return _reduced(function, x, axis, keepdims)

    call.__name__ = call.__qualname__ = name
    return call


def any_zero(shape, axes):
    return builtins.any(shape[a] == 0 for a in (range(len(shape)) if axes is None else axes))


max = _extremum(_core.max, "max")
max.__doc__ = "The largest element along the axes; NaN if one is.\n\n>>> tc.max(tc.arange(5))\narray(4, dtype=int64)"
min = _extremum(_core.min, "min")
min.__doc__ = "The smallest element along the axes; NaN if one is."


def _floating(x):
    return x if is_float(x.dtype) or x.dtype.name.startswith("complex") else _core.astype(x, default_float)


def mean(x, /, *, axis=None, keepdims=False):
    """The mean along the axes.

    >>> tc.mean(tc.arange(4))
    array(1.5, dtype=float32)
    """
    return _reduced(_core.mean, _floating(_array(x)), axis, keepdims)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variance along the axes: squared distances, divided by the count minus `correction`."""
    return _reduced(_core.var, _floating(_array(x)), axis, keepdims, float(correction))


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The root of var.

    >>> tc.std(tc.asarray([1.0, 3.0]))
    array(1.0, dtype=float32)
    """
    return _reduced(_core.stddev, _floating(_array(x)), axis, keepdims, float(correction))


def _logical(x):
    x = _array(x)
    return x if x.dtype.name == "bool" else _core.ne(x, 0)


def all(x, /, *, axis=None, keepdims=False):
    """Whether all elements along the axes are not 0.

    >>> tc.all(tc.asarray([True, False]))
    array(false, dtype=bool)
    """
    return _reduced(_core.all, _logical(x), axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    """Whether an element along the axes is not 0."""
    return _reduced(_core.any, _logical(x), axis, keepdims)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements along the axes are not 0."""
    return _reduced(_core.count_nonzero, _array(x), axis, keepdims)


def _position(function, name):
    def call(x, /, *, axis=None, keepdims=False):
        x = _array(x)
        if axis is not None:
            axis = _axis(axis, x.ndim)
        if x.ndim == 0:
            return _core.full(_int64, (), 0)
        return function(_core.astype(x, as_dtype("uint8")) if x.dtype.name == "bool" else x,
                        None if axis is None else (axis,), keepdims)  # fmt: skip

    call.__name__ = call.__qualname__ = name
    return call


argmax = _position(_core.argmax, "argmax")
argmax.__doc__ = "The index of the largest element along an axis, by default of all in C's order.\n\n>>> tc.argmax(tc.asarray([3, 9, 1]))\narray(1, dtype=int64)"  # fmt: skip
argmin = _position(_core.argmin, "argmin")
argmin.__doc__ = "The index of the smallest element along an axis, by default of all in C's order."


def logsumexp(x, /, *, axis=None, keepdims=False):
    """log of the sum of exp(x), without overflow."""
    return _reduced(_core.logsumexp, _floating(_array(x)), axis, keepdims)


def _cumulative(function, name):
    def call(x, /, *, axis=None, dtype=None, include_initial=False):
        x = _accumulator(_array(x), dtype)
        if axis is None:
            if x.ndim != 1:
                raise ValueError(f"{name}: of several axes one is to be named")
            axis = 0
        axis = _axis(axis, x.ndim)
        result = function(x, axis)
        if include_initial:
            first = list(x.shape)
            first[axis] = 1
            result = _core.concatenate([_core.full(x.dtype, first, int(name.endswith("prod"))), result], axis)
        return result

    call.__name__ = call.__qualname__ = name
    return call


cumulative_sum = _cumulative(_core.cumsum, "cumulative_sum")
cumulative_sum.__doc__ = "The sums up to each element along an axis.\n\n>>> tc.cumulative_sum(tc.asarray([1, 2, 3]))\narray([1, 3, 6], dtype=int64)"  # fmt: skip
cumulative_prod = _cumulative(_core.cumprod, "cumulative_prod")
cumulative_prod.__doc__ = "The products up to each element along an axis."


def cumsum(x, axis=None):
    """NumPy's cumulative_sum: without an axis along all of x."""
    x = _array(x)
    return cumulative_sum(_core.reshape(x, (-1,)) if axis is None else x, axis=0 if axis is None else axis)


def cumprod(x, axis=None):
    """NumPy's cumulative_prod: without an axis along all of x."""
    x = _array(x)
    return cumulative_prod(_core.reshape(x, (-1,)) if axis is None else x, axis=0 if axis is None else axis)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """The differences of neighbours along an axis, n times.

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


# Shapes.


def astype(x, dtype, /, *, copy=True, device=None):
    """Converted to a dtype.

    >>> tc.astype(tc.asarray([1.7]), tc.int32)
    array([1], dtype=int32)
    """
    dtype = as_dtype(dtype)
    if dtype == x.dtype:
        result = x.__copy__() if copy else x
    else:
        result = _core.astype(x, dtype)
    return result if device is None else result.to(device)


def bitcast(x, dtype):
    """The same bits as another dtype."""
    return _core.bitcast(x, as_dtype(dtype))


def reshape(x, /, shape, *, copy=None):
    """With other sizes, of which one may be -1.

    >>> tc.reshape(tc.arange(4), (2, -1))
    array([[0, 1], [2, 3]], dtype=int64)
    """
    x = _array(x)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return _core.reshape(x, shape)


def ravel(x):
    """With one axis."""
    return _core.reshape(_array(x), (-1,))


def permute_dims(x, /, axes):
    """With the axes in another order.

    >>> tc.permute_dims(tc.ones((2, 3)), (1, 0)).shape
    (3, 2)
    """
    axes = tuple(axes)
    if len(axes) != x.ndim:
        raise ValueError(f"permute_dims: {len(axes)} axes for an array of {x.ndim}")
    return _core.permute(x, axes) if axes else x


def transpose(x, axes=None):
    """NumPy's: with the axes reversed, or in this order."""
    x = _array(x)
    return permute_dims(x, tuple(range(x.ndim))[::-1] if axes is None else axes)


def matrix_transpose(x, /):
    """With the last two axes exchanged."""
    if x.ndim < 2:
        raise ValueError("matrix_transpose: of an array with fewer than two axes")
    return swapaxes(x, -1, -2)


def swapaxes(x, axis1, axis2):
    """With two axes exchanged."""
    order = list(range(x.ndim))
    a, b = _axis(axis1, x.ndim), _axis(axis2, x.ndim)
    order[a], order[b] = order[b], order[a]
    return permute_dims(x, order)


def moveaxis(x, source, destination, /):
    """With axes moved to other places.

    >>> tc.moveaxis(tc.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    sources = [_axis(a, x.ndim) for a in ((source,) if isinstance(source, int) else source)]
    targets = [_axis(a, x.ndim) for a in ((destination,) if isinstance(destination, int) else destination)]
    if len(sources) != len(targets) or len(set(sources)) != len(sources) or len(set(targets)) != len(targets):
        raise ValueError("moveaxis: as many different sources as destinations are expected")
    order = [a for a in range(x.ndim) if a not in sources]
    for target, source in sorted(zip(targets, sources)):
        order.insert(target, source)
    return permute_dims(x, order)


def expand_dims(x, /, axis=0):
    """With a new axis of size 1, or several.

    >>> tc.expand_dims(tc.ones(2), axis=0).shape
    (1, 2)
    """
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    ndim = x.ndim + len(axes)
    for a in axes:
        if not -ndim <= a < ndim:
            raise IndexError(f"expand_dims: axis {a} of an array of {ndim} axes")
    for a in sorted(a % ndim for a in axes):
        x = _core.expand_dims(x, a)
    return x


def squeeze(x, /, axis=None):
    """Without axes of size 1: all of them, or these."""
    x = _array(x)
    axes, _ = _axes(axis, x)
    if axes is None:
        axes = tuple(i for i, n in enumerate(x.shape) if n == 1)
    for a in axes:
        if x.shape[a] != 1:
            raise ValueError(f"squeeze: axis {a} has the size {x.shape[a]}")
    return _core.reshape(x, tuple(n for i, n in enumerate(x.shape) if i not in axes))


def broadcast_shapes(*shapes):
    """The shape that arrays of these broadcast to.

    >>> tc.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    rank = builtins.max((len(s) for s in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for i, n in enumerate(shape, rank - len(shape)):
            if n != 1:
                if result[i] not in (1, n):
                    raise ValueError(f"shapes do not broadcast: {', '.join(map(str, shapes))}")
                result[i] = n
    return tuple(result)


def broadcast_to(x, /, shape):
    """Repeated to a shape."""
    x = _array(x)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if broadcast_shapes(x.shape, shape) != shape:
        raise ValueError(f"broadcast_to: {x.shape} to {shape}")
    return _core.broadcast_to(x, shape)


def broadcast_arrays(*arrays):
    """All with the shape that they broadcast to."""
    shape = broadcast_shapes(*(a.shape for a in arrays))
    return [a if a.shape == shape else _core.broadcast_to(a, shape) for a in arrays]


def _same(arrays):
    """Arrays in one dtype."""
    arrays = [_array(a) for a in arrays]
    if not arrays:
        raise ValueError("at least one array is needed")
    dtype = result_type(*arrays)
    return [a if a.dtype == dtype else _core.astype(a, dtype) for a in arrays]


def concat(arrays, /, *, axis=0):
    """One after another along an axis; None: as rows.

    >>> tc.concat([tc.ones(1), tc.zeros(2)])
    array([1.0, 0.0, 0.0], dtype=float32)
    """
    arrays = _same(arrays)
    if axis is None:
        return _core.concatenate([_core.reshape(a, (-1,)) for a in arrays], 0)
    return _core.concatenate(arrays, _axis(axis, arrays[0].ndim))


def concatenate(arrays, axis=0):
    """NumPy's name of concat."""
    return concat(arrays, axis=axis)


def stack(arrays, /, *, axis=0):
    """Along a new axis.

    >>> tc.stack([tc.asarray(1), tc.asarray(2)])
    array([1, 2], dtype=int64)
    """
    arrays = _same(arrays)
    return _core.stack(arrays, _axis(axis, arrays[0].ndim + 1))


def unstack(x, /, *, axis=0):
    """The parts along an axis, a tuple."""
    axis = _axis(axis, x.ndim)
    return tuple(x[(slice(None),) * axis + (i,)] for i in range(x.shape[axis]))


def split(x, parts, axis=0):
    """Equal parts along an axis, or parts between these places."""
    axis = _axis(axis, x.ndim)
    if isinstance(parts, int):
        if parts <= 0 or x.shape[axis] % parts:
            raise ValueError(f"split: {x.shape[axis]} elements into {parts} equal parts")
        size = x.shape[axis] // parts
        parts = [size * i for i in range(1, parts)]
    bounds = [0, *parts, x.shape[axis]]
    return [x[(slice(None),) * axis + (slice(a, b),)] for a, b in zip(bounds, bounds[1:])]


def flip(x, /, *, axis=None):
    """Reversed along the axes, by default all."""
    axes, flips = _axes(axis, x)
    return _core.flip(x, axes) if flips and x.ndim else x


def roll(x, /, shift, *, axis=None):
    """Moved along the axes, the last elements to the front."""
    if axis is None:
        return _core.reshape(_core.roll(_core.reshape(x, (-1,)), [shift], [0]), x.shape)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    shifts = (shift,) * len(axes) if isinstance(shift, int) else tuple(shift)
    if len(shifts) == 1:
        shifts *= len(axes)
    return _core.roll(x, shifts, [_axis(a, x.ndim) for a in axes]) if axes else x


def tile(x, repetitions, /):
    """So many times along each axis."""
    repetitions = (repetitions,) if isinstance(repetitions, int) else tuple(repetitions)
    return _core.tile(x, repetitions) if repetitions else x


def repeat(x, repeats, /, *, axis=None):
    """Each element so many times along an axis; an array has a number for each element, and is evaluated.

    >>> tc.repeat(tc.asarray([1, 2]), 2)
    array([1, 1, 2, 2], dtype=int64)
    """
    if axis is None:
        x, axis = _core.reshape(x, (-1,)), 0
    axis = _axis(axis, x.ndim)
    if isinstance(repeats, (list, tuple)):
        repeats = asarray(repeats)
    if isinstance(repeats, Array) and repeats.size == 1:
        repeats = int(_core.reshape(repeats, ()))
    if isinstance(repeats, int):
        if repeats < 0:
            raise ValueError("repeat: a number below 0")
        return _core.repeat(x, repeats, axis)
    counts = repeats.tolist()
    if len(counts) != x.shape[axis]:
        raise ValueError(f"repeat: {len(counts)} numbers for {x.shape[axis]} elements")
    places = [i for i, n in enumerate(counts) for _ in range(n)]
    return _core.take(x, asarray(places, dtype=_int64), axis)


def pad(x, widths, mode="constant", constant_values=0):
    """NumPy's: elements added before and behind each axis; mode 'constant', 'edge', 'reflect' or 'wrap'.

    >>> tc.pad(tc.ones(1), (1, 2))
    array([0.0, 1.0, 0.0, 0.0], dtype=float32)
    """
    x = _array(x)
    pairs = [(widths, widths)] if isinstance(widths, int) else [widths] if isinstance(widths[0], int) else list(widths)
    pairs = [(p, p) if isinstance(p, int) else (p[0], p[-1]) for p in pairs]
    pairs = pairs * x.ndim if len(pairs) == 1 else pairs
    low, high = [a for a, _ in pairs], [b for _, b in pairs]
    if mode == "constant":
        return _core.pad(x, low, high, None, constant_values)
    modes = {name.removeprefix("pad_"): number for name, number in _core.pad_mode.items()}
    if mode not in modes:
        raise ValueError(f"pad: no mode '{mode}': constant, {', '.join(modes)}")
    return _core.pad_with(x, low, high, modes[mode])


# Products.


def _numbers(x):
    return _core.astype(x, as_dtype("int64")) if x.dtype.name == "bool" else x


def matmul(x1, x2, /):
    """The product of matrices, or of stacks of them.

    >>> tc.matmul(tc.ones((2, 3)), tc.ones(3))
    array([3.0, 3.0], dtype=float32)
    """
    return _core.matmul(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    """Sums of products over axes: so many of the last and the first ones, or two lists."""
    x1, x2 = _same([x1, x2])
    if isinstance(axes, int):
        first, second = range(x1.ndim - axes, x1.ndim), range(axes)
    else:
        first, second = axes
    first = [_axis(a, x1.ndim) for a in first]
    second = [_axis(a, x2.ndim) for a in second]
    if len(first) != len(second):
        raise ValueError("tensordot: as many axes of one as of the other are expected")
    return _core.tensordot(x1, x2, first, second)


def vecdot(x1, x2, /, *, axis=-1):
    """Sums of products along an axis."""
    x1, x2 = _same([x1, x2])
    rank = builtins.min(x1.ndim, x2.ndim)
    if not -rank <= axis < 0 and x1.ndim != x2.ndim or not -rank <= axis < rank:
        raise ValueError(f"vecdot: axis {axis}")
    axis = axis - builtins.max(x1.ndim, x2.ndim) if axis >= 0 else axis
    x1, x2 = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(f"vecdot: {x1.shape[-1]} x {x2.shape[-1]} elements")
    if x1.dtype.name.startswith("complex"):
        x1 = _core.conj(x1)
    return _core.reshape(_core.matmul(_core.expand_dims(x1, -2), _core.expand_dims(x2, -1)),
                         broadcast_shapes(x1.shape[:-1], x2.shape[:-1]))  # fmt: skip


def dot(x1, x2, /):
    """NumPy's: of vectors their inner product, else the sum over the last axis and the one before the last."""
    x1, x2 = _array(x1), _array(x2)
    if x1.ndim == 0 or x2.ndim == 0:
        return x1 * x2
    return tensordot(x1, x2, axes=([-1], [-2 if x2.ndim > 1 else -1]))


def outer(x1, x2, /):
    """All products of two vectors."""
    x1, x2 = _same([x1, x2])
    return _core.mul(_core.reshape(x1, (-1, 1)), _core.reshape(x2, (1, -1)))


def kron(x1, x2, /):
    """The Kronecker product."""
    return _core.kron(*_same([x1, x2]))


def einsum(subscripts, *arrays):
    """Einstein's sums, in all of NumPy's grammar.

    >>> tc.einsum("ij,j->i", tc.ones((2, 3)), tc.ones(3))
    array([3.0, 3.0], dtype=float32)
    """
    return _core.einsum(subscripts, _same(arrays))


def diag(x, k=0):
    """The diagonal of a matrix, or the matrix with this diagonal."""
    return _core.diag(_array(x), k)


# Searching and sorting.


def where(condition, x1=None, x2=None, /):
    """x1 where the condition holds, x2 elsewhere; alone it is nonzero(condition).

    >>> tc.where(tc.asarray([True, False]), 1.0, 2.0)
    array([1.0, 2.0], dtype=float32)
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    condition = _logical(condition)
    if not isinstance(x1, Array) and not isinstance(x2, Array):
        x1, x2 = _same([x1, x2])
    return _core.select(condition, x1, x2)


def nonzero(x, /):
    """The indices of the elements that are not 0, an array for each axis. Evaluates x: their number is a size.

    >>> tc.nonzero(tc.asarray([0, 5, 6]))
    (array([1, 2], dtype=int64),)
    """
    x = _logical(x)
    if x.ndim == 0:
        raise ValueError("nonzero: of an array of rank 0")
    return tuple(_core.nonzero(x, int(_core.count_nonzero(x)), 0))


def take(x, indices, /, *, axis=None):
    """The elements with these indices along an axis.

    >>> tc.take(tc.asarray([10, 20]), tc.asarray([1, 1, 0]))
    array([20, 20, 10], dtype=int64)
    """
    x = _array(x)
    if axis is None and x.ndim == 1:
        axis = 0
    return _core.take(x, _array(indices), axis if axis is None else _axis(axis, x.ndim))


def take_along_axis(x, indices, /, *, axis=-1):
    """For each place of the indices the element of x along the axis that is there."""
    x = _array(x)
    return _core.take_along_axis(x, _array(indices), _axis(axis, x.ndim))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where in the sorted x1 the elements of x2 would come.

    >>> tc.searchsorted(tc.asarray([1, 3]), tc.asarray([2, 9]))
    array([1, 2], dtype=int64)
    """
    if side not in ("left", "right"):
        raise ValueError("searchsorted: side is 'left' or 'right'")
    x1, x2 = _same([x1, x2])
    if sorter is not None:
        x1 = _core.take(x1, sorter, 0)
    return _core.searchsorted(x1, x2, side == "right")


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """Sorted along an axis; NaN is above all numbers.

    >>> tc.sort(tc.asarray([2, 3, 1]), descending=True)
    array([3, 2, 1], dtype=int64)
    """
    if x.dtype.name == "bool":
        return _core.ne(_core.sort(_core.astype(x, as_dtype("uint8")), _axis(axis, x.ndim), descending), 0)
    return _core.sort(x, _axis(axis, x.ndim), descending)


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices that sort x along an axis."""
    if x.dtype.name == "bool":
        x = _core.astype(x, as_dtype("uint8"))
    return _core.argsort(x, _axis(axis, x.ndim), descending)


def topk(x, k, /, *, axis=-1, largest=True):
    """The k largest elements along an axis, and their indices."""
    return _core.top_k(x, k, _axis(axis, x.ndim), largest)


def one_hot(indices, size, *, dtype=None):
    """1 at the index along a new last axis, 0 elsewhere."""
    return _core.one_hot(_array(indices), size, default_float if dtype is None else as_dtype(dtype))


_UniqueAll = namedtuple("unique_all", "values indices inverse_indices counts")
_UniqueCounts = namedtuple("unique_counts", "values counts")
_UniqueInverse = namedtuple("unique_inverse", "values inverse_indices")


def _unique(x):
    """The places in sorted order where a value is new; what is needed for all of the set functions."""
    flat = _core.reshape(x, (-1,))
    count = flat.shape[0]
    order = argsort(flat)
    ordered = _core.take(flat, order, 0)
    if count == 0:
        return flat, order, ordered, order, _core.full(_int64, (0,), 0)
    # NaN differs from NaN, and so each is a value of its own.
    is_new = _core.concatenate([_core.full(as_dtype("bool"), (1,), True), _core.ne(ordered[1:], ordered[:-1])], 0)
    (starts,) = nonzero(is_new)
    return flat, order, ordered, starts, is_new


def unique_all(x, /):
    """The different values, sorted, the first index of each, the indices that make x of them, and how often each is there.

    >>> tc.unique_all(tc.asarray([3, 1, 3])).counts
    array([1, 2], dtype=int64)
    """
    x = _array(x)
    flat, order, ordered, starts, is_new = _unique(x)
    if flat.shape[0] == 0:
        return _UniqueAll(flat, order, _core.reshape(order, x.shape), order)
    values, indices = _core.take(ordered, starts, 0), _core.take(order, starts, 0)
    ends = _core.concatenate([starts[1:], _core.full(_int64, (1,), flat.shape[0])], 0)
    group = _core.sub(_core.cumsum(_core.astype(is_new, _int64), 0), 1)
    inverse = _core.full(_int64, flat.shape, 0).at[order].set(group)
    return _UniqueAll(values, indices, _core.reshape(inverse, x.shape), _core.sub(ends, starts))


def unique_values(x, /):
    """The different values, sorted.

    >>> tc.unique_values(tc.asarray([3, 1, 3]))
    array([1, 3], dtype=int64)
    """
    return unique_all(x).values


def unique_counts(x, /):
    """The different values, sorted, and how often each is there."""
    result = unique_all(x)
    return _UniqueCounts(result.values, result.counts)


def unique_inverse(x, /):
    """The different values, sorted, and the indices that make x of them."""
    result = unique_all(x)
    return _UniqueInverse(result.values, result.inverse_indices)


def check_numerics(x, text=""):
    """x; computing it is an error where an element is NaN or an infinity."""
    return _core.check_numerics(x, text)
