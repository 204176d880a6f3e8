"""Numbers of distributions, from random bits.

Only operations that every device rounds alike are used (+ - * /, square roots, integers), with logarithms and exponentials made
of them, so the numbers are the same everywhere. What is drawn by rejection is drawn several times at once, along a first axis, and
the first accepted draw counts: there is no loop, so it fuses and batches as all else.
"""

import math

from .. import _core
from .._dtypes import as_dtype, is_float, is_integer

_F32, _F64 = as_dtype("float32"), as_dtype("float64")


def _real(dtype):
    """What numbers of the dtype are computed in."""
    if not is_float(dtype):
        raise ValueError(f"a distribution of floats has no dtype {dtype.name}")
    return _F64 if dtype == _F64 else _F32


def _bits(key, shape, real, step=None):
    if step is not None:
        key = _core.fold_in(key, step)
    words = as_dtype("uint64" if real == _F64 else "uint32")
    return _core.random_bits(key, _core.random_algorithm["philox4x32_10"], words, shape)


def _unit(key, shape, real, step=None):
    """In (0, 1), both excluded."""
    bits = _bits(key, shape, real, step)
    if real == _F64:  # 53 bits, as integers whose sign is no question
        return _core.minimum((_core.astype(_core.bitcast(bits >> 11, as_dtype("int64")), real) + 0.5) * 2.0**-53, 1 - 2.0**-53)
    return _core.minimum((_core.astype(bits, real) + 0.5) * 2.0**-32, 1 - 2.0**-24)


def _half(key, shape, real, step=None):
    """The smaller of u and 1 - u for a u in (0, 1), exact far into the tail, and whether it was 1 - u."""
    bits = _bits(key, shape, real, step)
    width, integer = (64, "int64") if real == _F64 else (32, "int32")
    signed = _core.bitcast(bits, as_dtype(integer))
    count = _core.astype(_core.bitcast((bits << 1) >> 1, as_dtype(integer)), real)
    return (count + 0.5) * 2.0**-width, signed < 0


def _format(x):
    """Integers of a float's width, bits of its significand behind the point, the exponent's bias."""
    return (as_dtype("int64"), 52, 1023) if x.dtype == _F64 else (as_dtype("int32"), 23, 127)


def log(x):
    """Of positive normal numbers: x = m 2^e with m in [sqrt 1/2, sqrt 2), log m = 2 artanh((m - 1) / (m + 1))."""
    integer, mantissa, _ = _format(x)
    root_half, terms = (0x3FE6A09E667F3BCC, 11) if mantissa == 52 else (0x3F3504F3, 5)
    offset = _core.bitcast(x, integer) - root_half
    exponent = _core.astype(offset >> mantissa, x.dtype)
    m = _core.bitcast((offset & ((1 << mantissa) - 1)) + root_half, x.dtype)
    s = (m - 1) / (m + 1)
    z = s * s
    series = z * (1 / (2 * terms - 1))
    for k in range(2 * terms - 3, 1, -2):
        series = (series + 1 / k) * z
    half = s * series + s
    return exponent * math.log(2) + (half + half)


def exp(x):
    """0 where the result would be subnormal, infinite where it would be too large."""
    integer, mantissa, bias = _format(x)
    low, high, terms = (-708.0, 709.0, 13) if mantissa == 52 else (-87.0, 88.0, 8)
    inside = _core.maximum(_core.minimum(x, high), low)
    n = _core.floor(inside * (1 / math.log(2)) + 0.5)
    upper = 0.693359375  # log 2 in nine bits: n times it is exact
    r = (inside - n * upper) - n * (math.log(2) - upper)
    series = r * (1 / math.factorial(terms)) + 1 / math.factorial(terms - 1)
    for k in range(terms - 2, -1, -1):
        series = series * r + 1 / math.factorial(k)
    result = series * _core.bitcast((_core.astype(n, integer) + bias) << mantissa, x.dtype)
    result = _core.select(x < low, 0.0, _core.select(x > high, math.inf, result))
    return _core.select(x != x, x, result)


def _first(accepted, value):
    """Along the first axis the first accepted value; the last one if none is."""
    count = accepted.shape[0]
    place = _core.reshape(_core.arange(0.0, float(count), 1.0, as_dtype("int32")), (count, *[1] * (accepted.ndim - 1)))
    first = _core.min(_core.select(accepted, place, count - 1), (0,), False)
    return _core.sum(_core.select(place == first, value, value * 0), (0,), False)


#
# Without parameters
#


def exponential(key, shape, real):
    return -log(_unit(key, shape, real))


def gumbel(key, shape, real):
    return -log(exponential(key, shape, real))


def laplace(key, shape, real):
    p, is_upper = _half(key, shape, real)
    x = log(p + p)
    return _core.select(is_upper, -x, x)


def logistic(key, shape, real):
    p, is_upper = _half(key, shape, real)
    x = log(p) - log(1 - p)
    return _core.select(is_upper, -x, x)


def cauchy(key, shape, real):
    """The quotient of two normal numbers."""
    above = _core.randn(_core.fold_in(key, 0), shape, real)
    below = _core.randn(_core.fold_in(key, 1), shape, real)
    return above / _core.select(below == 0, below + 2.0**-24, below)


FAR = 5.0


def _mills(x):
    """The normal distribution's tail from x over its density, for x from FAR on: Laplace's continued fraction."""
    below = x
    for k in range(20, 0, -1):
        below = x + k / below
    return 1 / below


def normal_tail(u, low, high):
    """The normal number in [low, high], FAR at least, that u of those there exceed not: by logarithms of what is beyond it.

    Where those are log Q(low) - t, x = low + d solves d (low + d / 2) - log(mills(x) / mills(low)) = t, whose slope is 1 / mills(x).
    """
    first, last = _core.maximum(low, FAR), high
    low = _core.minimum(first, 1e18)  # what is added to larger ones is rounded away
    high = _core.maximum(high, low)
    at_low = _mills(low)
    width = (high - low) * (low + (high - low) * 0.5) - _core.log(_core.maximum(_mills(high), 1e-37) / at_low)
    t = -_core.log1p(u * _core.expm1(-width))
    d = 2 * t / (low + _core.sqrt(low * low + 2 * t))
    for _ in range(3):
        mills = _mills(low + d)
        d = d - (d * (low + d * 0.5) - _core.log(mills / at_low) - t) * mills
    return _core.minimum(first + _core.maximum(d, 0.0), last)


#
# Gamma: Marsaglia and Tsang, A simple method for generating gamma variables (2000)
#

_GAMMA_TRIES = 8  # each accepted with a probability above 0.95: all refused below 4e-11


def log_gamma(key, alpha, shape, real):
    """The logarithm of numbers of the gamma distribution; alpha has the shape and dtype already."""
    is_small = alpha < 1
    d = _core.select(is_small, alpha + 1, alpha) - 1 / 3
    c = 1 / (3 * _core.sqrt(d))
    many = (_GAMMA_TRIES, *shape)
    x = _core.randn(_core.fold_in(key, 0), many, real)
    root = 1 + c * x
    positive = _core.maximum(root, 2.0**-20)
    v = positive * positive * positive
    u = _unit(key, many, real, 1)
    accepted = (root > 0) & (log(u) < x * x * 0.5 + d * (1 - v + log(v)))
    result = log(d) + log(_first(accepted, v))
    # A power of another number makes it one of a smaller alpha.
    result = _core.select(is_small, result + log(_unit(key, shape, real, 2)) / alpha, result)
    result = _core.select(alpha == 0, -math.inf, _core.select(alpha == math.inf, math.inf, result))
    return _core.select(alpha >= 0, result, math.nan)


#
# Poisson and binomial numbers: Hoermann, The transformed rejection method (1993); few are counted up by one uniform number
#

_COUNT_TRIES = 20  # each accepted with a probability above 0.75: all refused below 1e-12
_COUNTED = 40  # a number with a mean below 10 is larger with a probability below 1e-12


def _log_factorial(k):
    """Stirling's series at k + 9, and what leads there."""
    x, product = k + 9, k + 1
    for i in range(2, 9):
        product = product * (k + i)
    z = 1 / (x * x)
    series = ((((-691 / 360360 * z + 1 / 1188) * z - 1 / 1680) * z + 1 / 1260) * z - 1 / 360) * z + 1 / 12
    return (x - 0.5) * log(x) - x + math.log(2 * math.pi) / 2 + series / x - log(product)


def _counted(u, first, ratio):
    """How many partial sums of the probabilities first, first ratio(1), first ratio(1) ratio(2), ... are not above u."""
    term = total = first
    count = u * 0
    for k in range(1, _COUNTED + 1):
        count = count + _core.astype(u >= total, _F64)
        term = term * ratio(k)
        total = total + term
    return count


def _transformed(key, shape, a, b, center):
    """Candidates, their uniform numbers in [-1/2, 1/2], what these are from the ends, and those that judge."""
    many = (_COUNT_TRIES, *shape)
    u = _unit(key, many, _F64, 0) - 0.5
    v = _unit(key, many, _F64, 1)
    us = 0.5 - _core.abs(u)
    return _core.floor((2 * a / us + b) * u + center), us, v


def poisson(key, rate, shape):
    """In f64; -1 where the rate is below 0 or NaN."""
    few = _core.maximum(_core.minimum(rate, 10.0), 0.0)
    small = _counted(_unit(key, shape, _F64, 2), exp(-few), lambda k: few / k)
    many = _core.minimum(_core.maximum(rate, 10.0), 1e18)
    b = 0.931 + 2.53 * _core.sqrt(many)
    a = -0.059 + 0.02483 * b
    k, us, v = _transformed(key, shape, a, b, many + 0.43)
    inside = (k >= 0) & ((us >= 0.013) | (v <= us))
    kept = _core.maximum(k, 0.0)
    bound = kept * log(many) - many - _log_factorial(kept)
    ratio = v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (us * us) + b)
    accepted = ((us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))) | (inside & (log(ratio) <= bound))
    result = _core.select(rate < 10, small, _first(accepted, kept))
    # Its deviation is nothing to the dtypes that it becomes.
    result = _core.select(rate > 1e18, rate, result)
    return _core.select(rate >= 0, result, -1.0)


def binomial(key, n, p, shape):
    """In f64; -1 where n is below 0 or NaN, or p is not in [0, 1]."""
    is_mirrored = p > 0.5
    q = _core.maximum(_core.minimum(_core.select(is_mirrored, 1 - p, p), 0.5), 0.0)
    n0 = _core.maximum(_core.floor(n), 0.0)
    mean = n0 * q
    rest = 1 - q
    odds = q / rest
    is_few = mean < 10
    # Where the mean is large the terms would be 0: another n in its place.
    few = _core.select(is_few, n0, 10.0)
    none = exp(few * (log(rest) + ((1 - rest) - q) / rest))
    small = _counted(_unit(key, shape, _F64, 2), none, lambda k: _core.maximum(few - (k - 1), 0.0) / k * odds)
    small = _core.minimum(small, n0)
    many = _core.select(is_few, 40.0, n0)
    q = _core.select(is_few, 0.5, q)
    odds = q / (1 - q)
    deviation = _core.sqrt(many * q * (1 - q))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * q
    k, us, v = _transformed(key, shape, a, b, many * q + 0.5)
    inside = (k >= 0) & (k <= many)
    kept = _core.maximum(_core.minimum(k, many), 0.0)
    mode = _core.floor((many + 1) * q)
    bound = _log_factorial(mode) + _log_factorial(many - mode) - _log_factorial(kept) - _log_factorial(many - kept)
    bound = bound + (kept - mode) * log(odds)
    ratio = v * ((2.83 + 5.1 / b) * deviation) / (a / (us * us) + b)
    accepted = inside & (((us >= 0.07) & (v <= 0.92 - 4.2 / b)) | (log(ratio) <= bound))
    result = _core.select(is_few, small, _first(accepted, kept))
    result = _core.select(is_mirrored, n0 - result, result)
    return _core.select((n >= 0) & (p >= 0) & (p <= 1), result, -1.0)


def integers(x, dtype):
    if not is_integer(dtype):
        raise ValueError(f"a distribution of integers has no dtype {dtype.name}")
    return _core.astype(x, dtype)
