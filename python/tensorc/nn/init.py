"""Initial values of weights. Weights are [out, in] and kernels [out, in, spatial...], as in the layers.

>>> tc.nn.init.kaiming_normal(tc.random.key(0), (16, 8)).shape
(16, 8)
"""

import math

from .. import _core
from .._arguments import _sizes
from .._dtypes import as_dtype, default_float

__all__ = ["kaiming_normal", "kaiming_uniform", "xavier_normal", "xavier_uniform"]


def _fans(name, shape):
    """Returns the fan-in and fan-out of a shape."""
    if len(shape) < 2:
        raise ValueError(f"{name}: weights have at least two dimensions")
    places = math.prod(shape[2:])
    return shape[1] * places, shape[0] * places


def _uniform(key, shape, deviation, dtype):
    bound = math.sqrt(3) * deviation
    return _core.uniform(key, shape, -bound, bound, default_float() if dtype is None else as_dtype(dtype))


def _normal(key, shape, deviation, dtype):
    return _core.randn(key, shape, default_float() if dtype is None else as_dtype(dtype)) * deviation


def _xavier(name, draw):
    def call(key, shape, *, gain=1.0, dtype=None):
        shape = _sizes(shape)
        fans = sum(_fans(name, shape))
        return draw(key, shape, gain * math.sqrt(2 / fans) if fans else 0.0, dtype)

    return call


def _kaiming(name, draw):
    def call(key, shape, *, gain=math.sqrt(2), dtype=None):
        shape = _sizes(shape)
        fan = _fans(name, shape)[0]
        return draw(key, shape, gain / math.sqrt(fan) if fan else 0.0, dtype)

    return call


def _named(name, call, doc):
    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


_BETWEEN = "Initial values of Glorot and Bengio, {}: the variance is a compromise between preserving the variance of activations and that of gradients."
_FORWARD = "Initial values of He et al., {}: they preserve the variance of activations; the default gain is for relu."
xavier_uniform = _named("xavier_uniform", _xavier("xavier_uniform", _uniform), _BETWEEN.format("uniformly distributed"))
xavier_normal = _named("xavier_normal", _xavier("xavier_normal", _normal), _BETWEEN.format("normally distributed"))
kaiming_uniform = _named("kaiming_uniform", _kaiming("kaiming_uniform", _uniform), _FORWARD.format("uniformly distributed"))
kaiming_normal = _named("kaiming_normal", _kaiming("kaiming_normal", _normal), _FORWARD.format("normally distributed"))
