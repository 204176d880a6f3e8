"""Functions of matrices: exponential, square root, logarithm and Schur decomposition, made of products and
factorizations."""

import functools
from collections import namedtuple

from .. import _core, _functions
from .._arguments import _int64, _matrices, _on, _unit
from .._control import fori_loop, while_loop
from .._dtypes import as_dtype
from .._transforms import custom_vjp, jit, stop_gradient

_H = _functions.matrix_transpose
# Rational approximations of e^x (Higham, SIAM J. Matrix Anal. Appl. 26, 2005). Each has its
# coefficients and the largest 1-norm for which it is accurate.
_SINGLE = (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0), 3.925724783138660
_DOUBLE = (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0,
           670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0), 5.371920351148152  # fmt: skip


def _adjoint(x):
    return _core.conj(_H(x))


def _is_double(x):
    return x.dtype.name in ("float64", "complex128")


def _norm1(x):
    """Returns the 1-norm of each matrix: the largest sum of magnitudes of a column."""
    return _functions.max(_functions.sum(_core.abs(x), axis=-2), axis=-1)


def _rational(x, coefficients):
    """Returns the quotient p(x) / p(-x) of polynomials, which approximates e^x."""
    square, one = x @ x, _unit(x.shape[-1], x.shape[-1], x)
    odd, even = one * coefficients[1], one * coefficients[0]
    power = square
    for i in range(2, len(coefficients), 2):
        even, odd = even + power * coefficients[i], odd + power * coefficients[i + 1]
        if i + 2 < len(coefficients):
            power = power @ square
    odd = x @ odd
    return _core.solve(even - odd, even + odd)


def _exponential(x):
    coefficients, largest = _DOUBLE if _is_double(x) else _SINGLE
    # The number of halvings after which the norm is small enough, limited by the exponents of the
    # dtype.
    halvings = _core.ceil(_core.log2(_norm1(x) / largest))
    halvings = _core.minimum(_core.maximum(halvings, 0.0), 2100.0)
    halvings = _core.select(_core.is_nan(halvings), 0.0, halvings)[..., None, None]
    # The scaling takes two steps, because 2^-1100 underflows.
    first = _core.floor(halvings / 2)
    y = x * _core.astype(_core.exp2(-first), x.dtype) * _core.astype(_core.exp2(first - halvings), x.dtype)
    y = _rational(y, coefficients)

    def step(state):
        k, y = state
        return k + 1, _core.select(_core.lt(_core.astype(k, halvings.dtype), halvings), y @ y, y)

    with _on(x.device):
        begin = _core.full(_int64, (), 0)
    return while_loop(lambda s: _core.lt(_core.astype(s[0], halvings.dtype), _functions.max(halvings)), step, (begin, y))[1]


def _block(x, corner):
    """The matrix [[x, corner], [0, x]]."""
    return _core.concatenate([_core.concatenate([x, corner], -1), _core.concatenate([x * 0, x], -1)], -2)


def _differentiable(x, order):
    """Returns the exponential, recorded with derivatives up to this order."""
    if order == 0:
        return _exponential(x)

    def backward(x, cotangent):
        # The adjoint of the derivative is the upper right block of the exponential of [[x^H,
        # cotangent], [0, x^H]].
        n = x.shape[-1]
        return _differentiable(_block(_adjoint(x), cotangent), order - 1)[..., :n, n:]

    return custom_vjp(lambda x: (_exponential(x), x), backward)(x)


def expm(x, /):
    """The exponential of square matrices, by scaling and squaring. Has first and second derivatives.

    >>> tc.linalg.expm(tc.asarray([[0.0, 1.0], [0.0, 0.0]]))
    array([[1.0, 1.0], [0.0, 1.0]], dtype=float32)
    """
    x = _matrices("expm", x, True)
    if x.dtype.name in ("float16", "bfloat16"):
        return _core.astype(expm(_core.astype(x, as_dtype("float32"))), x.dtype)
    return x if 0 in x.shape else _differentiable(x, 2)


SchurResult = namedtuple("SchurResult", "T Z")


def _complex(x):
    if x.dtype.name.startswith("complex"):
        return x
    return _core.astype(x, as_dtype("complex128" if _is_double(x) else "complex64"))


def _shift(t, last, is_exceptional):
    """Returns Wilkinson's shift: the eigenvalue of the last 2 x 2 block that is nearer to the
    last element."""
    n = t.shape[-1]

    def at(row, column):
        where = _core.eq(_numbers(n, t), row[..., None])[..., :, None] & _core.eq(_numbers(n, t), column[..., None])[..., None, :]
        return _functions.sum(_core.select(where, t, 0), axis=(-2, -1))

    before = _core.maximum(last - 1, 0)
    a, b, c, d = at(before, before), at(before, last), at(last, before), at(last, last)
    half = (a - d) / 2
    root = _core.sqrt(half * half + b * c)
    towards = _core.select(_core.ge(_core.real(_core.conj(half) * root), 0), half + root, half - root)
    shift = d - _core.select(_core.eq(_core.abs(towards), 0), 0, b * c / towards)
    return _core.select(is_exceptional, d + _core.abs(c), shift)


def _numbers(n, x):
    with _on(x.device):
        return _core.arange(0.0, float(n), 1.0, _int64)


def _triangle(x):
    """Returns the Schur decomposition of complex matrices. QR steps with shifts deflate the last
    row first, until all elements below the diagonal are 0."""
    n = x.shape[-1]
    # Elements below this limit are rounding errors.
    small = (2.0**-52 if _is_double(x) else 2.0**-23) * _core.sqrt(_functions.sum(_core.abs(x) ** 2, axis=(-2, -1)))
    one, numbers = _unit(n, n, x), _numbers(n, x)
    begin = _functions.sum(_core.astype(_core.ne(x, x), _int64), axis=(-2, -1)) * 0

    def goes_on(state):
        _, _, last, step, _ = state
        return _core.any(_core.gt(last, 0), None, False) & _core.lt(step, 60 * n)

    def body(state):
        t, z, last, step, stuck = state
        own = _core.le(numbers, last[..., None])  # rows that have not been deflated yet
        block = own[..., :, None] & own[..., None, :]
        shift = _shift(t, last, _core.eq(stuck % 11, 10))[..., None, None]
        q = _core.qr_packed(_core.select(block, t - shift * one, one), True)[..., :n]
        t = _adjoint(q) @ t @ q
        z = z @ q
        # The row that is deflated when the elements left of its diagonal are 0.
        row = _core.eq(numbers, last[..., None])[..., :, None] & _core.lt(numbers, last[..., None])[..., None, :]
        is_done = _core.le(_functions.max(_core.select(row, _core.abs(t), 0), axis=(-2, -1)), small) & _core.gt(last, 0)
        t = _core.select(row & is_done[..., None, None], 0, t)
        return t, z, _core.select(is_done, last - 1, last), step + 1, _core.select(is_done, 0, stuck + 1)

    with _on(x.device):
        step = _core.full(_int64, (), 0)
    z = x * 0 + one
    t, z, last, _, _ = while_loop(goes_on, body, (x, z, begin + (n - 1), step, begin))
    bad = _core.gt(last, 0)[..., None, None] | _core.is_nan(small)[..., None, None]
    nan = float("nan")
    return SchurResult(_core.select(bad, nan, _core.triu(t, 0)), _core.select(bad, nan, z))


def schur(x, /, output="complex"):
    """The Schur decomposition x = Z T Z^H: Z is unitary, T is upper triangular with the eigenvalues on its diagonal,
    and both are complex. NaN if x is not finite. The real form of SciPy's `output="real"`, with blocks of 2 × 2 on T's
    diagonal, is refused.

    Has no gradient, because T and Z are not unique. `eigvals`, `sqrtm`, `logm` and `expm` have gradients.

    >>> T, Z = tc.linalg.schur(tc.asarray([[0.0, 1.0], [-1.0, 0.0]]))
    >>> tc.allclose(Z @ T @ tc.conj(Z.mT), tc.asarray([[0.0, 1.0], [-1.0, 0.0]]), atol=1e-6)
    True
    """
    if output != "complex":
        raise ValueError(f"schur: T is complex and triangular, even for a real x: output is 'complex', not {output!r}")
    x = _complex(_matrices("schur", x, True))
    return SchurResult(x, x) if 0 in x.shape else _triangle(x)


def _root_of_triangle(t):
    """Returns the upper triangular square root of t, column by column (Bjoerck and
    Hammarling)."""
    n = t.shape[-1]
    one, numbers = _unit(n, n, t), _numbers(n, t)
    roots = _core.sqrt(_functions.sum(t * one, axis=-1))

    def column(j, r):
        is_own = _core.eq(numbers, j)
        above = _core.lt(numbers, j)
        root = _functions.sum(_core.select(is_own, roots, 0), axis=-1)[..., None, None]
        known = _core.select(above[:, None] & above, r + root * one, one)
        # If two eigenvalues are 0, a root exists only if the numerator is 0, too.
        is_zero = _core.eq(_functions.sum(known * one, axis=-1), 0)[..., None]
        right = _core.select(above, _functions.sum(_core.select(is_own, t, 0), axis=-1), 0)[..., None]
        found = _core.triangular_solve(_core.select(is_zero & _core.ne(one, 0), 1, known), right, True, False, False)
        found = _core.select(is_zero & _core.ne(found, 0), float("inf"), found)
        found = _core.select(above[:, None], found, _core.select(is_own[:, None], root, 0))
        return _core.select(is_own, found, r)

    return fori_loop(0, n, column, t * 0)


def _factored(x):
    """Returns the Schur decomposition for functions with a branch cut along the negative real
    axis."""
    y = _complex(x)
    t, z = _triangle(y)
    if x.dtype != y.dtype:
        # Eigenvalues of a real matrix that are close to the real axis are made real, so that
        # rounding does not decide on which side of the cut they are.
        limit = 10 * (2.0**-52 if _is_double(y) else 2.0**-23) * _norm1(y)[..., None, None]
        is_near = _core.ne(_unit(t.shape[-1], t.shape[-1], t), 0) & _core.le(_core.abs(_core.imag(t)), limit)
        t = _core.select(is_near, _core.astype(_core.real(t), t.dtype), t)
    return t, z


def _of_factors(function, x, t, z, order):
    """Returns the function of x = z t z^H, given the function of triangular matrices, with
    derivatives up to this order."""
    def forward(x, t, z):
        return z @ function(t) @ _adjoint(z), (x, t, z)

    if order == 0:
        return forward(x, t, z)[0]

    def backward(needed, cotangent):
        # The function of [[t, c], [0, t]] has the derivative at t in direction c as its upper right block. At x^H
        # this is the adjoint of the derivative at x.
        x, t, z = needed
        n, direction = x.shape[-1], _adjoint(cotangent)
        both = _of_factors(function, _block(x, direction), _block(t, _adjoint(z) @ stop_gradient(direction) @ z), _block(z, z * 0), order - 1)
        return _adjoint(both[..., :n, n:]), None, None

    return custom_vjp(forward, backward)(x, t, z)


@functools.cache
def _recorded(function):
    """Extends a function of triangular matrices to square matrices, with derivatives. It is
    recorded once per shape."""
    return jit(lambda x: _of_factors(function, _complex(x), *map(stop_gradient, _factored(x)), 2))


def _by_triangle(name, function, x):
    x = _matrices(name, x, True)
    return _complex(x) if 0 in x.shape else _recorded(function)(x)


def sqrtm(x, /):
    """The principal square root of square matrices, whose eigenvalues have nonnegative real parts. The result is
    complex. Uses the Schur decomposition.

    The roots of negative eigenvalues are on the positive imaginary axis. A matrix with several zero eigenvalues may
    have no root; then the result has infinities or NaN. Has first and second derivatives, unless an eigenvalue is 0.

    >>> tc.linalg.sqrtm(tc.asarray([[4.0, 0.0], [0.0, 9.0]])).real
    array([[2.0, 0.0], [0.0, 3.0]], dtype=float32)
    """
    return _by_triangle("sqrtm", _root_of_triangle, x)


# Nodes and weights of Gauss-Legendre quadrature in [0, 1]. They give the rational approximation of log(1 + x) of this
# degree, which is accurate to float64 for |x| < 1/4.
_NODES = (0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751, 0.5917173212478249,
          0.7627662049581645, 0.8983332387068134, 0.9801449282487681)  # fmt: skip
_WEIGHTS = (0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.181341891689181, 0.181341891689181,
            0.15685332293894363, 0.11119051722668724, 0.05061426814518813)  # fmt: skip


def _logarithm_of_triangle(t):
    """Returns the logarithm of a triangular matrix t. Takes square roots until t is near the
    identity."""
    one = _unit(t.shape[-1], t.shape[-1], t)
    with _on(t.device):
        begin = _core.full(_int64, (), 0)

    def far(state):
        t, k, _ = state
        return _core.any(_core.gt(_norm1(t - one), 0.25), None, False) & _core.lt(k, 100)

    def step(state):
        t, k, doublings = state
        is_far = _core.gt(_norm1(t - one), 0.25)[..., None, None]
        return _core.select(is_far, _root_of_triangle(t), t), k + 1, _core.select(is_far, doublings * 2, doublings)

    t, _, doublings = while_loop(far, step, (t, begin, _core.abs(t[..., :1, :1]) * 0 + 1))
    near = t - one
    parts = [_core.triangular_solve(one + near * node, near * weight, True, False, False)
             for node, weight in zip(_NODES, _WEIGHTS)]  # fmt: skip
    return sum(parts[1:], parts[0]) * _core.astype(doublings, t.dtype)


def logm(x, /):
    """The principal logarithm of square matrices, as complex numbers, by square roots of the Schur form. Singular
    matrices give infinities or NaN.

    Has first and second derivatives.

    >>> tc.linalg.logm(tc.eye(2) * tc.e).real
    array([[1.0, 0.0], [0.0, 1.0]], dtype=float32)
    """
    return _by_triangle("logm", _logarithm_of_triangle, x)
