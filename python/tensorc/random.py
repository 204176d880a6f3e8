"""Random numbers: functions of a key, the same on every device.

>>> key = tc.random.key(42)
>>> tc.random.normal(key, (2, 3)).shape
(2, 3)

A key is an array of two integers. It is used for one call, and split for more.
"""

from . import _core
from ._creation import _shape
from ._dtypes import as_dtype, default_float, default_int


def key(seed):
    """The key of an integer."""
    return _core.random_key(seed)


def split(key, count=2):
    """Independent keys, a list."""
    rows = _core.random_split(key, count)
    return [rows[i] for i in range(count)]


def fold_in(key, data):
    """The key of a key and an integer."""
    return _core.fold_in(key, data)


def uniform(key, shape=(), *, low=0.0, high=1.0, dtype=None):
    """Floats, evenly in [low, high)."""
    return _core.uniform(key, _shape(shape), low, high, default_float if dtype is None else as_dtype(dtype))


def normal(key, shape=(), *, dtype=None):
    """Floats of mean 0 and variance 1."""
    return _core.randn(key, _shape(shape), default_float if dtype is None else as_dtype(dtype))


def randint(key, shape, low, high, *, dtype=None):
    """Integers, evenly in [low, high)."""
    return _core.random_integers(key, default_int if dtype is None else as_dtype(dtype), _shape(shape), low, high)


def bernoulli(key, p=0.5, shape=()):
    """True with probability p."""
    return _core.bernoulli(key, _shape(shape), p)


def permutation(key, x, *, axis=0):
    """0 to x - 1 in random order, or an array with what lies along the axis in random order."""
    if isinstance(x, int):
        return _core.permutation(key, x)
    return _core.take(x, _core.permutation(key, x.shape[axis]), axis)


def bits(key, shape=(), *, dtype="uint32"):
    """Random bits: uint32 or uint64."""
    return _core.random_bits(key, _core.random_algorithm["philox4x32_10"], as_dtype(dtype), _shape(shape))


def dropout(x, key, rate):
    """0 with probability `rate`, else x / (1 - rate)."""
    return _core.dropout(x, key, rate)
