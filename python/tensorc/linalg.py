"""Linear algebra with the array API's interface, for float and complex matrices along the last two axes.

A matrix that has no result gives NaN; the other matrices of a batch are not affected. `cholesky_ex`, `inv_ex` and
`solve_ex` also return LAPACK's `info`, which is 0 on success.
"""

import math
from collections import namedtuple

from . import _core, _functions
from ._arguments import _array, _axis, _floating, _int64, _matrices, _on, _same, _together, _unit
from ._functions import matmul, matrix_transpose, outer, tensordot, vecdot  # noqa: F401
from ._linalg import SchurResult, expm, logm, schur, sqrtm
from ._reductions import _reduced

__all__ = [
    "CgResult", "CholeskyExResult", "EigResult", "EighResult", "InvExResult", "LUResult", "QRResult", "SVDResult",
    "SchurResult", "SlogdetResult", "SolveExResult", "cg", "cholesky", "cholesky_ex", "cond", "cross", "det", "diagonal",
    "eig", "eigh", "eigvals", "eigvalsh", "expm", "inv", "inv_ex", "logm", "lstsq", "lu", "matmul", "matrix_norm",
    "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "schur", "slogdet",
    "solve", "solve_ex", "solve_triangular", "sqrtm", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace",
    "tridiagonal_solve", "vecdot", "vector_norm",
]  # fmt: skip


def __dir__():
    return __all__


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of vectors along the axes, by default of all elements.

    >>> tc.linalg.vector_norm(tc.asarray([3.0, 4.0]))
    array(5.0, dtype=float32)
    """
    return _reduced(lambda x, axes, keep: _core.norm(x, float(ord), axes, keep), _floating(x), axis, keepdims)


def _zeros(shape, x):
    """Returns integer zeros on the device of x."""
    with _on(x.device):
        return _core.full(_int64, shape, 0)


def diagonal(x, /, *, offset=0):
    """The diagonals of the last two axes."""
    x = _array(x)
    rows, columns = x.shape[-2:]
    start = (max(0, -offset), max(0, offset))
    count = max(0, min(rows - start[0], columns - start[1]))
    with _on(x.device):
        i = _core.arange(0.0, float(count), 1.0, _int64)
    return x[..., i + start[0], i + start[1]]


def trace(x, /, *, offset=0, dtype=None):
    """The sums of the diagonals of the last two axes."""
    return _functions.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def cross(x1, x2, /, *, axis=-1):
    """The cross products of vectors of three elements along an axis."""
    x1, x2 = _functions.broadcast_arrays(*_same([x1, x2]))
    a, b = _functions.unstack(x1, axis=axis), _functions.unstack(x2, axis=axis)
    if len(a) != 3:
        raise ValueError(f"cross: vectors of {len(a)} elements")
    parts = [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]
    return _functions.stack(parts, axis=axis)


SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
QRResult = namedtuple("QRResult", "Q R")
SVDResult = namedtuple("SVDResult", "U S Vh")
LstsqResult = namedtuple("LstsqResult", "solution residuals rank singular_values")
EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
EigResult = namedtuple("EigResult", "eigenvalues eigenvectors")
LUResult = namedtuple("LUResult", "permutation lower upper")
CholeskyExResult = namedtuple("CholeskyExResult", "L info")
SolveExResult = namedtuple("SolveExResult", "result info")
InvExResult = namedtuple("InvExResult", "inverse info")


def cholesky(x, /, *, upper=False):
    """The triangular Cholesky factor of positive definite matrices; NaN for others. Reads only the lower triangle,
    and only the real part of the diagonal.

    >>> tc.linalg.cholesky(tc.asarray([[4.0]]))
    array([[2.0]], dtype=float32)
    """
    return _core.cholesky(_matrices("cholesky", x, True), upper)


def cholesky_ex(x, /, *, upper=False):
    """cholesky with `info`: 0, or the size of the smallest leading block that is not positive definite.

    >>> tc.linalg.cholesky_ex(tc.asarray([[4.0, 0.0], [0.0, -1.0]])).info
    array(2, dtype=int64)
    """
    x = _matrices("cholesky_ex", x, True)
    n = x.shape[-1]
    if n == 0:
        return CholeskyExResult(x, _zeros(x.shape[:-2], x))
    both = _core.cholesky_packed(x, upper)
    return CholeskyExResult(both[..., :n], _core.astype(_core.real(both[..., 0, n]), _int64))


def det(x, /):
    """The determinant.

    >>> tc.linalg.det(tc.eye(3) * 2)
    array(8.0, dtype=float32)
    """
    return _core.det(_matrices("det", x, True))


def slogdet(x, /):
    """The sign of the determinant (for complex numbers its direction, a number of magnitude 1), and the logarithm of
    its magnitude."""
    both = _core.slogdet(_matrices("slogdet", x, True))
    return SlogdetResult(both[..., 0], _core.real(both[..., 1]))


def inv(x, /):
    """The inverse; infinities or NaN for singular matrices."""
    return _core.inv(_matrices("inv", x, True))


def _matrix_and(name, x1, x2, are_square=False):
    """Converts matrices and another operand to floats."""
    x1, x2 = _together(x1, x2)
    return [_matrices(name, x1, are_square), _floating(x2)]


def solve(x1, x2, /):
    """The solution y of x1 y = x2, where x2 is a vector or matrices.

    >>> tc.linalg.solve(tc.eye(2) * 2, tc.ones(2))
    array([0.5, 0.5], dtype=float32)
    """
    x1, x2 = _same(_matrix_and("solve", x1, x2, True))
    if x2.ndim == 1:
        return _core.squeeze(_core.solve(x1, _core.expand_dims(x2, -1)), -1)
    return _core.solve(x1, x2)


def solve_ex(x1, x2, /):
    """solve with `info`: 0, or the position, counted from 1, of a pivot that is 0 (then x1 is singular).

    >>> tc.linalg.solve_ex(tc.asarray([[1.0, 1.0], [1.0, 1.0]]), tc.ones(2)).info
    array(2, dtype=int64)
    """
    x1, x2 = _same(_matrix_and("solve_ex", x1, x2, True))
    n = x1.shape[-1]
    both = _core.lu_packed(x1)
    packed, order = both[..., :n], _core.real(both[..., n])
    b = _core.expand_dims(x2, -1) if x2.ndim == 1 else x2
    with _on(x1.device):
        numbers = _core.arange(0.0, float(n), 1.0, order.dtype)
    rows = _core.eq(_core.expand_dims(order, -1), numbers)
    y = _core.triangular_solve(packed, _core.astype(rows, x1.dtype) @ b, False, False, True)
    y = _core.triangular_solve(packed, y, True, False, False)
    is_zero = _core.astype(_core.eq(diagonal(packed), 0), _int64)
    info = _functions.argmax(is_zero, axis=-1) + 1 if n else _zeros(x1.shape[:-2], x1)
    info = _core.select(_functions.sum(is_zero, axis=-1) == 0, 0, info)
    return SolveExResult(_core.squeeze(y, -1) if x2.ndim == 1 else y, info)


def inv_ex(x, /):
    """inv with `info` as in `solve_ex`."""
    x = _matrices("inv_ex", x, True)
    return InvExResult(*solve_ex(x, _unit(x.shape[-1], x.shape[-1], x)))


def qr(x, /, *, mode="reduced"):
    """The decomposition x = Q R: Q has orthonormal columns, and R is upper triangular with a real diagonal. Modes are
    'reduced' and 'complete'."""
    if mode not in ("reduced", "complete"):
        raise ValueError("qr: mode is 'reduced' or 'complete'")
    x = _matrices("qr", x)
    m, n = x.shape[-2:]
    k = m if mode == "complete" else min(m, n)
    both = _core.qr_packed(x, mode == "complete")
    return QRResult(both[..., :k], both[..., :k, k : k + n])


def svd(x, /, full_matrices=True, compute_uv=True):
    """The decomposition x = U diag(S) Vh with S in descending order. With `full_matrices` U and Vh are square, else
    they have as many vectors as S. Without `compute_uv` the result is S alone.

    S always has a gradient; the vectors of a matrix that is not square have one only without `full_matrices`.

    >>> tc.linalg.svd(tc.eye(2) * 3).S
    array([3.0, 3.0], dtype=float32)
    """
    x = _matrices("svd", x)
    if not compute_uv:
        return _core.svdvals(x)
    m, n = x.shape[-2:]
    both = _core.svd_packed(x)
    u, v = both[..., :m, :], both[..., m + 1 : m + 1 + n, :]
    if full_matrices and m > n:
        u = _completed(u)
    elif full_matrices and m < n:
        v = _completed(v)
    return SVDResult(u, _core.real(both[..., m, :]), matrix_transpose(_core.conj(v)))


def _completed(vectors):
    """Extends orthonormal columns to a basis, by columns of a Q that are orthogonal to all of
    them."""
    m, k = vectors.shape[-2:]
    q = _core.qr_packed(vectors, True)[..., k:m]
    return _core.concatenate([vectors, q], -1)


def multi_dot(arrays, /):
    """The product of several matrices, in the order that needs the fewest multiplications. The first and the last one
    may be vectors.

    >>> tc.linalg.multi_dot([tc.ones(3), tc.ones((3, 4)), tc.ones((4, 2))])
    array([12.0, 12.0], dtype=float32)
    """
    arrays = _same(list(arrays))
    if len(arrays) < 2 or any(x.ndim != 2 for x in arrays[1:-1]) or not all(1 <= x.ndim <= 2 for x in arrays):
        raise ValueError(f"multi_dot: needs two or more matrices, not {[x.shape for x in arrays]}")
    sizes = [x.shape[0] if x.ndim == 2 else 1 for x in arrays[:1]] + [x.shape[0] for x in arrays[1:]]
    sizes.append(arrays[-1].shape[1] if arrays[-1].ndim == 2 else 1)
    # The fewest multiplications, and the product, of each run of matrices.
    best = {(i, i): (0, x) for i, x in enumerate(arrays)}
    for length in range(1, len(arrays)):
        for i in range(len(arrays) - length):
            j = i + length
            cost, k = min((best[i, k][0] + best[k + 1, j][0] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j))
            best[i, j] = cost, _core.matmul(best[i, k][1], best[k + 1, j][1])
    return best[0, len(arrays) - 1][1]


def tensorsolve(a, b, /, axes=None):
    """x such that tensordot(a, x, x.ndim) equals b.

    >>> tc.linalg.tensorsolve(tc.reshape(tc.eye(6) * 2, (2, 3, 6)), tc.ones((2, 3))).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    """
    a, b = _same([_floating(a), _floating(b)])
    if axes is not None:
        moved = [_axis(axis, a.ndim) for axis in axes]
        a = _core.transpose(a, [d for d in range(a.ndim) if d not in moved] + moved)
    shape, count = a.shape[b.ndim :], math.prod(b.shape)
    if math.prod(shape) != count or a.shape[: b.ndim] != b.shape:
        raise ValueError(f"tensorsolve: {a.shape} is no square matrix for {b.shape}")
    return _core.reshape(solve(_core.reshape(a, (count, count)), _core.reshape(b, (count,))), shape)


def tensorinv(a, /, ind=2):
    """The inverse of a as a map from its last axes to its first `ind` axes.

    >>> tc.linalg.tensorinv(tc.reshape(tc.eye(4), (2, 2, 4))).shape
    (4, 2, 2)
    """
    a = _floating(a)
    rows, columns = a.shape[:ind], a.shape[ind:]
    if ind <= 0 or math.prod(rows) != math.prod(columns):
        raise ValueError(f"tensorinv: {a.shape} is no square matrix for ind = {ind}")
    count = math.prod(rows)
    return _core.reshape(inv(_core.reshape(a, (count, count))), columns + rows)


def svdvals(x, /):
    """The singular values, in descending order."""
    return _core.svdvals(_matrices("svdvals", x))


def eigh(x, /):
    """The eigenvalues, in ascending order, and eigenvectors of symmetric or Hermitian matrices. Reads only the lower
    triangle."""
    x = _matrices("eigh", x, True)
    both = _core.eigh_packed(x)
    return EighResult(_core.real(both[..., 0, :]), both[..., 1 : x.shape[-1] + 1, :])


def eigvalsh(x, /):
    """The eigenvalues of symmetric or Hermitian matrices, in ascending order. Reads only the lower triangle, and only
    the real part of the diagonal."""
    return _core.eigvalsh(_matrices("eigvalsh", x, True))


def eig(x, /):
    """The eigenvalues and eigenvectors of square matrices: x v = v diag(w), all complex, in no particular order.

    Eigenvectors have length 1; the element of the largest magnitude is real and positive. NaN if x is not finite.
    Computed on the host.

    >>> tc.linalg.eig(tc.asarray([[2.0]])).eigenvalues
    array([2+0j], dtype=complex64)
    """
    x = _matrices("eig", x, True)
    both = _core.eig_packed(x)
    return EigResult(both[..., 0, :], both[..., 1 : x.shape[-1] + 1, :])


def eigvals(x, /):
    """The eigenvalues of square matrices, complex and in no particular order.

    >>> tc.linalg.eigvals(tc.asarray([[0.0, 1.0], [-4.0, 0.0]])).imag.sort()
    array([-2.0, 2.0], dtype=float32)
    """
    return _core.eigvals(_matrices("eigvals", x, True))


def lu(x, /):
    """The decomposition x[permutation] = lower upper."""
    x = _matrices("lu", x)
    m, n = x.shape[-2:]
    k = min(m, n)
    both = _core.lu_packed(x)
    lower = _core.tril(both[..., :, :k], -1) + _unit(m, k, x)
    return LUResult(_core.astype(_core.real(both[..., n]), _int64), lower, _core.triu(both[..., :k, :n]))


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse."""
    x = _matrices("pinv", x)
    return _core.pinv(x) if rtol is None else _core.pinv(x, float(rtol))


def matrix_rank(x, /, *, rtol=None):
    """The number of singular values above rtol times the largest one; rtol is a number, or one per matrix."""
    x = _matrices("matrix_rank", x)
    if isinstance(rtol, _core.Array) and rtol.ndim:
        s = svdvals(x)
        return _core.count_nonzero(_core.gt(s, _core.mul(rtol[..., None], s[..., :1])), (-1,))
    return _core.matrix_rank(x) if rtol is None else _core.matrix_rank(x, float(rtol))


def matrix_power(x, n, /):
    """The product of n copies of the matrix, or of its inverse if n is negative. Integers keep their dtype, but their
    inverse is float64.

    >>> tc.linalg.matrix_power(tc.asarray([[1, 1], [1, 0]]), 50)[0, 1].item()
    12586269025
    """
    x = _core.as_array(x)
    x = x if x.dtype.name.startswith(("int", "uint")) else _matrices("matrix_power", x, True)
    with _on(x.device):
        return _core.matrix_power(x, n)


def _largest(x):
    """Returns the largest of nonnegative numbers along the last axis, or 0 for an empty axis,
    even if its size is symbolic."""
    return _core.maximum(_functions.max(x, axis=-1), 0) if x.shape[-1] else _functions.sum(x, axis=-1)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of matrices: 'fro' (or None), 'nuc', 1, -1, 2, -2, inf or -inf.

    >>> tc.linalg.matrix_norm(tc.zeros((3, 0)), ord=2)
    array(0.0, dtype=float32)
    """
    x = _matrices("matrix_norm", x)
    if ord is None or ord == "fro":
        return _core.norm(x, 2.0, (-2, -1), keepdims)
    if ord in ("nuc", 2, -2):
        s = svdvals(x)
        result = _largest(s) if ord == 2 else {"nuc": _functions.sum, -2: _functions.min}[ord](s, axis=-1)
    elif ord in (1, -1, float("inf"), float("-inf")):
        sums = _functions.sum(_core.abs(x), axis=-2 if abs(ord) == 1 else -1)
        result = _largest(sums) if ord > 0 else _functions.min(sums, axis=-1)
    else:
        raise ValueError(f"matrix_norm: no order {ord}")
    return _core.reshape(result, (*result.shape, 1, 1)) if keepdims else result


def norm(x, /, ord=None, *, axis=None, keepdims=False):
    """NumPy's norm: vector_norm along one axis or of a vector, matrix_norm along two axes or of a matrix; without an
    order, the square root of the sum of all squares.

    >>> tc.linalg.norm(tc.asarray([[3.0, 0.0], [0.0, 4.0]]), 2)
    array(4.0, dtype=float32)
    """
    x = _array(x)
    if ord is None or isinstance(axis, int):
        return vector_norm(x, axis=axis, keepdims=keepdims, ord=2 if ord is None else ord)
    axes = tuple(range(x.ndim)) if axis is None else tuple(axis)
    if len(axes) == 1:
        return vector_norm(x, axis=axes, keepdims=keepdims, ord=ord)
    if len(axes) != 2:
        raise ValueError(f"norm: an order is for vectors and matrices, not for {len(axes)} axes")
    axes = tuple(_axis(a, x.ndim) for a in axes)
    if axes[0] == axes[1]:
        raise ValueError("norm: the axes of a matrix are two different ones")
    order = [d for d in range(x.ndim) if d not in axes] + list(axes)
    result = matrix_norm(_core.transpose(x, order), ord=ord)
    return _core.reshape(result, [1 if d in axes else n for d, n in enumerate(x.shape)]) if keepdims else result


def cond(x, /, p=None):
    """The condition number: the largest singular value divided by the smallest, or for another norm the norm of x
    times that of its inverse."""
    x = _matrices("cond", x, p not in (None, 2, -2))
    if p is None or p == 2:
        return _core.condition_number(x)
    if p == -2:
        return 1 / _core.condition_number(x)
    product = matrix_norm(x, ord=p) * matrix_norm(_core.inv(x), ord=p)
    # The inverse of a singular matrix is NaN, and so is the inverse of a matrix with NaN. This
    # distinguishes the two cases.
    has_nan = _core.any(_core.is_nan(_core.abs(x)), (-2, -1), False)
    return _core.select(_core.is_nan(product) & (has_nan == 0), float("inf"), product)


def lstsq(a, b, /, rcond=None):
    """The least-squares solution of a y = b, the sums of the squared residuals, the rank of a and its singular values.

    If there are several solutions, it is the one with the smallest norm. Singular values up to rcond times the largest count
    as zero; by default (also for -1) rcond is the dtype's precision times the larger size of a. Unused results are not computed.

    >>> tc.linalg.lstsq(tc.asarray([[1.0], [1.0]]), tc.asarray([1.0, 3.0]))[:2]
    (array([2.0], dtype=float32), array(2.0, dtype=float32))
    """
    a, b = _same(_matrix_and("lstsq", a, b))
    rtol = -1.0 if rcond is None else float(rcond)
    solution = _core.lstsq(a, b, rtol)
    is_vector = b.ndim == 1
    product = _core.matmul(a, solution[..., None])[..., 0] if is_vector else _core.matmul(a, solution)
    residuals = _core.sum(_core.abs(product - b) ** 2, (-1,) if is_vector else (-2,), False)
    return LstsqResult(solution, residuals, _core.matrix_rank(a, rtol), svdvals(a))


def solve_triangular(a, b, /, *, lower=False, trans=False, unit_diagonal=False):
    """The solution y of a y = b, where a is one triangle of the given matrix; with `trans`, of its transpose, or of
    its conjugate transpose (2 or "C")."""
    a, b = _same(_matrix_and("solve_triangular", a, b, True))
    if trans not in (False, True, 0, 1, 2, "N", "T", "C"):
        raise ValueError(f"solve_triangular: trans is 0 or 'N', 1 or 'T', 2 or 'C', not {trans!r}")
    if trans in (2, "C"):
        a = _core.conj(a)
    return _core.triangular_solve(a, b, not lower, trans not in (0, "N"), unit_diagonal)


def tridiagonal_solve(dl, d, du, b, /):
    """The solution y of a y = b, where a has these diagonals: dl below the main diagonal (dl[0] is not read), d, and
    du above (du[-1] is not read)."""
    *diagonals, b = _same([_floating(_core.as_array(x)) for x in (dl, d, du, b)])
    if b.ndim == 1:
        return _core.squeeze(_core.tridiagonal_solve(_core.stack(diagonals, -2), _core.expand_dims(b, -1)), -1)
    return _core.tridiagonal_solve(_core.stack(diagonals, -2), b)


CgResult = namedtuple("CgResult", "x iterations residual")


def cg(a, b, x0=None, *, tol=1e-5, atol=0.0, maxiter=None, preconditioner=None):
    """The solution x of a x = b by conjugate gradients, for a symmetric or Hermitian, positive definite a, given as a
    matrix or as a function of vectors.

    b is an array of any shape. Ends when |b - a x| <= max(tol |b|, atol), or after `maxiter` iterations (by default
    10 times b's size). Also returns the number of iterations and the last |b - a x|. `preconditioner`: a function
    that approximates the inverse of a.

    >>> tc.linalg.cg(lambda x: 4 * x, tc.ones(3)).x
    array([0.25, 0.25, 0.25], dtype=float32)
    """
    b = _floating(_core.as_array(b))
    if not callable(a):
        matrix = _matrices("cg", a, True)
        if b.ndim != 1:
            raise ValueError(f"cg: b of shape {b.shape} for a matrix: a vector is expected")
        a = lambda x: matrix @ x  # noqa: E731
    precondition = preconditioner or (lambda x: x)
    most = 10 * b.size if maxiter is None else maxiter

    def dot(x, y):
        return _core.real(_functions.sum(_core.conj(x) * y))

    x = _core.mul(b, 0) if x0 is None else _core.astype(_core.as_array(x0), b.dtype)
    r = b - a(x)
    x, b = _core.astype(x, r.dtype), _core.astype(b, r.dtype)
    z = precondition(r)
    limit = _core.maximum(dot(b, b) * (tol * tol), atol * atol)

    def goes_on(state):
        _, r, _, _, k = state
        return (dot(r, r) > limit) & (k < most)

    def step(state):
        x, r, p, gamma, k = state
        ap = a(p)
        alpha = gamma / dot(p, ap)
        x, r = x + alpha * p, r - alpha * ap
        z = precondition(r)
        after = dot(r, z)
        return x, r, z + (after / gamma) * p, after, k + 1

    from ._control import while_loop

    x, r, _, _, k = while_loop(goes_on, step, (x, r, z, dot(r, z), _zeros((), r)))
    return CgResult(x, k, _core.sqrt(dot(r, r)))
