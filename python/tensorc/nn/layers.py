"""Layers. Layers with weights take a `key` of tc.random."""

import math

from .. import _core, _functions, random
from .._arguments import _axis
from .._creation import full
from .._dtypes import default_float
from .._control import scan
from . import functional as F
from .module import Module


def _zeros(*shape):
    return _core.full(default_float(), shape, 0)


def _ones(*shape):
    return _core.full(default_float(), shape, 1)


class Linear(Module):
    """x weight^T + bias.

    >>> tc.nn.Linear(3, 2, key=tc.random.key(0))(tc.ones((5, 3))).shape
    (5, 2)
    """

    def __init__(self, inputs, outputs, *, key, bias=True):
        first, second = random.split(key)
        self.weight = F._uniform(first, (outputs, inputs), inputs)
        if bias:
            self.bias = F._uniform(second, (outputs,), inputs)

    def __call__(self, x):
        return F.linear(x, self.weight, self.get("bias"))


class _Conv(Module):
    dims = 2

    def __init__(self, inputs, outputs, size, *, key, stride=1, padding=0, dilation=1, groups=1, bias=True):
        size = (size,) * self.dims if isinstance(size, int) else tuple(size)
        fan_in = inputs // groups
        for n in size:
            fan_in *= n
        first, second = random.split(key)
        self.weight = F._uniform(first, (outputs, inputs // groups, *size), fan_in)
        if bias:
            self.bias = F._uniform(second, (outputs,), fan_in)
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups

    def __call__(self, x):
        return F.conv(x, self.weight, self.get("bias"), stride=self.stride, padding=self.padding, dilation=self.dilation,
                      groups=self.groups)  # fmt: skip


class Conv1d(_Conv):
    """A convolution of signals [N, C, W]."""

    dims = 1


class Conv2d(_Conv):
    """A convolution of images [N, C, H, W].

    >>> tc.nn.Conv2d(1, 4, 3, key=tc.random.key(0), padding=1)(tc.ones((2, 1, 8, 8))).shape
    (2, 4, 8, 8)
    """


class Conv3d(_Conv):
    """A convolution of volumes [N, C, D, H, W]."""

    dims = 3


class Embedding(Module):
    """The rows of a table at the indices."""

    def __init__(self, count, size, *, key):
        self.weight = random.normal(key, (count, size))

    def __call__(self, indices):
        return _core.take(self.weight, indices, 0)


class LayerNorm(Module):
    """Normalizes to mean 0 and variance 1 along the last axis; then multiplies by a scale and adds a bias.

    >>> tc.nn.LayerNorm(4)(tc.ones((2, 4))).tolist()[0]
    [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, size, epsilon=1e-5):
        self.weight, self.bias, self.epsilon = _ones(size), _zeros(size), epsilon

    def __call__(self, x):
        return F.layer_norm(x, self.weight, self.bias, self.epsilon)


class RMSNorm(Module):
    """x / sqrt(mean(x^2) + epsilon), along the last axis, times a scale."""

    def __init__(self, size, epsilon=1e-5):
        self.weight, self.epsilon = _ones(size), epsilon

    def __call__(self, x):
        return F.rms_norm(x, self.weight, self.epsilon)


class GroupNorm(Module):
    """Normalizes to mean 0 and variance 1 in each group of channels (axis 1)."""

    def __init__(self, groups, channels, epsilon=1e-5):
        self.weight, self.bias, self.groups, self.epsilon = _ones(channels), _zeros(channels), groups, epsilon

    def __call__(self, x):
        return F.group_norm(x, self.groups, self.weight, self.bias, self.epsilon)


class BatchNorm(Module):
    """Normalizes each channel (axis 1) by statistics of the batch. Calls do not change the module: `batch_norm(x)`
    uses the running statistics; `batch_norm.train(x)` uses those of the batch, and returns the result and a module
    with new running statistics.
    """

    def __init__(self, channels, epsilon=1e-5, momentum=0.1):
        self.weight, self.bias, self.epsilon, self.momentum = _ones(channels), _zeros(channels), epsilon, momentum
        self.mean, self.variance = _zeros(channels), _ones(channels)

    def __call__(self, x):
        return _core.batch_norm(x, self.mean, self.variance, self.weight, self.bias, self.epsilon, 1)

    def train(self, x):
        """The result for the batch's statistics, and the module with new running statistics."""
        axes = tuple(i for i in range(x.ndim) if i != 1)
        mean, variance = _core.mean(x, axes), _core.var(x, axes)
        y = _core.batch_norm(x, mean, variance, self.weight, self.bias, self.epsilon, 1)
        count = x.size // x.shape[1]
        changed = self.copy()
        m = self.momentum
        changed.mean = self.mean * (1 - m) + _core.stop_gradient(mean) * m
        changed.variance = self.variance * (1 - m) + _core.stop_gradient(variance) * (m * count / max(1, count - 1))
        return y, changed

    def copy(self):
        """A copy of the module."""
        from .. import tree

        leaves, structure = tree.flatten(self)
        return structure.unflatten(leaves)


class MultiHeadAttention(Module):
    """Multi-head attention over [N, T, C].

    >>> tc.nn.MultiHeadAttention(8, 2, key=tc.random.key(0))(tc.ones((1, 5, 8)), causal=True).shape
    (1, 5, 8)
    """

    def __init__(self, size, heads, *, key, bias=True):
        if size % heads:
            raise ValueError(f"MultiHeadAttention: {size} features for {heads} heads")
        keys = random.split(key, 4)
        self.heads = heads
        self.query, self.key, self.value, self.out = (Linear(size, size, key=k, bias=bias) for k in keys)

    def __call__(self, x, memory=None, *, mask=None, causal=False):
        memory = x if memory is None else memory

        def parts(y):
            n, t, c = y.shape
            return _functions.swapaxes(_core.reshape(y, (n, t, self.heads, c // self.heads)), 1, 2)

        y = F.attention(parts(self.query(x)), parts(self.key(memory)), parts(self.value(memory)), mask=mask, causal=causal)
        return self.out(_core.reshape(_functions.swapaxes(y, 1, 2), x.shape))


class Dropout(Module):
    """Replaces elements by 0 with probability `rate`, and divides the others by 1 - rate. Without a key returns x."""

    def __init__(self, rate=0.5):
        self.rate = rate

    def __call__(self, x, key=None):
        return x if key is None else _core.dropout(x, key, self.rate)


class Sequential(Module):
    """Applies layers one after another."""

    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Flatten(Module):
    """Merges the axes from `start` to `end`, inclusive, into one; by default all axes but the first.

    >>> tc.nn.Flatten()(tc.ones((2, 3, 4))).shape
    (2, 12)
    """

    def __init__(self, start=1, end=-1):
        self.start, self.end = start, end

    def __call__(self, x):
        start, end = _axis(self.start, x.ndim), _axis(self.end, x.ndim)
        if start > end:
            raise ValueError(f"Flatten: axis {self.start} is behind axis {self.end} of an array of {x.ndim} axes")
        return _core.reshape(x, (*x.shape[:start], math.prod(x.shape[start : end + 1]), *x.shape[end + 1 :]))


class ReLU(Module):
    """max(x, 0)."""

    def __call__(self, x):
        return _core.relu(x)


class GELU(Module):
    """x (1 + erf(x / sqrt 2)) / 2."""

    def __call__(self, x):
        return _core.gelu(x)


class SiLU(Module):
    """x sigmoid(x)."""

    def __call__(self, x):
        return _core.silu(x)


class MaxPool2d(Module):
    """The largest element of each window."""

    def __init__(self, size, stride=None, padding=0):
        self.size, self.stride, self.padding = size, stride, padding

    def __call__(self, x):
        return F.max_pool(x, self.size, stride=self.stride, padding=self.padding)


class AvgPool2d(Module):
    """The mean of each window."""

    def __init__(self, size, stride=None, padding=0):
        self.size, self.stride, self.padding = size, stride, padding

    def __call__(self, x):
        return F.avg_pool(x, self.size, stride=self.stride, padding=self.padding)


class LSTM(Module):
    """A long short-term memory over sequences [T, N, inputs], or with `batch_first` [N, T, inputs] (Hochreiter,
    Schmidhuber 1997).

    Returns the hidden states of all steps and the last state (h, c); `state` is the initial state, by default 0. The
    weights have PyTorch's layout: the gates i, f, g, o are stacked as rows.

    >>> outputs, (h, c) = tc.nn.LSTM(3, 5, key=tc.random.key(0))(tc.ones((7, 2, 3)))
    >>> outputs.shape, h.shape
    ((7, 2, 5), (2, 5))
    """

    def __init__(self, inputs, hidden, *, key, bias=True, batch_first=False):
        keys = random.split(key, 4)
        self.weight_ih = F._uniform(keys[0], (4 * hidden, inputs), hidden)
        self.weight_hh = F._uniform(keys[1], (4 * hidden, hidden), hidden)
        if bias:
            self.bias_ih = F._uniform(keys[2], (4 * hidden,), hidden)
            self.bias_hh = F._uniform(keys[3], (4 * hidden,), hidden)
        self.hidden, self.batch_first = hidden, batch_first

    def __call__(self, x, state=None):
        if x.ndim != 3:
            raise ValueError(f"LSTM: sequences have 3 axes, not {x.ndim}")
        if self.batch_first:
            x = _functions.swapaxes(x, 0, 1)
        if state is None:
            zeros = full((x.shape[1], self.hidden), 0, dtype=x.dtype, device=x.device)
            state = (zeros, zeros)
        bias = self.bias_ih + self.bias_hh if "bias_ih" in self else None
        # The products of the weights with the inputs of all steps are computed as one product.
        given = F.linear(x, self.weight_ih, bias)

        def step(state, part):
            h, c = state
            i, f, g, o = _functions.split(part + F.linear(h, self.weight_hh), 4, axis=-1)
            c = _core.sigmoid(f) * c + _core.sigmoid(i) * _core.tanh(g)
            h = _core.sigmoid(o) * _core.tanh(c)
            return (h, c), h

        state, outputs = scan(step, state, given)
        return (_functions.swapaxes(outputs, 0, 1) if self.batch_first else outputs), state
