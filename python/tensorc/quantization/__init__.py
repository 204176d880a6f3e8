"""Quantization to few bits: conversions, and calibration of activations over a data set. docs/numerics.md has the
rules.

>>> tc.quantization.quantize(tc.asarray([1.0, 2.25]), 0.5)
array([2, 4], dtype=int8)
"""

import collections

from .. import _core, tree
from .._arguments import _array, _axis, _floating, _on
from .._creation import asarray
from .._dtypes import as_dtype

__all__ = ["Parameters", "calibrate", "dequantize", "fake_quantize", "matmul_i32", "parameters", "quantize", "stochastic_round"]


def __dir__():
    return __all__


Parameters = collections.namedtuple("Parameters", "scale zero_point")
Parameters.__doc__ = """Parameters of `quantize` and `dequantize`: the scale (float32) and the zero point (in the integers' dtype), of the same shape."""


def _beside(x, scale, zero_point, dtype=None):
    """Returns the arguments as arrays on the device of x. A Python number as the zero point gets
    the dtype."""
    with _on(x.device):
        if isinstance(zero_point, int) and dtype is not None:
            zero_point = asarray(zero_point, dtype=dtype)
        return x, _array(scale), None if zero_point is None else _array(zero_point)


def quantize(x, scale, zero_point=None, *, dtype="int8", axis=-1):
    """x / scale, rounded to the nearest integer (halves to even), plus the zero point, saturated to the dtype's range.

    The scale is a number, a vector along the axis (one per channel), or an array of x's rank with dims that divide
    those of x (one per group). The zero point has the scale's shape, and the result's dtype.
    """
    dtype = as_dtype(dtype)
    return _core.quantize(*_beside(_floating(_array(x)), scale, zero_point, dtype), dtype, axis)


def dequantize(x, scale, zero_point=None, *, axis=-1):
    """(x - zero_point) * scale, in the scale's dtype. Shapes are as in `quantize`."""
    x = _array(x)
    return _core.dequantize(*_beside(x, scale, zero_point, x.dtype), axis)


def fake_quantize(x, scale, zero_point=None, *, low=-128, high=127, axis=-1):
    """x quantized to integers in [low, high] and back to floats. The gradient is that of the identity where x was not
    clamped, and 0 elsewhere."""
    return _core.fake_quantize(*_beside(_floating(_array(x)), scale, zero_point), low, high, axis)


def stochastic_round(key, x, *, dtype="int8"):
    """x as integers, saturated. x is rounded up with a probability equal to its fractional part; the key is one of
    `tc.random`."""
    return _core.stochastic_round(key, _floating(_array(x)), as_dtype(dtype))


def matmul_i32(x, y):
    """The matrix product of int8 or uint8, with products and sums in int32."""
    return _core.matmul_i32(_array(x), _array(y))


_RANGES = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-(1 << 15), (1 << 15) - 1), "uint16": (0, (1 << 16) - 1)}


def parameters(low, high, *, dtype="int8", symmetric=False):
    """The scale and the zero point for numbers in [low, high], which is widened to include 0. low and high are
    numbers or vectors.

    `symmetric`: the zero point is 0, and the largest magnitude becomes the dtype's largest integer, as is usual for
    weights. The scale of the range [0, 0] is 1. The dtype is int8, uint8, int16 or uint16; unsigned dtypes cannot be
    symmetric.
    """
    dtype = as_dtype(dtype)
    if dtype.name not in _RANGES:
        raise ValueError(f"parameters: the dtype must be one of {', '.join(_RANGES)}, not {dtype.name}")
    least, most = _RANGES[dtype.name]
    if symmetric and not least:
        raise ValueError(f"parameters: {dtype.name} has no negative numbers, so the range cannot be symmetric")
    low, high = (_core.astype(_array(x), as_dtype("float32")) for x in (low, high))
    low, high = _core.minimum(low, 0.0), _core.maximum(high, 0.0)
    # The halves are subtracted, because high - low may overflow float32.
    width = _core.maximum(-low, high) / most if symmetric else (high * 0.5 - low * 0.5) / ((most - least) * 0.5)
    scale = _core.select(width > 0, width, 1.0)
    zero = low * 0 if symmetric else least - _core.round_even(low / scale)
    return Parameters(scale, _core.astype(zero, dtype))


def calibrate(function, batches, *, axis=None, dtype="int8", symmetric=False):
    """The quantization parameters of activations, from their ranges over a data set.

    `function` maps a batch to an array or a structure of arrays of floats; the result has the same structure, with
    `Parameters` as leaves. A range is over all elements, or with `axis` separate for each index along the axis.
    Batches may have different sizes, and some may be empty; only one is in memory at a time. A ValueError is raised
    if there are no batches, or if activations have no elements or are not finite in float32.

    >>> tc.quantization.calibrate(lambda x: x * 2, [tc.asarray([-1.0, 3.0]), tc.asarray([6.75])], dtype="uint8").scale
    array(0.0607843, dtype=float32)
    """
    ranges, structure = None, None
    for number, batch in enumerate(batches):
        activations, structure = tree.flatten(function(batch))
        found = [_range(x, axis) for x in map(_array, activations)]
        if ranges is not None:
            if len(found) != len(ranges):
                raise ValueError(f"calibrate: {len(found)} activations of batch {number}, not {len(ranges)} as before")
            found = [(_core.minimum(a, c), _core.maximum(b, d)) for (a, b), (c, d) in zip(ranges, found)]
        ranges = found
        _core.eval([x for pair in ranges for x in pair])
    if ranges is None:
        raise ValueError("calibrate: there are no batches")
    for i, (low, high) in enumerate(ranges):
        if _core.any(low > high).item():
            raise ValueError(f"calibrate: activation {i} has no elements in any batch")
        if not _core.all(_core.is_finite(low) & _core.is_finite(high)).item():
            raise ValueError(f"calibrate: activation {i} is not finite")
    return tree.unflatten(structure, [parameters(low, high, dtype=dtype, symmetric=symmetric) for low, high in ranges])


def _range(x, axis):
    axes = None if axis is None else tuple(d for d in range(x.ndim) if d != _axis(axis, x.ndim))
    return tuple(_core.astype(y, as_dtype("float32")) for y in (_core.min(x, axes), _core.max(x, axes)))
