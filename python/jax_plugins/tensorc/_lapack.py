"""JAX's decompositions without an op of tensorc, computed on the host by SciPy's LAPACK.

They are callbacks of the program: `eig`, `schur`, `hessenberg`, `tridiagonal`, and the parts of `qr` (such as Householder
vectors) if a program uses them alone. `qr` itself is computed by tensorc. So is `tridiagonal_solve`, unless it perturbs
singular systems.
"""

import numpy as np

from . import _callbacks


def install():
    """Lets JAX lower these primitives for this platform. Versions of JAX have some or all of them."""
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    for name, function in _FUNCTIONS.items():
        if primitive := getattr(linalg, name + "_p", None):
            mlir.register_lowering(primitive, _rule(function), platform="tensorc")
    mlir.register_lowering(linalg.qr_p, _qr, platform="tensorc")
    mlir.register_lowering(linalg.tridiagonal_solve_p, _tridiagonal_solve, platform="tensorc")


def _rule(function, rank=2):
    """Returns a rule that calls the function for each element of the batch. The first operand has `rank` dims without
    those of the batch."""

    def lower(ctx, *operands, **parameters):
        results = [(aval.shape, aval.dtype) for aval in ctx.avals_out]

        def run(*inputs):
            made = [np.zeros(shape, dtype) for shape, dtype in results]
            matrices = inputs[0]
            if matrices.size:
                for index in np.ndindex(matrices.shape[:-rank]):
                    values = function(*(x[index] for x in inputs), **parameters)
                    for result, value in zip(made, values, strict=True):
                        result[index] = value
            return made

        return _callbacks.emit(ctx, run, None, operands, ctx.avals_out, has_side_effect=False)[0]

    return lower


def _qr(ctx, matrix, *, pivoting, full_matrices, **options):
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    if pivoting or 0 in ctx.avals_in[0].shape[-2:]:
        rule = mlir.lower_fun(linalg._qr_lowering, multiple_results=True)
        return rule(ctx, matrix, pivoting=pivoting, full_matrices=full_matrices, **options)
    types = [_callbacks.tensor_type(aval) for aval in ctx.avals_out]
    return mlir.custom_call("tensorc.qr", result_types=types, operands=[matrix]).results


def _tridiagonal_solve(ctx, *operands, **options):
    from jax._src.lax import linalg

    if options.get("perturb_singular"):
        return _rule(_perturbed_solution, rank=1)(ctx, *operands)
    return linalg._tridiagonal_solve_cpu_lowering(ctx, *operands, **options)


def _perturbed_solution(lower, diagonal, upper, b):
    """Solves a tridiagonal system by an LU factorization with row exchanges. Pivots that are tiny compared with the
    largest element of U are replaced, so that the solution is finite."""
    size, x = len(diagonal), b.copy()
    u = np.zeros((size + 2, 3), diagonal.dtype)  # each row of U from its pivot on, and two rows of zeros
    row = np.array([diagonal[0], upper[0] if size > 1 else 0, 0], diagonal.dtype)
    for i in range(1, size):
        below = np.array([lower[i], diagonal[i], upper[i] if i + 1 < size else 0], diagonal.dtype)
        if abs(below[0]) > abs(row[0]):
            row, below = below, row
            x[[i - 1, i]] = x[[i, i - 1]]
        factor = below[0] / row[0] if row[0] else row[0]
        u[i - 1] = row
        row = np.append(below[1:] - factor * row[1:], below.dtype.type(0))
        x[i] -= factor * x[i - 1]
    u[size - 1] = row
    limits = np.finfo(u.dtype)
    least = max(limits.eps * np.abs(u).max(), limits.tiny / limits.eps)
    x = np.concatenate([x, np.zeros_like(x, shape=(2, *x.shape[1:]))])
    for i in reversed(range(size)):
        pivot = u[i, 0] if not abs(u[i, 0]) < least else u.dtype.type(least)
        x[i] = (x[i] - u[i, 1] * x[i + 1] - u[i, 2] * x[i + 2]) / pivot
    return [x[:size]]


def _routine(name, x):
    """Returns the LAPACK function for the dtype of x. For complex numbers `orgqr` and `sytrd`
    have other names."""
    from scipy.linalg import lapack

    if np.iscomplexobj(x):
        name = {"orgqr": "ungqr", "ormqr": "unmqr", "sytrd": "hetrd"}.get(name, name)
    return getattr(lapack, {"f": "s", "d": "d", "F": "c", "D": "z"}[x.dtype.char] + name)


def _checked(info, values):
    """Replaces results by NaN where LAPACK failed."""
    if info < 0:
        raise ValueError(f"LAPACK refuses its argument {-info}")
    return values if info == 0 else [np.nan] * len(values)


def _eig(a, *, compute_left_eigenvectors, compute_right_eigenvectors, **_):
    count = 1 + compute_left_eigenvectors + compute_right_eigenvectors
    if not np.isfinite(a).all():
        return [np.nan] * count
    *w, left, right, info = _routine("geev", a)(a, compute_vl=compute_left_eigenvectors, compute_vr=compute_right_eigenvectors)
    values = w[0] + 1j * w[1] if len(w) == 2 else w[0]
    results = [values]
    for wanted, vectors in ((compute_left_eigenvectors, left), (compute_right_eigenvectors, right)):
        if wanted:
            results.append(_unpacked(values, vectors) if len(w) == 2 else vectors)
    return _checked(info, results)


def _unpacked(values, vectors):
    """Returns the complex eigenvectors of real matrices. LAPACK stores a conjugate pair as its
    real and its imaginary part."""
    result = vectors.astype(np.result_type(vectors, np.complex64))
    first = np.flatnonzero(values.imag > 0)
    result[:, first] = vectors[:, first] + 1j * vectors[:, first + 1]
    result[:, first + 1] = result[:, first].conj()
    return result


def _schur(a, *, compute_schur_vectors, sort_eig_vals, **_):
    if sort_eig_vals:
        raise NotImplementedError("schur with sorted eigenvalues")
    if not np.isfinite(a).all():
        return [np.nan] * (1 + compute_schur_vectors)
    form, *_, vectors, _, info = _routine("gees", a)(lambda *_: None, a, compute_v=compute_schur_vectors)
    return _checked(info, [form, vectors] if compute_schur_vectors else [form])


def _hessenberg(a):
    form, factors, info = _routine("gehrd", a)(a)
    return _checked(info, [form, factors[: len(a) - 1]])


def _tridiagonal(a, *, lower):
    form, diagonal, other, factors, info = _routine("sytrd", a)(a, lower=lower)
    return _checked(info, [form, diagonal, other[: len(a) - 1], factors[: len(a) - 1]])


def _geqrf(a):
    both, factors, _, info = _routine("geqrf", a)(a)
    return _checked(info, [both, factors])


def _geqp3(a, pivots, **_):
    if pivots.any():
        raise NotImplementedError("geqp3 with columns that stay in front")
    both, order, factors, _, info = _routine("geqp3", a)(a)
    return _checked(info, [both, order, factors])


def _householder_product(a, factors):
    product, _, info = _routine("orgqr", a)(a, factors)
    return _checked(info, [product])


def _ormqr(a, factors, c, *, left, transpose):
    other = "C" if np.iscomplexobj(a) else "T"
    width = 64 * max(c.shape)
    product, _, info = _routine("ormqr", a)("L" if left else "R", other if transpose else "N", a, factors, c, width)
    return _checked(info, [product])


_FUNCTIONS = {
    "eig": _eig,
    "schur": _schur,
    "hessenberg": _hessenberg,
    "tridiagonal": _tridiagonal,
    "geqrf": _geqrf,
    "geqp3": _geqp3,
    "householder_product": _householder_product,
    "ormqr": _ormqr,
}
