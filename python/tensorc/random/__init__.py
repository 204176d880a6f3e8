"""Random numbers: functions of a key, the same on every device.

>>> key = tc.random.key(42)
>>> tc.random.normal(key, (2, 3)).shape
(2, 3)

A key is an array of two integers. It is used for one call, and split for more.
"""

import math

from .. import _core
from . import _distributions
from .._creation import _shape
from .._dtypes import as_dtype, default_float, default_int, is_float
from .._transforms import custom_vjp, scan


def key(seed):
    """The key of an integer."""
    return _core.random_key(seed)


def split(key, count=2):
    """Independent keys: an array whose rows they are."""
    return _core.random_split(key, count)


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
    if isinstance(high, int) and high == 2**64 and dtype is not None and as_dtype(dtype).name == "uint64":
        # One more than the largest bound: of as many signed numbers, which end at 2^63.
        signed = _core.random_integers(key, as_dtype("int64"), _shape(shape), low - 2**63, 2**63)
        return _core.bitcast(signed, as_dtype(dtype)) + 2**63
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


def choice(key, x, shape=(), *, replace=True, p=None, axis=0):
    """Elements of 0 to x - 1, or of an array what lies along the axis, by default with the same probability; p: with these, which
    are divided by their sum. Without `replace` none is chosen twice. What p holds is judged where it is known: not in a trace.
    """
    shape = _shape(shape)
    size = x if isinstance(x, int) else x.shape[axis]
    count = math.prod(shape)
    if not replace and count > size:
        raise ValueError(f"choice: {count} of {size} elements without replacement")
    if size == 0 and count:
        raise ValueError("choice: there are no elements")
    if p is None and replace:
        places = _core.random_integers(key, default_int, shape, 0, size)
    elif p is None:
        places = _core.reshape(_core.permutation(key, size)[:count], shape)
    else:
        p = _core.as_array(p)
        p = p if is_float(p.dtype) else _core.astype(p, default_float)
        if p.shape != (size,):
            raise ValueError(f"choice: probabilities of shape {p.shape} for {size} elements")
        _check_probabilities("choice", p, min(count, 1) if replace else count)
        if replace:
            upto = _core.cumsum(p, 0, False, False)
            u = _core.mul(upto[-1], _core.uniform(key, shape, 0.0, 1.0, p.dtype))
            places = _core.minimum(_core.searchsorted(upto, u, True), size - 1)
        else:  # the largest of Gumbel numbers
            noisy = _core.log(p) + _standard(_distributions.gumbel, key, (size,), p.dtype)
            places = _core.reshape(_core.argsort(noisy, 0, True)[:count], shape)
    return places if isinstance(x, int) else _core.take(x, places, axis)


def _check_probabilities(name, p, count):
    """Refuses values that are known and no probabilities, and fewer than `count` above 0."""
    if p.is_traced or p.size == 0:
        return
    if not bool(_core.all(p >= 0)) or not bool(_core.all(p < math.inf)):
        raise ValueError(f"{name}: a probability is below 0, infinite or NaN")
    possible = int(_core.sum(_core.astype(p > 0, default_int)))
    if possible < count:
        raise ValueError(f"{name}: {count} elements of {possible} whose probability is above 0")


#
# Distributions. The parameters are numbers or arrays, and with `shape` left out they say the shape.
#


def _standard(draw, key, shape, dtype):
    dtype = default_float if dtype is None else as_dtype(dtype)
    return _core.astype(draw(key, _shape(shape), _distributions._real(dtype)), dtype)


def _parameters(shape, dtype, *values):
    """The parameters as arrays of the shape, in the dtype that is computed in; the shape; the dtype of the result."""
    arrays = [_core.as_array(value) for value in values]
    if dtype is None:
        given = [x.dtype for x, value in zip(arrays, values) if not isinstance(value, (int, float)) and is_float(x.dtype)]
        dtype = given[0] if given else default_float
    dtype = as_dtype(dtype)
    real = _distributions._real(dtype)
    arrays = [_core.doubles(v) if isinstance(v, float) and real.name == "float64" else x for x, v in zip(arrays, values)]
    if shape is None:
        shape = _broadcast(*(x.shape for x in arrays))
    shape = _shape(shape)
    return [_core.broadcast_to(_core.astype(x, real), shape) for x in arrays], shape, dtype


def _broadcast(*shapes):
    result = ()
    for shape in shapes:
        rank = max(len(result), len(shape))
        pairs = zip((1,) * (rank - len(result)) + tuple(result), (1,) * (rank - len(shape)) + tuple(shape))
        result = tuple(b if a == 1 else a for a, b in pairs)
    return result


def exponential(key, shape=(), *, dtype=None):
    """Floats above 0 with the density e^-x.

    >>> bool(tc.all(tc.random.exponential(tc.random.key(1), (100,)) > 0))
    True
    """
    return _standard(_distributions.exponential, key, shape, dtype)


def gumbel(key, shape=(), *, dtype=None):
    """Floats with the distribution function e^-e^-x."""
    return _standard(_distributions.gumbel, key, shape, dtype)


def laplace(key, shape=(), *, dtype=None):
    """Floats with the density e^-|x| / 2."""
    return _standard(_distributions.laplace, key, shape, dtype)


def logistic(key, shape=(), *, dtype=None):
    """Floats with the distribution function 1 / (1 + e^-x)."""
    return _standard(_distributions.logistic, key, shape, dtype)


def cauchy(key, shape=(), *, dtype=None):
    """Floats with the density 1 / (pi (1 + x^2))."""
    return _standard(_distributions.cauchy, key, shape, dtype)


def rayleigh(key, scale=1.0, shape=None, *, dtype=None):
    """The length of two normal numbers of this deviation."""
    (scale,), shape, dtype = _parameters(shape, dtype, scale)
    return _core.astype(scale * _core.sqrt(_distributions.exponential(key, shape, scale.dtype) * 2), dtype)


def weibull(key, scale, concentration, shape=None, *, dtype=None):
    """Floats with the distribution function 1 - e^-((x / scale)^concentration)."""
    (scale, power), shape, dtype = _parameters(shape, dtype, scale, concentration)
    e = _distributions.exponential(key, shape, scale.dtype)
    return _core.astype(scale * _distributions.exp(_distributions.log(e) / power), dtype)


def pareto(key, b, shape=None, *, dtype=None):
    """Floats from 1 with the density b / x^(b + 1)."""
    (b,), shape, dtype = _parameters(shape, dtype, b)
    return _core.astype(_distributions.exp(_distributions.exponential(key, shape, b.dtype) / b), dtype)


def lognormal(key, sigma=1.0, shape=None, *, dtype=None):
    """e to the power of normal numbers of this deviation."""
    (sigma,), shape, dtype = _parameters(shape, dtype, sigma)
    return _core.astype(_distributions.exp(sigma * _core.randn(key, shape, sigma.dtype)), dtype)


def rademacher(key, shape=(), *, dtype=None):
    """1 or -1 with the same probability."""
    bits = _core.random_bits(key, _core.random_algorithm["philox4x32_10"], as_dtype("uint32"), _shape(shape))
    return _core.astype(_core.select(_core.bitcast(bits, as_dtype("int32")) < 0, 1, -1), default_int if dtype is None else as_dtype(dtype))


def truncated_normal(key, lower, upper, shape=None, *, dtype=None):
    """Normal numbers of mean 0 and variance 1 that are in [lower, upper]; their last bits depend on the device."""
    (low, high), shape, dtype = _parameters(shape, dtype, lower, upper)
    # Above 0 by the mirror image: there the distribution function has no bits left.
    is_mirrored = low > 0
    first, last = _core.select(is_mirrored, -high, low), _core.select(is_mirrored, -low, high)
    start, end = _core.ndtr(first), _core.ndtr(last)
    x = _core.ndtri(start + _distributions._unit(key, shape, low.dtype) * (end - start))
    x = _core.minimum(_core.maximum(x, first), last)
    # Far out the distribution function itself is too small for floats.
    is_far = last < -_distributions.FAR
    far = _distributions.normal_tail(_distributions._unit(key, shape, low.dtype), -last, -first)
    x = _core.select(is_far, -far, x)
    return _core.astype(_core.select(low <= high, _core.select(is_mirrored, -x, x), math.nan), dtype)


def _gamma_derivative(alpha, x):
    """By alpha, where the probability of what is below x stays the same."""
    a, z = _core.astype(alpha, as_dtype("float64")), _core.astype(x, as_dtype("float64"))
    h = a * 1e-4
    slope = (_core.gammainc(a + h, z) - _core.gammainc(a - h, z)) / (2 * h)
    density = _core.exp((a - 1) * _core.log(z) - z - _core.lgamma(a))
    return _core.astype(-slope / density, alpha.dtype)


def _gamma_forward(key, alpha):
    x = _distributions.exp(_distributions.log_gamma(key, alpha, alpha.shape, alpha.dtype))
    return x, (key, alpha, x)


def _gamma_backward(needed, cotangent):
    key, alpha, x = needed
    return _core.full(key.dtype, key.shape, 0), cotangent * _gamma_derivative(alpha, x)


_gamma = custom_vjp(_gamma_forward, _gamma_backward)


def _loggamma_forward(key, alpha):
    y = _distributions.log_gamma(key, alpha, alpha.shape, alpha.dtype)
    return y, (key, alpha, y)


def _loggamma_backward(needed, cotangent):
    key, alpha, y = needed
    x = _core.exp(y)
    return _core.full(key.dtype, key.shape, 0), cotangent * _gamma_derivative(alpha, x) / x


_loggamma = custom_vjp(_loggamma_forward, _loggamma_backward)


def gamma(key, a, shape=None, *, dtype=None):
    """Floats with the density x^(a - 1) e^-x / gamma(a). It has a derivative by a.

    >>> tc.random.gamma(tc.random.key(0), 2.0, (1000,)).shape
    (1000,)
    """
    (a,), _, dtype = _parameters(shape, dtype, a)
    return _core.astype(_gamma(key, a), dtype)


def loggamma(key, a, shape=None, *, dtype=None):
    """Logarithms of such numbers, which an a near 0 makes too small for floats."""
    (a,), _, dtype = _parameters(shape, dtype, a)
    return _core.astype(_loggamma(key, a), dtype)


def chisquare(key, df, shape=None, *, dtype=None):
    """The sum of the squares of df normal numbers."""
    (df,), _, dtype = _parameters(shape, dtype, df)
    return _core.astype(_gamma(key, df * 0.5) * 2, dtype)


def t(key, df, shape=None, *, dtype=None):
    """Student's distribution: a normal number over the root of the mean of df other ones' squares."""
    (df,), shape, dtype = _parameters(shape, dtype, df)
    x = _core.randn(_core.fold_in(key, 0), shape, df.dtype)
    half = df * 0.5
    return _core.astype(x * _core.sqrt(half / _gamma(_core.fold_in(key, 1), half)), dtype)


def f(key, dfnum, dfden, shape=None, *, dtype=None):
    """The quotient of the means of so many normal numbers' squares."""
    (num, den), _, dtype = _parameters(shape, dtype, dfnum, dfden)
    above, below = _gamma(_core.fold_in(key, 0), num * 0.5) / num, _gamma(_core.fold_in(key, 1), den * 0.5) / den
    return _core.astype(above / below, dtype)


def beta(key, a, b, shape=None, *, dtype=None):
    """Floats in [0, 1] with the density x^(a - 1) (1 - x)^(b - 1) / beta(a, b)."""
    (a, b), _, dtype = _parameters(shape, dtype, a, b)
    x, y = _loggamma(_core.fold_in(key, 0), a), _loggamma(_core.fold_in(key, 1), b)
    return _core.astype(1 / (1 + _distributions.exp(y - x)), dtype)


def dirichlet(key, alpha, shape=None, *, dtype=None):
    """Positive floats along the last axis whose sum is 1: gamma numbers over their sum. `shape` is that of the other axes."""
    alpha = _core.as_array(alpha)
    if alpha.ndim == 0:
        raise ValueError("dirichlet: alpha is a number, not a vector")
    whole = None if shape is None else (*_shape(shape), alpha.shape[-1])
    (alpha,), _, dtype = _parameters(whole, dtype, alpha)
    x = _loggamma(key, alpha)
    e = _distributions.exp(x - _core.max(x, (-1,), True))
    return _core.astype(e / _core.sum(e, (-1,), True), dtype)


def _count_parameters(shape, *values):
    arrays = [_core.astype(_core.as_array(value), as_dtype("float64")) for value in values]
    shape = _broadcast(*(x.shape for x in arrays)) if shape is None else _shape(shape)
    return [_core.broadcast_to(x, shape) for x in arrays], shape


def poisson(key, lam, shape=None, *, dtype=None):
    """Integers k with the probability lam^k e^-lam / k!; -1 where lam is below 0 or NaN."""
    (rate,), shape = _count_parameters(shape, lam)
    return _distributions.integers(_distributions.poisson(key, rate, shape), default_int if dtype is None else as_dtype(dtype))


def binomial(key, n, p, shape=None, *, dtype=None):
    """How many of n independent events happen, each with the probability p; -1 where n is below 0 or p outside of [0, 1]."""
    (n, p), shape = _count_parameters(shape, n, p)
    return _distributions.integers(_distributions.binomial(key, n, p, shape), default_int if dtype is None else as_dtype(dtype))


def geometric(key, p, shape=None, *, dtype=None):
    """How many trials there are up to the first success, each with the probability p; -1 where p is not in (0, 1]."""
    (p,), shape = _count_parameters(shape, p)
    e = _distributions.exponential(key, shape, p.dtype)
    # -log(1 - p), without what the difference rounds away.
    rest = 1 - p
    rate = (((rest - 1) + p) / rest) - _distributions.log(_core.maximum(rest, 1e-300))
    count = _core.select(p == 1, p, _core.maximum(_core.ceil(e / rate), 1.0))
    count = _core.select((p > 0) & (p <= 1), count, -1.0)
    return _distributions.integers(count, default_int if dtype is None else as_dtype(dtype))


def multinomial(key, n, p, *, dtype=None):
    """How often each of the events along the last axis of p happens in n trials. The last one takes what the others leave of 1.

    Those that are known to have a larger sum are refused: not in a trace.
    """
    p = _core.astype(_core.as_array(p), as_dtype("float64"))
    _check_probabilities("multinomial", p, 0)
    rest = 1 - _core.sum(p, (-1,), True)
    rounding = 1e-6  # of probabilities that are f32
    if not rest.is_traced and not bool(_core.all(rest >= -rounding)):
        raise ValueError("multinomial: the probabilities have a sum above 1")
    batch, count = p.shape[:-1], p.shape[-1]
    last = _core.arange(0.0, float(count), 1.0, as_dtype("int64")) == count - 1
    p = _core.select(last & (rest > rounding), p + rest, p)
    left = _core.broadcast_to(_core.astype(_core.as_array(n), p.dtype), batch)
    keys = _core.random_split(key, count)
    # Of those that are left, with the event's share of the probability that is left.
    ahead = _core.flip(_core.cumsum(_core.flip(p, (-1,)), -1, False, False), (-1,))
    share = _core.minimum(_core.select(ahead > 0, p / ahead, p * 0), 1.0)
    share = _core.select(last, 1.0, share)

    def step(left, item):
        key, share = item
        drawn = _distributions.binomial(key, left, share, batch)
        return left - drawn, drawn

    order = (p.ndim - 1, *range(p.ndim - 1))
    _, counts = scan(step, left, (keys, _core.permute(share, order)))
    back = (*range(1, p.ndim), 0)
    return _distributions.integers(_core.permute(counts, back), default_int if dtype is None else as_dtype(dtype))


def categorical(key, logits, axis=-1, shape=None):
    """Places along the axis, with probabilities in proportion to e^logits. `shape` is that of the result, to whose last axes
    those of the logits without the axis are broadcast.
    """
    logits = _core.as_array(logits)
    axis = axis % logits.ndim
    batch = logits.shape[:axis] + logits.shape[axis + 1 :]
    shape = batch if shape is None else _shape(shape)
    order = (*(i for i in range(logits.ndim) if i != axis), axis)
    spread = _core.broadcast_to(_core.permute(logits, order), (*shape, logits.shape[axis]))
    noise = _standard(_distributions.gumbel, key, spread.shape, logits.dtype)
    return _core.argmax(spread + noise, (-1,), False)


def multivariate_normal(key, mean, cov, shape=None, *, dtype=None):
    """Normal vectors along the last axis with this mean and these covariances; NaN where they are not positive definite."""
    mean, cov = _core.as_array(mean), _core.as_array(cov)
    n = mean.shape[-1]
    if cov.shape[-2:] != (n, n):
        raise ValueError(f"multivariate_normal: covariances of shape {cov.shape} for vectors of {n} elements")
    shape = _broadcast(mean.shape[:-1], cov.shape[:-2]) if shape is None else _shape(shape)
    dtype = (mean.dtype if is_float(mean.dtype) else default_float) if dtype is None else as_dtype(dtype)
    x = _core.randn(key, (*shape, n), dtype)
    root = _core.cholesky(_core.astype(cov, dtype), False)
    return mean + _core.squeeze(_core.matmul(root, _core.expand_dims(x, -1)), -1)


def orthogonal(key, n, shape=(), *, dtype=None):
    """Orthogonal matrices n x n, evenly distributed."""
    dtype = default_float if dtype is None else as_dtype(dtype)
    both = _core.qr_packed(_core.randn(key, (*_shape(shape), n, n), dtype), False)
    q, r = both[..., :n], both[..., n:]
    diagonal = _core.sum(r * _core.eye(n, n, 0, dtype), (-2,), True)
    return q * _core.select(diagonal < 0, -1.0, 1.0)
