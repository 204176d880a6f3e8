"""Layers and losses as functions."""

import math

from .. import _core, _functions
from .._arguments import _array
from .._dtypes import default_float
from .._elementwise import gelu, leaky_relu, log_softmax, relu, silu, softmax  # noqa: F401

_layouts = {"channels_first": 0, "channels_last": 1}
_paddings = {"same": 1, "valid": 2}


def _layout(layout):
    if layout not in _layouts:
        raise ValueError(f"no layout '{layout}': {', '.join(_layouts)}")
    return _layouts[layout]


def _padding(padding):
    """Returns the kind of padding in the C interface, and the padding on the low and high
    sides."""
    if isinstance(padding, str):
        if padding not in _paddings:
            raise ValueError(f"no padding '{padding}': {', '.join(_paddings)}")
        return _paddings[padding], None, None
    pairs = [(padding, padding)] if isinstance(padding, int) else [(p, p) if isinstance(p, int) else p for p in padding]
    return 0, [a for a, _ in pairs], [b for _, b in pairs]


def linear(x, weight, bias=None):
    """x weight^T + bias; the weight is [out, in].

    >>> tc.nn.linear(tc.ones(2), tc.ones((3, 2))).shape
    (3,)
    """
    y = _core.matmul(x, _functions.matrix_transpose(weight))
    return y if bias is None else y + bias


def conv(x, kernel, bias=None, *, stride=1, padding=0, dilation=1, groups=1, input_dilation=1, layout="channels_first"):
    """A convolution over 1 to 3 spatial dimensions. Images are [N, C, spatial...] and kernels [O, C / groups,
    spatial...], which are not mirrored.

    >>> tc.nn.conv(tc.ones((1, 1, 5, 5)), tc.ones((2, 1, 3, 3)), padding="same").shape
    (1, 2, 5, 5)
    """
    x, kernel = _array(x), _array(kernel)
    return _core.conv(x, kernel, bias, kernel.ndim - 2, _layout(layout), *_padding(padding), stride, dilation, input_dilation, groups)


def conv_transpose(x, kernel, bias=None, *, stride=1, padding=0, output_padding=0, groups=1, dilation=1, layout="channels_first"):
    """A transposed convolution, which is the gradient of a convolution. Kernels are [C, O / groups, spatial...]."""
    x, kernel = _array(x), _array(kernel)
    return _core.conv_transpose(x, kernel, bias, kernel.ndim - 2, _layout(layout), *_padding(padding), stride, dilation,
                                output_padding, groups)  # fmt: skip


def _numbers(name, padding):
    """Returns the padding on the low and high sides. A name is an error."""
    if isinstance(padding, str):
        raise ValueError(f"{name}: padding must be numbers")
    return _padding(padding)[1:]


def _pool(reduction, x, size, stride, padding, dilation, ceil_mode, exclude, layout, divisor=0.0):
    x = _array(x)
    dims = x.ndim - 2
    _, low, high = _padding(padding)
    return _core.pool(_core.reduction[reduction], x, dims, _layout(layout), size, stride, low, high, dilation, ceil_mode, exclude, divisor)


def max_pool(x, size, *, stride=None, padding=0, dilation=1, ceil_mode=False, layout="channels_first"):
    """The largest element of each window. Images are [N, C, spatial...]."""
    return _pool("max", x, size, stride, padding, dilation, ceil_mode, False, layout)


def avg_pool(x, size, *, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0.0, layout="channels_first"):
    """The mean of each window, or with `divisor_override` its sum divided by that number."""
    return _pool("mean", x, size, stride, padding, 1, ceil_mode, not count_include_pad, layout, divisor_override)


def _adaptive(reduction, x, size, layout):
    x = _array(x)
    sizes = (size,) * (x.ndim - 2) if isinstance(size, int) else tuple(size)
    if len(sizes) != x.ndim - 2:
        raise ValueError(f"adaptive pooling: {len(sizes)} sizes for {x.ndim - 2} spatial dimensions")
    return _core.adaptive_pool(_core.reduction[reduction], x, x.ndim - 2, _layout(layout), sizes)


def adaptive_avg_pool(x, size, *, layout="channels_first"):
    """Resizes images [N, C, spatial...]: each element is the mean of the elements in its part of the image.

    >>> tc.nn.adaptive_avg_pool(tc.reshape(tc.arange(4.0), (1, 1, 4)), 2)
    array([[[0.5, 2.5]]], dtype=float32)
    """
    return _adaptive("mean", x, size, layout)


def adaptive_max_pool(x, size, *, layout="channels_first"):
    """Resizes images [N, C, spatial...]: each element is the largest element in its part of the image."""
    return _adaptive("max", x, size, layout)


def unfold(x, size, *, stride=1, padding=0, dilation=1):
    """The elements of each window as a column: images [N, C, spatial...] become [N, C * elements of a window,
    windows].

    >>> tc.nn.unfold(tc.ones((1, 2, 4, 4)), 3).shape
    (1, 18, 4)
    """
    x = _array(x)
    return _core.unfold(x, x.ndim - 2, size, stride, *_numbers("unfold", padding), dilation)


def reduce_window(x, reduction, size, *, stride=1, padding=0, dilation=1):
    """Reduces windows that slide along all axes by "sum", "prod", "max", "min" or "mean".

    >>> tc.nn.reduce_window(tc.arange(4), "sum", 2).tolist()
    [1, 3, 5]
    """
    if reduction not in _core.reduction:
        raise ValueError(f"reduce_window: no reduction '{reduction}': {', '.join(_core.reduction)}")
    x = _array(x)
    return _core.reduce_window(_core.reduction[reduction], x, x.ndim, 0, size, stride, *_numbers("reduce_window", padding), dilation,
                               False, False, 0.0)  # fmt: skip


def embedding(indices, table):
    """The rows of a table at the indices; an index out of range reads the nearest row."""
    return _core.take(table, indices, 0)


def hardtanh(x, low=-1.0, high=1.0):
    """x clamped to [low, high].

    >>> tc.nn.hardtanh(tc.asarray([-3.0, 0.5]))
    array([-1.0, 0.5], dtype=float32)
    """
    return _inside(low, _array(x), high)


def relu6(x):
    """x clamped to [0, 6]."""
    return _inside(0, _array(x), 6)


def _inside(low, x, high):
    """Like clamp, but with a slope of 0 at the bounds, as in PyTorch."""
    inside = _core.bitwise_and(_core.gt(x, low), _core.lt(x, high))
    return _core.select(inside, x, _core.stop_gradient(_core.clamp(low, x, high)))


def normalize(x, order=2.0, axis=1, epsilon=1e-12):
    """x divided by its norm along an axis. Norms are clamped to at least epsilon.

    >>> tc.nn.normalize(tc.asarray([3.0, 4.0]), axis=0)
    array([0.6, 0.8], dtype=float32)
    """
    x = _array(x)
    return x / _core.maximum(_core.norm(x, order, axis, True), epsilon)


def interpolate(x, sizes, mode="nearest"):
    """Resizes images [N, C, spatial...]. Modes: 'nearest', 'linear' (PyTorch's 'bilinear', 'trilinear') or
    'linear_corners' (with align_corners)."""
    if mode not in _core.interpolation:
        raise ValueError(f"interpolate: no mode '{mode}': {', '.join(_core.interpolation)}")
    return _core.interpolate(x, sizes, _core.interpolation[mode])


def layer_norm(x, scale=None, bias=None, epsilon=1e-5, *, axes=1):
    """Normalizes to mean 0 and variance 1 along the last axis, or the last `axes` axes; then multiplies by scale and
    adds bias.

    >>> tc.nn.layer_norm(tc.reshape(tc.arange(4.0), (1, 2, 2)), axes=2).sum().item()
    0.0
    """
    return _core.layer_norm_over(x, axes, scale, bias, epsilon)


def batch_norm(x, mean, variance, scale=None, bias=None, epsilon=1e-5, axis=1):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias. All four are vectors along the axis."""
    return _core.batch_norm(x, mean, variance, scale, bias, epsilon, axis)


def instance_norm(x, scale=None, bias=None, epsilon=1e-5):
    """Normalizes to mean 0 and variance 1 in each channel (axis 1) of each image."""
    return _core.instance_norm(x, scale, bias, epsilon)


def dropout(x, key, rate=0.5):
    """Replaces elements by 0 with probability `rate`, and divides the others by 1 - rate."""
    return _core.dropout(x, key, rate)


def rms_norm(x, scale=None, epsilon=1e-5):
    """x / sqrt(mean(x^2) + epsilon), along the last axis, times scale."""
    return _core.rms_norm(x, scale, epsilon)


def group_norm(x, groups, scale=None, bias=None, epsilon=1e-5):
    """Normalizes to mean 0 and variance 1 in each group of channels (axis 1) of each image."""
    return _core.group_norm(x, groups, scale, bias, epsilon)


def attention(q, k, v, *, mask=None, causal=False, scale=None):
    """softmax(q k^T scale) v. A boolean mask is true where a query attends to a key; a float mask is added to the
    scores.

    >>> q = tc.ones((1, 2, 4, 8))
    >>> tc.nn.attention(q, q, q, causal=True).shape
    (1, 2, 4, 8)
    """
    return _core.attention(q, k, v, mask, causal, scale)


def _uniform(key, shape, fan_in):
    """Returns initial weights as in PyTorch: uniform in [-1 / sqrt(fan_in), 1 /
    sqrt(fan_in)]."""
    bound = 1 / math.sqrt(fan_in) if fan_in else 0.0
    return _core.uniform(key, shape, -bound, bound, default_float())
