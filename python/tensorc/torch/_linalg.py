"""ATen's linear algebra. Pivots are LAPACK's: in step i, rows i and pivots[i] - 1 are swapped."""

from .. import _core, _functions
from .._dtypes import as_dtype, finfo, is_complex
from .._control import cond, scan
from ..linalg import diagonal, matrix_transpose
from ..linalg import svd as _svd
from ._table import Refused, aten, cast, op

_int64, _int32 = as_dtype("int64"), as_dtype("int32")


def _conj(x):
    return _core.conj(x) if is_complex(x.dtype) else x


def _adjoint(x):
    return _conj(matrix_transpose(x))


def _nothing(n, place):
    """An empty array for a result that was not requested."""
    return lambda: _core.full(n.dtype, tuple(n.values[place].shape), 0)


def _range(count):
    return _core.arange(0.0, float(count), 1.0, _int64)


def _along_first(x):
    return _functions.moveaxis(x, -1, 0)


# Factors of Gauss.


def _factors(x):
    """Returns an LU factorization with both factors in one matrix, and the order of the
    rows."""
    both, columns = _core.lu_packed(x), x.shape[-1]
    return both[..., :columns], _core.astype(_core.real(both[..., columns]), _int64)


def _exchange(rows, i, j):
    """Swaps elements i (one number for all rows) and j (one per row)."""
    places = _range(rows.shape[-1])
    j = _core.expand_dims(j, -1)
    at_j = _core.take_along_axis(rows, j, -1)
    at_i = _core.take_along_axis(rows, _core.broadcast_to(i, j.shape), -1)
    return _core.select(_core.eq(places, j), at_i, _core.select(_core.eq(places, i), at_j, rows))


def _to_pivots(order, count):
    """Returns the swaps that produce an order of the rows from 0, 1, 2, ..."""

    def step(rows, part):
        i, wanted = part
        j = _functions.argmax(_core.astype(_core.eq(rows, _core.expand_dims(wanted, -1)), _int32), axis=-1)
        return _exchange(rows, i, j), _core.astype(_core.add(j, 1), _int32)

    if not count:
        return _core.full(_int32, (*order.shape[:-1], 0), 0)
    start = _core.broadcast_to(_range(order.shape[-1]), order.shape)
    pivots = scan(step, start, (_range(count), _along_first(order)[:count]))[1]
    return _functions.moveaxis(pivots, 0, -1)


def _to_order(pivots, rows):
    """Returns the order of the rows that swaps produce."""

    def step(order, part):
        i, pivot = part
        return _exchange(order, i, _core.sub(_core.astype(pivot, _int64), 1)), ()

    order = _core.broadcast_to(_range(rows), (*pivots.shape[:-1], rows))
    return scan(step, order, (_range(pivots.shape[-1]), _along_first(pivots)))[0] if pivots.shape[-1] else order


def _first(found):
    """Returns the position, counted from 1, of the first true element; 0 if there is none."""
    if not found.shape[-1]:
        return _core.full(_int32, found.shape[:-1], 0)
    number = _core.add(_functions.argmax(_core.astype(found, _int32), axis=-1), 1)
    return _core.astype(_core.select(_functions.any(found, axis=-1), number, 0), _int32)


def _singular(lu):
    return _first(_core.eq(diagonal(lu), 0))


def _triangles(lu):
    count = min(lu.shape[-2:])
    lower = _core.tril(lu[..., :, :count], -1)
    return _core.add(lower, _core.eye(lu.shape[-2], count, 0, lu.dtype)), _core.triu(lu[..., :count, :])


def _permutation(order, dtype):
    """The matrix P in x = P L U."""
    count = order.shape[-1]
    return cast(_core.eq(_core.reshape(_range(count), (-1, 1)), _core.expand_dims(order, -2)), dtype)


def _batched(x, y):
    """Broadcasts both matrices to the same batch axes."""
    batch = _functions.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return (_core.broadcast_to(v, (*batch, *v.shape[-2:])) for v in (x, y))


def _triangular(x, y, upper, transposed=False, unit=False):
    return _core.triangular_solve(*_batched(x, y), upper, transposed, unit)


def _solve_factors(lu, order, y, transposed):
    """Solves a system by an LU factorization of the matrix or of its transpose."""
    lu, y = _batched(lu, y)
    order = _core.broadcast_to(_core.expand_dims(order, -1), (*y.shape[:-1], 1))
    if not transposed:
        y = _core.take_along_axis(y, order, -2)
        return _triangular(lu, _triangular(lu, y, False, unit=True), True)
    y = _triangular(lu, _triangular(lu, y, True, True), False, True, True)
    return _core.take_along_axis(y, _functions.argsort(order, axis=-2), -2)


def _solve_from_right(lu, order, y, transposed=False):
    """Returns the solution x of x a = y, from the LU factorization of a."""
    return matrix_transpose(_solve_factors(lu, order, matrix_transpose(y), not transposed))


def _factors_of_determinant(n, x):
    """Factors the transpose of a dense real matrix, as ATen's determinant does; its derivative
    relies on that."""
    value = n.node.args[0].meta["val"]
    return _factors(matrix_transpose(x) if value.is_contiguous() and not value.is_complex() else x)


@op(aten.linalg_lu_factor_ex.default)
def lu_factor(n, x, *, pivot=True, check_errors=False):
    if not pivot:
        raise Refused("factors without pivots")
    lu, order = _factors(x)
    return lu, lambda: _to_pivots(order, min(x.shape[-2:])), lambda: _singular(lu)


@op(aten.linalg_lu.default)
def lu(n, x, *, pivot=True):
    if not pivot:
        raise Refused("factors without pivots")
    packed, order = _factors(x)
    return _permutation(order, x.dtype), *_triangles(packed)


@op(aten.lu_unpack.default)
def lu_unpack(n, lu, pivots, unpack_data=True, unpack_pivots=True):
    lower, upper = _triangles(lu) if unpack_data else (_nothing(n, 1), _nothing(n, 2))
    if not unpack_pivots:
        return _nothing(n, 0), lower, upper
    return lambda: _permutation(_to_order(pivots, lu.shape[-2]), lu.dtype), lower, upper


@op(aten.linalg_lu_solve.default)
def lu_solve(n, lu, pivots, y, *, left=True, adjoint=False):
    order, lu = _to_order(pivots, lu.shape[-2]), _conj(lu) if adjoint else lu
    return _solve_factors(lu, order, y, adjoint) if left else _solve_from_right(lu, order, y, adjoint)


@op(aten.linalg_inv_ex.default)
def inv(n, x, *, check_errors=False):
    lu, order = _factors(x)
    eye = _core.broadcast_to(_core.eye(x.shape[-1], x.shape[-1], 0, x.dtype), x.shape)
    return _solve_factors(lu, order, eye, False), lambda: _singular(lu)


@op(aten._linalg_solve_ex.default)
def solve(n, x, y, *, left=True, check_errors=False):
    is_vector = y.ndim == 1 or y.ndim == x.ndim - 1 and tuple(y.shape) == tuple(x.shape[:-1])
    right = _core.expand_dims(y, -1) if is_vector else y
    lu, order = _factors(x)
    made = _solve_factors(lu, order, right, False) if left else _solve_from_right(lu, order, right)
    return (_core.squeeze(made, -1) if is_vector else made, lu,
            lambda: _to_pivots(order, x.shape[-1]), lambda: _singular(lu))  # fmt: skip


@op(aten._linalg_det.default)
def det(n, x):
    lu, order = _factors_of_determinant(n, x)
    return lambda: _core.det(x), lu, lambda: _to_pivots(order, x.shape[-1])


@op(aten._linalg_slogdet.default)
def slogdet(n, x):
    both = _core.slogdet(x)
    lu, order = _factors_of_determinant(n, x)
    return both[..., 0], _core.real(both[..., 1]), lu, lambda: _to_pivots(order, x.shape[-1])


# Triangles.


@op(aten.linalg_solve_triangular.default)
def solve_triangular(n, x, y, *, upper, left=True, unitriangular=False):
    if left:
        return _triangular(x, y, upper, False, unitriangular)
    return matrix_transpose(_triangular(x, matrix_transpose(y), upper, True, unitriangular))


@op(aten.triangular_solve.default)
def old_solve_triangular(n, y, x, upper=True, transpose=False, unitriangular=False):
    return _triangular(x, y, upper, transpose, unitriangular), x


def _minor(x):
    """Returns the order of the first leading minor that is not positive, by eliminating one
    column after another."""

    def step(x, i):
        column = _core.take(x, i, -1)
        pivot = _core.take_along_axis(column, _core.broadcast_to(i, (*column.shape[:-1], 1)), -1)
        outer = _core.mul(_core.expand_dims(column, -1), _core.expand_dims(_core.div(_conj(column), pivot), -2))
        return _core.sub(x, outer), _core.bitwise_not(_core.gt(_core.real(pivot) if is_complex(x.dtype) else pivot, 0))

    found = scan(step, _core.tril(x, 0) + _adjoint(_core.tril(x, -1)), _range(x.shape[-1]))[1]
    return _first(_functions.moveaxis(_core.squeeze(found, -1), 0, -1))


@op(aten.linalg_cholesky_ex.default)
def cholesky(n, x, *, upper=False, check_errors=False):
    x = _adjoint(x) if upper else x  # _core.cholesky reads the lower triangle
    made = _core.cholesky(x, upper)

    def info():
        if not x.size:
            return _core.full(_int32, x.shape[:-2], 0)
        missing = _core.is_nan(_core.real(made) if is_complex(made.dtype) else made)
        failed = _functions.any(missing, axis=(-2, -1))
        return cond(_functions.any(failed), lambda x, f: _core.select(f, _minor(x), 0),
                    lambda x, f: _core.full(_int32, f.shape, 0), x, failed)  # fmt: skip

    return made, info


@op(aten.cholesky_solve.default)
def cholesky_solve(n, y, x, upper=False):
    # Conjugates the operand that is transposed.
    first, second = (_conj(x), x) if upper else (x, _conj(x))
    return _triangular(second, _triangular(first, y, upper, upper), upper, not upper)


@op(aten.cholesky_inverse.default)
def cholesky_inverse(n, x, upper=False):
    eye = _core.broadcast_to(_core.eye(x.shape[-1], x.shape[-1], 0, x.dtype), x.shape)
    return cholesky_solve(n, eye, x, upper)


# Orthogonal factors. The signs of their vectors are arbitrary.


@op(aten.linalg_qr.default)
def qr(n, x, mode="reduced"):
    rows, columns = x.shape[-2:]
    count = rows if mode == "complete" else min(rows, columns)
    both = _core.qr_packed(x, mode == "complete")
    return _nothing(n, 0) if mode == "r" else both[..., :count], both[..., :count, count : count + columns]


@op(aten._linalg_svd.default)
def svd(n, x, full_matrices=False, compute_uv=True, *, driver=None):
    if not compute_uv:
        return _nothing(n, 0), _core.svdvals(x), _nothing(n, 2)
    return tuple(_svd(x, full_matrices=full_matrices))


@op(aten._linalg_eigh.default)
def eigh(n, x, uplo="L", compute_v=True):
    if uplo.upper() == "U":
        x = _adjoint(x)
    if not compute_v:
        return _core.eigvalsh(x), _nothing(n, 1)
    both = _core.eigh_packed(x)
    return _core.real(both[..., 0, :]), both[..., 1 : x.shape[-1] + 1, :]


@op(aten.linalg_eig.default)
def eig(n, x):
    both = _core.eig_packed(x)
    return both[..., 0, :], both[..., 1 : x.shape[-1] + 1, :]


@op(aten._linalg_eigvals.default, aten.linalg_eigvals.default)
def eigvals(n, x):
    return _core.eigvals(x)


@op(aten.linalg_pinv.atol_rtol_tensor)
def pinv(n, x, *, atol=None, rtol=None, hermitian=False):
    if hermitian:
        values, u = eigh(n, x)
        size, v = _core.abs(values), u
    else:
        u, values, rows = svd(n, x)
        size, v = values, _adjoint(rows)
    largest = _functions.max(size, axis=-1, keepdims=True) if size.shape[-1] else size
    usual = max(x.shape[-2:]) * finfo(x.dtype).eps
    if rtol is None:
        rtol = usual if atol is None else _core.select(_core.gt(atol, 0), _core.mul(atol, 0), cast(usual, atol.dtype))
    limit = _core.mul(largest, _last(rtol, size))
    if atol is not None:
        limit = _core.maximum(limit, _last(atol, size))
    inverse = _core.select(_core.gt(size, limit), _core.div(1.0, values), 0.0)
    return _core.matmul(_core.mul(v, _core.expand_dims(inverse, -2)), _adjoint(u))


def _last(limit, size):
    """Returns one limit per matrix, in a shape that broadcasts with the values of the
    matrix."""
    return limit if isinstance(limit, float) else _core.expand_dims(cast(limit, size.dtype), -1)
