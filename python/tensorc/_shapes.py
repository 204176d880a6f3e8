"""Functions that change the order, number and sizes of axes, and that join and split arrays."""

import builtins

from . import _core
from ._arguments import _array, _axes, _axis, _each, _int64, _same, _sizes
from ._creation import asarray
from ._dtypes import as_dtype

__all__ = [
    "astype", "bitcast", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "concatenate", "expand_dims",
    "flip", "matrix_transpose", "moveaxis", "pad", "permute_dims", "ravel", "repeat", "reshape", "roll", "split", "squeeze",
    "stack", "swapaxes", "tile", "transpose", "unstack",
]  # fmt: skip

Array = _core.Array


def astype(x, dtype, /, *, copy=True, device=None):
    """x converted to a dtype. Conversion is deferred, so values raise no errors: as an integer NaN is 0, and a number
    out of range becomes the nearest one in range.

    >>> tc.astype(tc.asarray([1.7]), tc.int32)
    array([1], dtype=int32)
    """
    x, dtype = _array(x), as_dtype(dtype)
    if dtype == x.dtype:
        result = x.__copy__() if copy else x
    else:
        result = _core.astype(x, dtype)
    return result if device is None else result.to(device)


def bitcast(x, dtype):
    """The bits of x reinterpreted as another dtype."""
    return _core.bitcast(_array(x), as_dtype(dtype))


def reshape(x, /, shape, *, copy=None):
    """The same elements with other sizes; one of them may be -1.

    >>> tc.reshape(tc.arange(4), (2, -1))
    array([[0, 1], [2, 3]], dtype=int64)
    """
    x = _array(x)
    return _core.reshape(x, _sizes(shape))


def ravel(x):
    """x flattened to one axis."""
    return _core.reshape(_array(x), (-1,))


def permute_dims(x, /, axes):
    """x with the axes in another order.

    >>> tc.permute_dims(tc.ones((2, 3)), (1, 0)).shape
    (3, 2)
    """
    x, axes = _array(x), tuple(axes)
    if len(axes) != x.ndim:
        raise ValueError(f"permute_dims: {len(axes)} axes for an array of {x.ndim}")
    return _core.permute(x, axes) if axes else x


def transpose(x, axes=None):
    """x with its axes reversed, or in the given order, as NumPy's transpose."""
    x = _array(x)
    return permute_dims(x, tuple(range(x.ndim))[::-1] if axes is None else axes)


def matrix_transpose(x, /):
    """x with the last two axes exchanged."""
    x = _array(x)
    if x.ndim < 2:
        raise ValueError("matrix_transpose: of an array with fewer than two axes")
    return swapaxes(x, -1, -2)


def swapaxes(x, axis1, axis2):
    """x with two axes exchanged."""
    x = _array(x)
    order = list(range(x.ndim))
    a, b = _axis(axis1, x.ndim), _axis(axis2, x.ndim)
    order[a], order[b] = order[b], order[a]
    return permute_dims(x, order)


def moveaxis(x, source, destination, /):
    """x with axes moved to other positions.

    >>> tc.moveaxis(tc.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = _array(x)
    sources, targets = [_axis(a, x.ndim) for a in _each(source)], [_axis(a, x.ndim) for a in _each(destination)]
    if len(sources) != len(targets) or len(set(sources)) != len(sources) or len(set(targets)) != len(targets):
        raise ValueError("moveaxis: as many different sources as destinations are expected")
    order = [a for a in range(x.ndim) if a not in sources]
    for target, source in sorted(zip(targets, sources)):
        order.insert(target, source)
    return permute_dims(x, order)


def expand_dims(x, /, axis=0):
    """x with new axes of size 1 at these positions.

    >>> tc.expand_dims(tc.ones(2), axis=0).shape
    (1, 2)
    """
    x, axes = _array(x), _each(axis)
    ndim = x.ndim + len(axes)
    for a in axes:
        if not -ndim <= a < ndim:
            raise IndexError(f"expand_dims: axis {a} is out of range for an array of {ndim} axes")
    axes = {a % ndim for a in axes}
    if x.ndim + len(axes) != ndim:
        raise ValueError(f"expand_dims: an axis is named twice: {axis}")
    for a in sorted(axes):
        x = _core.expand_dims(x, a)
    return x


def squeeze(x, /, axis=None):
    """x without its axes of size 1, or without the given axes."""
    x = _array(x)
    axes, _ = _axes(axis, x)
    if axes is None:
        axes = tuple(i for i, n in enumerate(x.shape) if n == 1)
    for a in axes:
        if x.shape[a] != 1:
            raise ValueError(f"squeeze: axis {a} has the size {x.shape[a]}")
    return _core.reshape(x, tuple(n for i, n in enumerate(x.shape) if i not in axes))


def broadcast_shapes(*shapes):
    """The shape to which arrays of these shapes broadcast.

    >>> tc.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    rank = builtins.max((len(s) for s in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for i, n in enumerate(shape, rank - len(shape)):
            if n != 1:
                if result[i] not in (1, n):
                    raise ValueError(f"shapes could not be broadcast together: {', '.join(map(str, shapes))}")
                result[i] = n
    return tuple(result)


def broadcast_to(x, /, shape):
    """x broadcast to a shape."""
    x = _array(x)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return _core.broadcast_to(x, shape)


def broadcast_arrays(*arrays):
    """A tuple of the arrays, broadcast to one shape."""
    arrays = [_array(a) for a in arrays]
    shape = broadcast_shapes(*(a.shape for a in arrays))
    return tuple(a if a.shape == shape else _core.broadcast_to(a, shape) for a in arrays)


def concat(arrays, /, axis=0):
    """The arrays joined along an axis; if the axis is None they are flattened first.

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


def stack(arrays, /, axis=0):
    """The arrays joined along a new axis.

    >>> tc.stack([tc.asarray(1), tc.asarray(2)])
    array([1, 2], dtype=int64)
    """
    arrays = _same(arrays)
    return _core.stack(arrays, _axis(axis, arrays[0].ndim + 1))


def unstack(x, /, axis=0):
    """The slices along an axis, as a tuple."""
    x = _array(x)
    axis = _axis(axis, x.ndim)
    return tuple(x[(slice(None),) * axis + (i,)] for i in range(x.shape[axis]))


def split(x, parts, axis=0):
    """Splits x along an axis into a number of equal parts, or before these positions."""
    x = _array(x)
    axis = _axis(axis, x.ndim)
    if isinstance(parts, int):
        if parts <= 0 or x.shape[axis] % parts:
            raise ValueError(f"split: {x.shape[axis]} elements into {parts} equal parts")
        size = x.shape[axis] // parts
        parts = [size * i for i in range(1, parts)]
    bounds = [0, *parts, x.shape[axis]]
    return [x[(slice(None),) * axis + (slice(a, b),)] for a, b in zip(bounds, bounds[1:])]


def flip(x, /, axis=None):
    """x reversed along the axes, by default all."""
    x = _array(x)
    axes, flips = _axes(axis, x)
    return _core.flip(x, axes) if flips and x.ndim else x


def roll(x, /, shift, axis=None):
    """The elements shifted along the axes; elements that leave at one end enter at the other."""
    x = _array(x)
    if axis is None:
        return _core.reshape(_core.roll(_core.reshape(x, (-1,)), [shift], [0]), x.shape)
    axes, shifts = _each(axis), _each(shift)
    if len(shifts) == 1:
        shifts *= len(axes)
    return _core.roll(x, shifts, [_axis(a, x.ndim) for a in axes]) if axes else x


def tile(x, repetitions, /):
    """x repeated along each axis; `repetitions` has a number per axis."""
    x, repetitions = _array(x), _each(repetitions)
    return _core.tile(x, repetitions) if repetitions else x


def repeat(x, repeats, /, axis=None):
    """Each element repeated along an axis. Counts that are an array, with a number per element, are evaluated.

    >>> tc.repeat(tc.asarray([1, 2]), 2)
    array([1, 1, 2, 2], dtype=int64)
    """
    x = _array(x)
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
    counts = _array(repeats).tolist()
    if not isinstance(counts, list) or any(not isinstance(n, int) for n in counts):
        raise TypeError(f"repeat: the numbers must be integers, not {repeats!r}")
    if len(counts) != x.shape[axis]:
        raise ValueError(f"repeat: {len(counts)} numbers for {x.shape[axis]} elements")
    places = [i for i, n in enumerate(counts) for _ in range(n)]
    return _core.take(x, asarray(places, dtype=_int64), axis)


def pad(x, widths, mode="constant", constant_values=0):
    """x with elements added at both ends of each axis, as in NumPy; the mode is 'constant', 'edge', 'reflect',
    'symmetric' or 'wrap'.

    >>> tc.pad(tc.ones(1), (1, 2))
    array([0.0, 1.0, 0.0, 0.0], dtype=float32)
    """
    x = _array(x)
    is_number = lambda value: not hasattr(value, "__len__")  # noqa: E731
    pairs = [widths] if is_number(widths) or is_number(widths[0]) else list(widths)
    pairs = [(p, p) if is_number(p) else (p[0], p[-1]) if 1 <= len(p) <= 2 else () for p in pairs]
    if not all(pairs) or len(pairs) not in (1, x.ndim):
        raise ValueError(f"pad: a width, or a pair of widths, is expected for all of the {x.ndim} axes or for each, not {widths}")
    pairs = pairs * x.ndim if len(pairs) == 1 else pairs
    low, high = [a for a, _ in pairs], [b for _, b in pairs]
    if mode == "constant":
        return _core.pad(x, low, high, None, constant_values)
    modes = {name.removeprefix("pad_"): number for name, number in _core.pad_mode.items()}
    if mode not in modes:
        raise ValueError(f"pad: no mode '{mode}': constant, {', '.join(modes)}")
    return _core.pad_with(x, low, high, modes[mode])
