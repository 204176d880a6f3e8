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
    """C's kind of padding, and what is added below and above."""
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
    """A convolution over 1 to 3 spatial dimensions, N, C, spatial; kernels O, C / groups, spatial are not mirrored.

    >>> tc.nn.conv(tc.ones((1, 1, 5, 5)), tc.ones((2, 1, 3, 3)), padding="same").shape
    (1, 2, 5, 5)
    """
    x, kernel = _array(x), _array(kernel)
    return _core.conv(x, kernel, bias, kernel.ndim - 2, _layout(layout), *_padding(padding), stride, dilation, input_dilation, groups)


def conv_transpose(x, kernel, bias=None, *, stride=1, padding=0, output_padding=0, groups=1, dilation=1, layout="channels_first"):
    """The gradient of a convolution; kernels C, O / groups, spatial."""
    x, kernel = _array(x), _array(kernel)
    return _core.conv_transpose(x, kernel, bias, kernel.ndim - 2, _layout(layout), *_padding(padding), stride, dilation,
                                output_padding, groups)  # fmt: skip


def _pool(reduction, x, size, stride, padding, dilation, ceil_mode, exclude, layout):
    x = _array(x)
    dims = x.ndim - 2
    _, low, high = _padding(padding)
    return _core.pool(_core.reduction[reduction], x, dims, _layout(layout), size, stride, low, high, dilation, ceil_mode, exclude, 0.0)


def max_pool(x, size, *, stride=None, padding=0, dilation=1, ceil_mode=False, layout="channels_first"):
    """The largest element of each window; images N, C, spatial."""
    return _pool("max", x, size, stride, padding, dilation, ceil_mode, False, layout)


def avg_pool(x, size, *, stride=None, padding=0, ceil_mode=False, count_include_pad=True, layout="channels_first"):
    """The mean of each window."""
    return _pool("mean", x, size, stride, padding, 1, ceil_mode, not count_include_pad, layout)


def interpolate(x, sizes, mode="nearest"):
    """Images N, C, spatial in other sizes: 'nearest', 'linear' or 'linear_corners'."""
    if mode not in _core.interpolation:
        raise ValueError(f"interpolate: no mode '{mode}': {', '.join(_core.interpolation)}")
    return _core.interpolate(x, sizes, _core.interpolation[mode])


def layer_norm(x, scale=None, bias=None, epsilon=1e-5):
    """Mean 0 and variance 1 along the last axis, times scale, plus bias."""
    return _core.layer_norm(x, scale, bias, epsilon)


def rms_norm(x, scale=None, epsilon=1e-5):
    """x / sqrt(mean(x^2) + epsilon), along the last axis, times scale."""
    return _core.rms_norm(x, scale, epsilon)


def group_norm(x, groups, scale=None, bias=None, epsilon=1e-5):
    """Mean 0 and variance 1 in each group of channels (axis 1) of each image."""
    return _core.group_norm(x, groups, scale, bias, epsilon)


def attention(q, k, v, *, mask=None, causal=False, scale=None):
    """softmax(q k^T scale) v; a boolean mask is true where an element takes part, a float one is added.

    >>> q = tc.ones((1, 2, 4, 8))
    >>> tc.nn.attention(q, q, q, causal=True).shape
    (1, 2, 4, 8)
    """
    return _core.attention(q, k, v, mask, causal, scale)


# Losses.


def _reduced(losses, reduction):
    if reduction == "none":
        return losses
    if reduction == "mean":
        return _functions.mean(losses)
    if reduction == "sum":
        return _functions.sum(losses)
    raise ValueError(f"no reduction '{reduction}': mean, sum, none")


def cross_entropy(logits, labels, *, weight=None, reduction="mean", ignore_index=-100, label_smoothing=0.0):
    """-log softmax(logits)[label]; classes are axis 1, labels integers. A label that is not a class gives NaN.

    >>> float(tc.nn.cross_entropy(tc.zeros((2, 4)), tc.asarray([0, 3]))) - 1.3862944 < 1e-6
    True
    """
    kind = "loss_" + reduction
    if kind not in _core.loss_reduction:
        raise ValueError(f"no reduction '{reduction}': mean, sum, none")
    return _core.cross_entropy(logits, labels, weight, _core.loss_reduction[kind], ignore_index, label_smoothing)


def nll_loss(x, labels, *, reduction="mean"):
    """-x[i, label] of logarithms of probabilities."""
    picked = _core.take_along_axis(x, _core.expand_dims(labels, 1), 1)
    return _reduced(-_core.squeeze(picked, 1), reduction)


def mse_loss(x, y, *, reduction="mean"):
    """(x - y)^2

    >>> tc.nn.mse_loss(tc.ones(2), tc.zeros(2))
    array(1.0, dtype=float32)
    """
    difference = _core.sub(x, y)
    return _reduced(difference * difference, reduction)


def l1_loss(x, y, *, reduction="mean"):
    """|x - y|"""
    return _reduced(_core.abs(_core.sub(x, y)), reduction)


def huber_loss(x, y, *, delta=1.0, reduction="mean"):
    """(x - y)^2 / 2 up to delta, beyond it delta (|x - y| - delta / 2)."""
    d = _core.abs(_core.sub(x, y))
    return _reduced(_core.select(_core.le(d, delta), d * d * 0.5, (d - delta / 2) * delta), reduction)


def binary_cross_entropy_with_logits(x, target, *, reduction="mean"):
    """The binary cross entropy of logits and targets from 0 to 1, without overflow."""
    return _reduced(_core.softplus(x) - x * target, reduction)


def _uniform(key, shape, fan_in):
    """As PyTorch draws weights: evenly within 1 / sqrt(fan_in)."""
    bound = 1 / math.sqrt(fan_in) if fan_in else 0.0
    return _core.uniform(key, shape, -bound, bound, default_float)
