"""Special functions, with SciPy's names; docs/numerics.md has their errors.

>>> tc.special.erfinv(tc.asarray(0.0))
array(0.0, dtype=float32)
"""

from . import _core
from ._arguments import _array, _floating, _same

__all__ = [
    "betainc", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv", "expit", "factorial", "gamma", "gammainc",
    "gammaincc", "gammaln", "i0", "i0e", "i1", "i1e", "log1mexp", "log_ndtr", "logit", "logsumexp", "ndtr", "ndtri", "polygamma",
    "psi", "sinc", "xlog1py", "xlogy", "zeta",
]  # fmt: skip


def __dir__():
    return __all__


def _elementwise(name, meaning, function=None):
    function = function or getattr(_core, name)

    def call(*arrays):
        return function(*map(_floating, _same(arrays)))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = meaning
    return call


erf = _elementwise("erf", "2 / sqrt(pi) times the integral of e^-t^2 from 0 to x.")
erfc = _elementwise("erfc", "1 - erf(x), accurate where it is small.")
erfcx = _elementwise("erfcx", "e^x^2 erfc(x).")
erfinv = _elementwise("erfinv", "The number whose erf is x.")
ndtr = _elementwise("ndtr", "The distribution function of the standard normal distribution.")
log_ndtr = _elementwise("log_ndtr", "The logarithm of ndtr.")
ndtri = _elementwise("ndtri", "The inverse of ndtr.")
gammaln = _elementwise("gammaln", "log |gamma(x)|.", _core.lgamma)
digamma = psi = _elementwise("digamma", "The derivative of log gamma(x).")
polygamma = _elementwise(
    "polygamma", "polygamma(n, x): the n-th derivative of digamma.",
    lambda n, x: _core.select(n == 0, _core.digamma(x), _core.polygamma(n, x)),
)  # fmt: skip
zeta = _elementwise("zeta", "zeta(s, q): the sum of (q + k)^-s over k >= 0; for q < 0 only integer s.")
gammainc = _elementwise("gammainc", "gammainc(a, x): the distribution function at x of the gamma distribution of shape a.")
gammaincc = _elementwise("gammaincc", "gammaincc(a, x): 1 - gammainc(a, x), accurate where it is small.")
betainc = _elementwise("betainc", "betainc(a, b, x): the distribution function at x of the beta distribution.")
i0 = _elementwise("i0", "The modified Bessel function of order 0.", _core.bessel_i0)
i0e = _elementwise("i0e", "e^-|x| i0(x).", _core.bessel_i0e)
i1 = _elementwise("i1", "The modified Bessel function of order 1.", _core.bessel_i1)
i1e = _elementwise("i1e", "e^-|x| i1(x).", _core.bessel_i1e)
sinc = _elementwise("sinc", "sin(pi x) / (pi x).")
xlogy = _elementwise("xlogy", "x log(y), and 0 where x is 0.")
xlog1py = _elementwise("xlog1py", "x log(1 + y), and 0 where x is 0.")
entr = _elementwise("entr", "-x log(x).")
logit = _elementwise("logit", "log(x / (1 - x)).")
expit = _elementwise("expit", "1 / (1 + e^-x).", _core.sigmoid)
log1mexp = _elementwise("log1mexp", "log(1 - e^-x), for x > 0.")


def gamma(x):
    """The gamma function, computed as e^gammaln(x) with its sign. Its relative error grows with gammaln(x).

    >>> tc.special.gamma(tc.asarray(1.0))
    array(1.0, dtype=float32)
    """
    given = _floating(_array(x))
    # e^y multiplies the error of y by y, so float32 would lose 1.5 digits.
    x = _core.astype(given, "float64")
    # gamma is negative between -1 and 0, -3 and -2, ...; NaN at poles.
    whole = _core.floor(x)
    is_odd = _core.mod(whole, 2) == 1
    sign = _core.select((x < 0) & is_odd, -1.0, _core.select(x == 0, _core.copysign(_core.add(_core.mul(x, 0), 1), x), 1.0))
    return _core.astype(_core.select((x < 0) & (whole == x), float("nan"), sign * _core.exp(_core.lgamma(x))), given.dtype)


def factorial(n):
    """gamma(n + 1), and 0 for negative n."""
    n = _floating(_array(n))
    return _core.select(n < 0, 0.0, gamma(n + 1))


def logsumexp(a, axis=None, keepdims=False):
    """log(sum(e^a)) without overflow."""
    from ._reductions import logsumexp as function

    return function(a, axis=axis, keepdims=keepdims)
