"""Random numbers: functions of a key, the same on every device.

>>> key = tc.random.key(42)
>>> tc.random.normal(key, (2, 3)).shape
(2, 3)

A key is an array of two integers. Use each key for only one call, and split it for more calls.
"""

import math

from .. import _core
from .._arguments import _array, _sizes
from .._dtypes import as_dtype, default_float, default_int, is_float

__all__ = [
    "bernoulli", "beta", "binomial", "bits", "categorical", "cauchy", "chisquare", "choice", "dirichlet", "dropout", "exponential", "f",
    "fold_in", "gamma", "geometric", "gumbel", "key", "laplace", "loggamma", "logistic", "lognormal", "multinomial", "multivariate_normal",
    "normal", "orthogonal", "pareto", "permutation", "poisson", "rademacher", "randint", "rayleigh", "split", "t", "truncated_normal",
    "uniform", "weibull",
]  # fmt: skip


def __dir__():
    return __all__


def key(seed):
    """Makes a key from an integer."""
    return _core.random_key(seed)


def split(key, count=2):
    """Independent keys, as the rows of an array."""
    return _core.random_split(key, count)


def fold_in(key, data):
    """A key made of a key and an integer."""
    return _core.fold_in(key, data)


def uniform(key, shape=(), *, low=0.0, high=1.0, dtype=None):
    """Uniform floats in [low, high)."""
    return _core.uniform(key, _sizes(shape), low, high, default_float() if dtype is None else as_dtype(dtype))


def normal(key, shape=(), *, dtype=None):
    """Normal floats of mean 0 and variance 1."""
    return _core.randn(key, _sizes(shape), default_float() if dtype is None else as_dtype(dtype))


def randint(key, shape, low, high, *, dtype=None):
    """Uniform integers in [low, high)."""
    if isinstance(high, int) and high == 2**64 and dtype is not None and as_dtype(dtype).name == "uint64":
        # high = 2^64 does not fit in 64 bits. Therefore this draws signed integers between the
        # bounds minus 2^63, and adds 2^63.
        signed = _core.random_integers(key, as_dtype("int64"), _sizes(shape), low - 2**63, 2**63)
        return _core.bitcast(signed, as_dtype(dtype)) + 2**63
    return _core.random_integers(key, default_int if dtype is None else as_dtype(dtype), _sizes(shape), low, high)


def bernoulli(key, p=0.5, shape=None):
    """True with probability p, a number or an array; without `shape` the result has the shape of p.

    >>> tc.random.bernoulli(tc.random.key(0), tc.asarray([0.0, 1.0]))
    array([false, true], dtype=bool)
    """
    return _core.bernoulli(key, _dims(shape) or getattr(p, "shape", ()), p)


def permutation(key, x, *, axis=0):
    """The numbers 0 to x - 1 in random order, or the slices of an array along the axis in random order."""
    if isinstance(x, int):
        return _core.permutation(key, x)
    x = _array(x)
    return _core.take(x, _core.permutation(key, x.shape[axis]), axis)


def bits(key, shape=(), *, dtype="uint32"):
    """Uniform random bits as uint32 or uint64."""
    return _core.random_bits(key, _core.random_algorithm["philox4x32_10"], as_dtype(dtype), _sizes(shape))


def dropout(x, key, rate):
    """Replaces elements by 0 with probability `rate`, and divides the others by 1 - rate."""
    return _core.dropout(x, key, rate)


def choice(key, x, shape=(), *, replace=True, p=None, axis=0):
    """Numbers from 0 to x - 1, or slices of an array along the axis, chosen at random. `p` has their probabilities,
    which are normalized; by default all are equal. Without `replace` nothing is chosen twice. Values of p are checked
    unless they are in a trace.
    """
    shape = _sizes(shape)
    x = x if isinstance(x, int) else _array(x)
    size = x if isinstance(x, int) else x.shape[axis]
    if p is not None:
        p = _core.as_array(p)
        count = math.prod(shape)
        _check_probabilities("choice", p, min(count, 1) if replace else count)
    places = _core.random_choice(key, size, shape, replace, p)
    return places if isinstance(x, int) else _core.take(x, places, axis)


def _check_probabilities(name, p, count):
    """Raises if the values are known and are not probabilities, or fewer than `count` of them
    are above 0."""
    if p.is_traced or p.size == 0:
        return
    if not bool(_core.all(p >= 0)) or not bool(_core.all(p < math.inf)):
        raise ValueError(f"{name}: a probability is below 0, infinite or NaN")
    possible = int(_core.sum(_core.astype(p > 0, default_int)))
    if possible < count:
        raise ValueError(f"{name}: {count} elements of {possible} whose probability is above 0")


#
# Distributions. The parameters are numbers or arrays. If `shape` is omitted, they determine it.
#


def _float(dtype, *values):
    """Returns the dtype of the result: the given one, or that of the first parameter that is an
    array of floats."""
    given = [x.dtype for x in values if hasattr(x, "dtype") and is_float(as_dtype(x.dtype))]
    return as_dtype(dtype) if dtype is not None else as_dtype(given[0]) if given else default_float()


def _dims(shape):
    return () if shape is None else _sizes(shape)


def _integer(dtype):
    return default_int if dtype is None else as_dtype(dtype)


def exponential(key, shape=(), *, dtype=None):
    """Floats above 0 with the density e^-x.

    >>> bool(tc.all(tc.random.exponential(tc.random.key(1), (100,)) > 0))
    True
    """
    return _core.random_exponential(key, _sizes(shape), _float(dtype))


def gumbel(key, shape=(), *, dtype=None):
    """Floats with the distribution function e^-e^-x."""
    return _core.random_gumbel(key, _sizes(shape), _float(dtype))


def laplace(key, shape=(), *, dtype=None):
    """Floats with the density e^-|x| / 2."""
    return _core.random_laplace(key, _sizes(shape), _float(dtype))


def logistic(key, shape=(), *, dtype=None):
    """Floats with the distribution function 1 / (1 + e^-x)."""
    return _core.random_logistic(key, _sizes(shape), _float(dtype))


def cauchy(key, shape=(), *, dtype=None):
    """Floats with the density 1 / (pi (1 + x^2))."""
    return _core.random_cauchy(key, _sizes(shape), _float(dtype))


def rademacher(key, shape=(), *, dtype=None):
    """1 or -1 with equal probability."""
    return _core.random_rademacher(key, _sizes(shape), _integer(dtype))


def rayleigh(key, scale=1.0, shape=None, *, dtype=None):
    """The length of a vector of two normal numbers with standard deviation `scale`."""
    return _core.random_rayleigh(key, scale, _dims(shape), _float(dtype, scale))


def weibull(key, scale, concentration, shape=None, *, dtype=None):
    """Floats with the distribution function 1 - e^-((x / scale)^concentration)."""
    return _core.random_weibull(key, scale, concentration, _dims(shape), _float(dtype, scale, concentration))


def pareto(key, b, shape=None, *, dtype=None):
    """Floats x >= 1 with the density b / x^(b + 1)."""
    return _core.random_pareto(key, b, _dims(shape), _float(dtype, b))


def lognormal(key, sigma=1.0, shape=None, *, dtype=None):
    """e to the power of normal numbers with standard deviation `sigma`."""
    return _core.random_lognormal(key, sigma, _dims(shape), _float(dtype, sigma))


def truncated_normal(key, lower, upper, shape=None, *, dtype=None):
    """Normal numbers of mean 0 and variance 1, conditioned on [lower, upper]. Their last bits depend on the device."""
    return _core.random_truncated_normal(key, lower, upper, _dims(shape), _float(dtype, lower, upper))


def gamma(key, a, shape=None, *, dtype=None):
    """Floats with the density x^(a - 1) e^-x / gamma(a). It has a derivative with respect to a.

    >>> tc.random.gamma(tc.random.key(0), 2.0, (1000,)).shape
    (1000,)
    """
    return _core.random_gamma(key, a, _dims(shape), _float(dtype, a))


def loggamma(key, a, shape=None, *, dtype=None):
    """Logarithms of gamma numbers, which would underflow if a is near 0."""
    return _core.random_loggamma(key, a, _dims(shape), _float(dtype, a))


def chisquare(key, df, shape=None, *, dtype=None):
    """The sum of the squares of `df` normal numbers."""
    return _core.random_chisquare(key, df, _dims(shape), _float(dtype, df))


def t(key, df, shape=None, *, dtype=None):
    """Student's t distribution: a normal number divided by the square root of the mean of the squares of `df` others."""
    return _core.random_t(key, df, _dims(shape), _float(dtype, df))


def f(key, dfnum, dfden, shape=None, *, dtype=None):
    """The quotient of the means of the squares of dfnum and of dfden normal numbers."""
    return _core.random_f(key, dfnum, dfden, _dims(shape), _float(dtype, dfnum, dfden))


def beta(key, a, b, shape=None, *, dtype=None):
    """Floats in [0, 1] with the density x^(a - 1) (1 - x)^(b - 1) / beta(a, b)."""
    return _core.random_beta(key, a, b, _dims(shape), _float(dtype, a, b))


def dirichlet(key, alpha, shape=None, *, dtype=None):
    """Positive floats along the last axis whose sum is 1: gamma numbers divided by their sum. `shape` is the shape of
    the other axes."""
    return _core.random_dirichlet(key, alpha, _dims(shape), _float(dtype, alpha))


def poisson(key, lam, shape=None, *, dtype=None):
    """Integers k with the probability lam^k e^-lam / k!; -1 where lam is below 0 or NaN.

    Results are clamped to the dtype's largest number, also for an infinite lam.
    """
    return _core.random_poisson(key, lam, _dims(shape), _integer(dtype))


def binomial(key, n, p, shape=None, *, dtype=None):
    """The number of successes in n independent trials, each with probability p; -1 where n is below 0 or p is outside
    of [0, 1].

    Results are clamped to the dtype's largest number, also for an infinite n with p > 0.
    """
    return _core.random_binomial(key, n, p, _dims(shape), _integer(dtype))


def geometric(key, p, shape=None, *, dtype=None):
    """The number of trials up to and including the first success, each with probability p; -1 where p is not in (0,
    1]."""
    return _core.random_geometric(key, p, _dims(shape), _integer(dtype))


def multinomial(key, n, p, *, dtype=None):
    """The number of occurrences in n trials of each of the events along the last axis of p. The probability of the
    last event is 1 minus the sum of the others. A larger sum is an error; in a trace the result is -1.
    """
    p = _core.as_array(p)
    _check_probabilities("multinomial", p, 0)
    rounding = 1e-6  # rounding error of probabilities in float32
    if not p.is_traced and not bool(_core.all(_core.sum(p, (-1,), False) <= 1 + rounding)):
        raise ValueError("multinomial: the probabilities have a sum above 1")
    return _core.random_multinomial(key, n, p, _integer(dtype))


def categorical(key, logits, axis=-1, shape=None):
    """Indices along the axis, with probabilities proportional to e^logits. `shape` is the shape of the result; the
    logits' shape without the axis broadcasts to it.
    """
    return _core.random_categorical(key, logits, axis, _dims(shape))


def multivariate_normal(key, mean, cov, shape=None, *, dtype=None):
    """Normal vectors along the last axis with this mean and covariance matrix; NaN if that is not positive definite."""
    mean = _core.as_array(mean)
    return _core.random_multivariate_normal(key, mean, cov, _dims(shape), _float(dtype, mean))


def orthogonal(key, n, shape=(), *, dtype=None):
    """Uniformly distributed orthogonal n x n matrices."""
    return _core.random_orthogonal(key, n, _sizes(shape), _float(dtype))


# Functions of NumPy and PyTorch that are absent because they use a hidden state.
_STATEFUL = ("RandomState", "default_rng", "get_state", "manual_seed", "rand", "randn", "random", "random_sample", "seed", "set_state", "shuffle")


def __getattr__(name):
    hint = ": numbers are functions of a key, as in tc.random.normal(tc.random.key(0), shape)" if name in _STATEFUL else ""
    raise AttributeError(f"module 'tensorc.random' has no attribute '{name}'{hint}")
