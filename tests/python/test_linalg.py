"""Linear algebra; NumPy is the judge."""

import numpy as np
import pytest

import linalg_cases
import tensorc as tc

RANDOM = np.random.default_rng(0)
GENERAL = [RANDOM.normal(size=shape) for shape in ((3, 3), (2, 4, 4), (1, 1))]
TALL = [RANDOM.normal(size=shape) for shape in ((5, 3), (2, 3, 5), (4, 4))]


@pytest.mark.parametrize("a", GENERAL, ids=lambda a: str(a.shape))
def test_square(a):
    x = tc.asarray(a)
    for name in ("det", "inv"):
        np.testing.assert_allclose(getattr(tc.linalg, name)(x).numpy(), getattr(np.linalg, name)(a), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(tc.linalg.slogdet(x).logabsdet.numpy(), np.linalg.slogdet(a).logabsdet, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(tc.linalg.matrix_power(x, 3).numpy(), np.linalg.matrix_power(a, 3), rtol=1e-9, atol=1e-12)
    s = a @ np.swapaxes(a, -1, -2) + np.eye(a.shape[-1])
    np.testing.assert_allclose(tc.linalg.cholesky(tc.asarray(s)).numpy(), np.linalg.cholesky(s), rtol=1e-9, atol=1e-12)
    values, vectors = tc.linalg.eigh(tc.asarray(s))
    np.testing.assert_allclose(values.numpy(), np.linalg.eigvalsh(s), rtol=1e-9)
    np.testing.assert_allclose((tc.asarray(s) @ vectors).numpy(), (vectors * tc.expand_dims(values, axis=-2)).numpy(), atol=1e-9)
    b = RANDOM.normal(size=(a.shape[-1], 2))
    np.testing.assert_allclose(tc.linalg.solve(x, b).numpy(), np.linalg.solve(a, b), rtol=1e-8)


@pytest.mark.parametrize("n", [1, 8, 33])
def test_one_array_for_both(n):
    """A system whose right-hand sides are its matrix is given one buffer twice."""
    x = tc.asarray(np.tril(RANDOM.normal(size=(3, n, n))) + 4 * np.eye(n))
    for solution in (tc.linalg.solve(x, x), tc.linalg.solve_triangular(x, x, lower=True)):
        np.testing.assert_allclose(solution.numpy(), np.broadcast_to(np.eye(n), (3, n, n)), atol=1e-12)


@pytest.mark.parametrize("device", ["sim:0"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_small_matrices_on_a_device(dtype, device):
    """By kernels, beside NumPy; matrices that fail leave their neighbours alone."""
    tolerance = 3e-4 if dtype in ("float32", "complex64") else 1e-11
    part = 1j if dtype.startswith("complex") else 0

    def normal(*shape):
        return (RANDOM.normal(size=shape) + part * RANDOM.normal(size=shape)).astype(dtype)

    def near(ours, theirs):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * max(1, np.max(abs(theirs))))

    for n in (1, 3, 8, 32):
        a = normal(5, n, n)
        s = a @ a.conj().swapaxes(1, 2) + n * np.eye(n, dtype=dtype)
        s[2, 0, 0] = -1
        b = normal(5, n, 2)
        a[3] = 0
        on = lambda array: tc.asarray(array, device=device)  # noqa: E731
        factor, info = tc.linalg.cholesky_ex(on(s))
        assert info.numpy().tolist() == [0, 0, 1, 0, 0] and np.isnan(factor.numpy()[2]).all()
        good = [0, 1, 3, 4]
        near(factor.numpy()[good], np.linalg.cholesky(s[good]))
        near(tc.linalg.solve(on(s), on(b)).numpy(), np.linalg.solve(s.astype(np.result_type(dtype, "float64")), b))
        singular = tc.linalg.solve(on(a), on(b)).numpy()
        assert not np.isfinite(singular[3]).any() and np.isfinite(singular[[0, 1, 2, 4]]).all()
        if n < 32:  # beyond f32
            near(tc.linalg.det(on(s)).numpy(), np.linalg.det(s))
        sign, logarithm = (y.numpy() for y in tc.linalg.slogdet(on(a)))
        with np.errstate(divide="ignore"):
            expected = np.linalg.slogdet(a)
        assert sign[3] == 0 and logarithm[3] == -np.inf
        others = [0, 1, 2, 4]
        near(sign[others], expected.sign[others])
        near(logarithm[others], expected.logabsdet[others])
        order, lower, upper = (y.numpy() for y in tc.linalg.lu(on(a)))
        near(lower @ upper, np.take_along_axis(a, order[..., None], 1))
        q, r = (y.numpy() for y in tc.linalg.qr(on(a)))
        near(q @ r, a)
        near(q.conj().swapaxes(1, 2) @ q, np.broadcast_to(np.eye(n), q.shape))


@pytest.mark.parametrize("dtype, powers", [("float32", (-140, -66, 66, 100)), ("float64", (-1060, -515, 515, 1000))])
def test_qr_of_large_and_small_numbers(dtype, powers):
    for shape in ((3, 3), (2, 5, 3), (3, 5), (70, 120), (130, 60), (1, 1)):
        a = RANDOM.normal(size=shape).astype(dtype)
        for power in (0, *powers):
            scaled = np.ldexp(a, power)
            for mode in ("reduced", "complete"):
                q, r = (part.numpy() for part in tc.linalg.qr(tc.asarray(scaled), mode=mode))
                tolerance = 200 * np.finfo(dtype).eps
                if abs(power) > 10 * powers[-1] / 11 and power < 0:  # elements are few bits
                    tolerance = 0.1
                np.testing.assert_allclose(np.swapaxes(q, -1, -2) @ q, np.broadcast_to(np.eye(q.shape[-1]), q.shape[:-2] + (q.shape[-1],) * 2), atol=200 * np.finfo(dtype).eps)
                np.testing.assert_allclose(q @ np.ldexp(r, -power), np.ldexp(scaled, -power), atol=tolerance)
    small = tc.asarray(np.array([[1, 2], [0, 3e-20], [0, 4e-20]], np.float32))
    np.testing.assert_allclose(np.abs(tc.linalg.qr(small).R.numpy()), np.array([[1, 2], [0, 5e-20]], np.float32), rtol=1e-6)
    assert np.isnan(tc.linalg.qr(tc.asarray([[1.0, np.nan], [2.0, 3.0]])).R.numpy()).any()


def test_ranks_by_a_limit_of_each_matrix():
    a = np.stack([np.diag(d) for d in ([1, 0.1, 0.01], [1, 1, 0.2], [0, 0, 0])])
    for rtol in (np.array([0.5, 0.05, 0.5]), np.array([0.001, 0.5, 0.0])):
        made = tc.linalg.matrix_rank(tc.asarray(a), rtol=tc.asarray(rtol))
        assert made.dtype == tc.int64 and made.tolist() == np.linalg.matrix_rank(a, rtol=rtol).tolist()
    assert tc.linalg.matrix_rank(tc.zeros((0, 1, 1)), rtol=tc.zeros(0)).shape == (0,)
    assert tc.linalg.matrix_rank(tc.zeros((2, 3, 0)), rtol=tc.zeros(2)).tolist() == [0, 0]


def test_powers_of_integers():
    for dtype in ("int8", "uint32", "int64"):
        a = np.array([[[1, 1], [1, 0]], [[2, 1], [7, 4]]], dtype)
        for n in (0, 1, 2, 7, 20):
            ours = tc.linalg.matrix_power(tc.asarray(a), n).numpy()
            assert ours.dtype == a.dtype
            np.testing.assert_array_equal(ours, np.linalg.matrix_power(a, n))
        ours = tc.linalg.matrix_power(tc.asarray(a), -3).numpy()
        np.testing.assert_allclose(ours, np.linalg.matrix_power(a.astype(float), -3), rtol=1e-12)


@pytest.mark.parametrize("a", TALL, ids=lambda a: str(a.shape))
def test_any_shape(a):
    x = tc.asarray(a)
    for mode in ("reduced", "complete"):
        q, r = tc.linalg.qr(x, mode=mode)
        np.testing.assert_allclose((q @ r).numpy(), a, atol=1e-9)
    u, s, vh = tc.linalg.svd(x, full_matrices=False)
    np.testing.assert_allclose(((u * tc.expand_dims(s, axis=-2)) @ vh).numpy(), a, atol=1e-9)
    np.testing.assert_allclose(tc.linalg.svdvals(x).numpy(), np.linalg.svd(a, compute_uv=False), rtol=1e-9)
    np.testing.assert_array_equal(tc.linalg.svd(x, False, compute_uv=False), tc.linalg.svdvals(x))
    np.testing.assert_allclose(tc.linalg.pinv(x).numpy(), np.linalg.pinv(a), atol=1e-9)
    assert tc.linalg.matrix_rank(x).tolist() == np.linalg.matrix_rank(a).tolist()
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        np.testing.assert_allclose(tc.linalg.matrix_norm(x, ord=order).numpy(), np.linalg.norm(a, order, (-2, -1)), rtol=1e-9)


@pytest.mark.parametrize("rcond", [None, 0.3])
def test_least_squares_as_numpy(rcond):
    a = np.diag([4.0, 2.0, 1.0]) @ np.linalg.qr(RANDOM.normal(size=(6, 3)))[0].T @ np.diag([1.0, 2, 3, 4, 5, 6])
    for a, b in ((a.T, RANDOM.normal(size=6)), (a.T, RANDOM.normal(size=(6, 2))), (a, RANDOM.normal(size=3))):
        for a, b in ((a, b), (a + 1j * a[::-1], b)):
            made, expected = tc.linalg.lstsq(tc.asarray(a), tc.asarray(b), rcond=rcond), np.linalg.lstsq(a, b, rcond=rcond)
            assert made.rank.item() == expected[2]
            np.testing.assert_allclose(made.solution, expected[0], rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(made.singular_values, expected[3], rtol=1e-12)
            rest = np.sum(np.abs(a @ expected[0] - b) ** 2, axis=0)  # NumPy leaves it out for a rank below the columns
            np.testing.assert_allclose(made.residuals, rest, rtol=1e-9, atol=1e-12)
    batch, sides = RANDOM.normal(size=(2, 4, 3)), RANDOM.normal(size=(2, 4, 1))
    made = tc.linalg.lstsq(tc.asarray(batch), tc.asarray(sides))
    assert made.rank.tolist() == [3, 3] and made.residuals.shape == (2, 1) and made.singular_values.shape == (2, 3)


@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (3, 5), (2, 4, 4), (0, 0), (1, 1)], ids=str)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_matrices(shape, dtype):
    linalg, bound = tc.linalg, {"complex64": 2e-4, "complex128": 1e-11}[dtype]
    a = (RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)).astype(dtype)
    x, (m, n) = tc.asarray(a), shape[-2:]
    pairs = [(linalg.svdvals(x), np.linalg.svd(a, compute_uv=False)), (linalg.pinv(x), np.linalg.pinv(a))]
    if m and n:
        b = (RANDOM.normal(size=(m, 2)) + 1j).astype(dtype)
        if a.ndim == 2:
            pairs += [(linalg.lstsq(x, tc.asarray(b))[0], np.linalg.lstsq(a, b, rcond=None)[0]),
                      (linalg.lstsq(x, tc.asarray(b[:, 0]))[0], np.linalg.lstsq(a, b[:, 0], rcond=None)[0])]  # fmt: skip
        pairs += [(linalg.cond(x), np.linalg.cond(a))]
        assert linalg.matrix_rank(x).tolist() == np.linalg.matrix_rank(a).tolist()
    if m == n:
        hermitian = a @ a.conj().swapaxes(-1, -2) + np.eye(n, dtype=dtype)
        h = tc.asarray(hermitian)
        pairs += [(linalg.inv(x), np.linalg.inv(a)), (linalg.eigvalsh(h), np.linalg.eigvalsh(hermitian)),
                  (linalg.cholesky(h), np.linalg.cholesky(hermitian)),
                  (linalg.cholesky(h, upper=True), np.linalg.cholesky(hermitian).conj().swapaxes(-1, -2)),
                  (linalg.matrix_power(x, 3), np.linalg.matrix_power(a, 3)), (linalg.matrix_power(x, -2), np.linalg.matrix_power(a, -2))]  # fmt: skip
        for right in (RANDOM.normal(size=(n, 2)).astype(a.real.dtype), np.ones((n, 1), dtype), np.ones(n, dtype)):
            theirs = np.linalg.solve(a, np.broadcast_to(right if right.ndim > 1 else right[:, None], (*a.shape[:-2], *(right if right.ndim > 1 else right[:, None]).shape)))
            pairs.append((linalg.solve(x, tc.asarray(right)), theirs[..., 0] if right.ndim == 1 else theirs))
        pairs.append((linalg.solve(tc.asarray(a.real + 2 * np.eye(n, dtype=a.real.dtype)), x), np.linalg.solve(a.real + 2 * np.eye(n), a)))
    tc.eval([ours for ours, _ in pairs])
    for i, (ours, theirs) in enumerate(pairs):
        assert ours.shape == theirs.shape, i
        np.testing.assert_allclose(ours.numpy(), theirs, atol=bound * max(1, np.max(abs(theirs), initial=0)), err_msg=str(i))


def test_complex_diagonals():
    for n in (1, 3, 40):
        a = RANDOM.normal(size=(2, n, n)) + 1j * RANDOM.normal(size=(2, n, n))
        a = a @ a.conj().swapaxes(-1, -2) + np.eye(n)
        imaginary = RANDOM.normal(size=(2, n))
        imaginary[0, 0], imaginary[1, 0] = np.nan, np.inf
        a.imag[:, range(n), range(n)] = imaginary
        for linalg, x in ((np.linalg, a), (tc.linalg, tc.asarray(a))):
            factors, values = linalg.cholesky(x), linalg.eigvalsh(x)
            if linalg is np.linalg:
                expected = factors, values
        np.testing.assert_allclose(factors.numpy(), expected[0], atol=1e-10)
        np.testing.assert_allclose(values.numpy(), expected[1], rtol=1e-10)
    gradient = tc.grad(lambda x: tc.sum(tc.real(tc.linalg.cholesky(x))))(tc.asarray(a)).numpy()
    assert not np.diagonal(gradient, axis1=-2, axis2=-1).imag.any() and np.isfinite(gradient).all()


def test_complex_matrices_gradients():
    a = RANDOM.normal(size=(3, 3)) + 1j * RANDOM.normal(size=(3, 3))
    step = 1e-6 * (RANDOM.normal(size=(3, 3)) + 1j * RANDOM.normal(size=(3, 3)))
    gradient = tc.grad(lambda x: tc.sum(tc.square(tc.abs(tc.linalg.inv(x)))))(tc.asarray(a)).numpy()
    norm = lambda a: np.sum(abs(np.linalg.inv(a)) ** 2)
    np.testing.assert_allclose(np.sum((gradient.conj() * step).real), (norm(a + step) - norm(a - step)) / 2, rtol=1e-6)


def h(x):
    return tc.conj(x).mT


def spectral(w, v, power):
    return (v * tc.expand_dims(w**power, axis=-2)) @ tc.linalg.inv(v)


# Of matrices 2 x 3 x 3. What has phases that are free is made so that they do not count.
DIFFERENTIABLE = {
    "det": tc.linalg.det,
    "slogdet": lambda x: tc.linalg.slogdet(x).sign * 2 + tc.linalg.slogdet(x).logabsdet,
    "inv": tc.linalg.inv,
    "solve": lambda x: tc.linalg.solve(x, x[..., :2] * 2 + 1),
    "solve_ex": lambda x: tc.linalg.solve_ex(x, x[..., :2] * 2 + 1).result,
    "solve_triangular": lambda x: tc.linalg.solve_triangular(x, x[..., :2] + 1, trans="C"),
    "tridiagonal_solve": lambda x: tc.linalg.tridiagonal_solve(x[:, 0], x[:, 1], x[:, 2], x + 1),
    "cholesky": lambda x: tc.linalg.cholesky(x @ h(x) + tc.eye(3)),
    "upper cholesky": lambda x: tc.linalg.cholesky(x @ h(x) + tc.eye(3), upper=True),
    "lu": lambda x: tc.linalg.lu(x).lower * 2 + tc.linalg.lu(x).upper,
    "lu of tall ones": lambda x: tc.linalg.lu(x[..., :2]).lower @ (tc.linalg.lu(x[..., :2]).upper ** 2),
    "lu of wide ones": lambda x: (tc.linalg.lu(x[..., :2, :]).lower ** 2) @ tc.linalg.lu(x[..., :2, :]).upper,
    "qr": lambda x: tc.linalg.qr(x).Q * 2 + tc.linalg.qr(x).R,
    "qr of tall ones": lambda x: tc.linalg.qr(x[..., :2]).Q @ (tc.linalg.qr(x[..., :2]).R ** 2),
    "svdvals": tc.linalg.svdvals,
    "svd": lambda x: (lambda y: y.U @ y.Vh)(tc.linalg.svd(x)),
    "svd of tall ones": lambda x: (lambda y: (y.U * tc.expand_dims(y.S**2, axis=-2)) @ y.Vh)(tc.linalg.svd(x[..., :2], full_matrices=False)),
    "svd of wide ones": lambda x: (lambda y: y.U @ y.Vh)(tc.linalg.svd(x[..., :2, :], full_matrices=False)),
    "pinv": lambda x: tc.linalg.pinv(x[..., :2]),
    "eigvalsh": tc.linalg.eigvalsh,
    "eigh": lambda x: (lambda v: v[..., :1] @ h(v[..., :1]))(tc.linalg.eigh(x).eigenvectors),
    "eigvals": lambda x: tc.sum(tc.linalg.eigvals(x) ** 2, axis=-1),
    "eig": lambda x: spectral(*tc.linalg.eig(x), 3),
    "lengths of eig": lambda x: tc.sum(tc.square(tc.abs(tc.linalg.eig(x).eigenvectors[..., 1, :])), axis=-1),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients(name):
    """Against differences, of real and of complex matrices, and again of the gradient."""
    f = DIFFERENTIABLE[name]

    def loss(x):
        y = f(x)
        real = tc.real(y) * 1.5 + tc.imag(y) if y.dtype.name.startswith("complex") else y
        return tc.sum(real * tc.asarray(np.cos(np.arange(real.size, dtype=np.float64)).reshape(real.shape)))

    def slope(x):
        g = tc.grad(loss)(x)
        both = tc.real(g) + 2 * tc.imag(g) if g.dtype.name.startswith("complex") else g
        return tc.sum(both * tc.asarray(np.sin(1 + np.arange(g.size, dtype=np.float64)).reshape(g.shape)))

    for part in (0, 1j):
        a, step = (RANDOM.normal(size=(2, 3, 3)) + part * RANDOM.normal(size=(2, 3, 3)) for _ in range(2))
        for function in (loss, slope):
            gradient = tc.grad(function)(tc.asarray(a)).numpy()
            difference = [(function(tc.asarray(a + e * step)) - function(tc.asarray(a - e * step))).item() / (2 * e) for e in (1e-4, 1e-5)]
            wanted = difference[1] + (difference[1] - difference[0]) / 99  # Richardson's
            np.testing.assert_allclose(np.sum((gradient.conj() * step).real), wanted, rtol=1e-5, atol=1e-6, err_msg=str((name, part)))


def test_gradients_of_determinants_of_singular_matrices():
    """Cofactors, which are the determinants of what is left."""
    for n, rank in ((1, 0), (2, 1), (2, 0), (3, 2), (3, 1), (5, 4), (40, 39)):
        for part in (0, 1j):
            a = (RANDOM.normal(size=(n, rank)) + part * RANDOM.normal(size=(n, rank))) @ RANDOM.normal(size=(rank, n))
            gradient = tc.grad(lambda x: tc.sum(tc.real(tc.linalg.det(x))))(tc.asarray(a)).numpy()
            wanted = np.array([[np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) * (-1) ** (i + j) for j in range(n)] for i in range(n)])
            np.testing.assert_allclose(gradient, wanted.conj(), atol=1e-10 * max(1, np.max(abs(wanted))))
    triangle = np.eye(3, k=1)  # a pivot of 0 before the last one
    gradient = tc.grad(lambda x: tc.linalg.det(x))(tc.asarray(triangle)).numpy()
    np.testing.assert_array_equal(gradient, np.outer([0, 0, 1], [1, 0, 0]))


def test_info():
    a = np.stack([np.eye(4)] * 4)
    a[1, 2, 2], a[2, 0, 0], a[3, 3, 1] = -1, np.nan, np.inf
    for dtype in ("float32", "float64", "complex64", "complex128"):
        x = tc.asarray(a.astype(dtype))
        factor, info = tc.linalg.cholesky_ex(x)
        assert info.tolist() == [0, 3, 1, 4]
        assert np.array_equal(factor.numpy()[0], np.eye(4)) and np.isnan(factor.numpy()[1:]).all()
        singular = np.stack([np.eye(3), np.ones((3, 3)), np.diag([0, 1, 2])]).astype(dtype)
        y, info = tc.linalg.solve_ex(tc.asarray(singular), tc.ones(3, dtype=x.dtype))
        assert info.tolist() == [0, 2, 1]
        assert y.shape == (3, 3) and np.array_equal(y.numpy()[0], np.ones(3)) and not np.isfinite(y.numpy()[1:]).all(-1).any()
        assert tc.linalg.inv_ex(tc.asarray(singular)).info.tolist() == info.tolist()
    for function in (tc.linalg.cholesky_ex, tc.linalg.inv_ex):
        assert function(tc.ones((2, 0, 0))).info.tolist() == [0, 0]


def test_eigenvalues():
    """Of what is defective, badly scaled, a rotation, and as NumPy orders none: sorted."""
    for a in (np.eye(4, k=1), np.diag([1.0, 1e100, 1e-100]), np.array([[1, 1e9], [1e-9, 1.0]]), np.array([[0, -1.0], [1, 0]]),
              np.triu(np.ones((5, 5))), RANDOM.normal(size=(40, 40)), np.zeros((3, 3))):  # fmt: skip
        for x in (a, a * (1 + 1j)):
            w, v = (y.numpy() for y in tc.linalg.eig(tc.asarray(x)))
            assert w.dtype == np.complex128
            np.testing.assert_allclose(x @ v, v * w, atol=1e-13 * len(a) * np.linalg.norm(x))
            np.testing.assert_allclose(np.linalg.norm(v, axis=0), 1, rtol=1e-12)
            expected = np.linalg.eigvals(x)
            if len(a) < 5:
                for values in (w, tc.linalg.eigvals(tc.asarray(x)).numpy()):
                    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(expected), rtol=1e-12, atol=1e-14)
    real = tc.linalg.eigvals(tc.asarray(RANDOM.normal(size=(9, 9)))).numpy()
    assert set(real.conj()) == set(real)  # pairs, to the last bit


@pytest.mark.parametrize("dtype,tiny", [("float32", 1e-40), ("float64", 1e-310)])
def test_eigenvectors_of_subnormal_numbers(dtype, tiny):
    for a in (np.array([[tiny, 1], [0, 2 * tiny]]), np.array([[1, 2, 3], [0, tiny, 1], [0, 0, 3 * tiny]]),
              np.diag(np.geomspace(1, 1e-38, 9)) @ RANDOM.normal(size=(9, 9))):  # fmt: skip
        w, v = (y.numpy() for y in tc.linalg.eig(tc.asarray(a.astype(dtype))))
        assert np.isfinite(v).all()
        np.testing.assert_allclose(a @ v, v * w, atol=1e-5 * np.linalg.norm(a))


def test_roots():
    for p in ([1, -6, 11, -6], [2, 0, 2], [1, 0, 0], [3], [1, -1e5, 1], [1, 2j, -1], np.poly(np.arange(1, 13))):
        ours = tc.roots(tc.asarray(p)).numpy()
        theirs = np.roots(np.asarray(p, np.complex128))
        order = lambda z: z[np.lexsort((np.round(z.imag, 4), np.round(z.real, 4)))]  # noqa: E731
        np.testing.assert_allclose(order(ours), order(np.append(theirs, [0] * (len(p) - 1 - len(theirs)))), rtol=1e-3 if len(p) < 13 else 1e-2, atol=1e-3)
    assert np.isnan(tc.roots(tc.asarray([0.0, 1, 2])).numpy()).all()
    with pytest.raises(ValueError, match="roots: needs a vector"):
        tc.roots(tc.ones((2, 2)))


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (2, 6, 1), (3, 0)], ids=str)
def test_full_matrices(shape):
    a = RANDOM.normal(size=shape)
    for a in (a, np.zeros(shape)):
        u, s, vh = (part.numpy() for part in tc.linalg.svd(tc.asarray(a)))  # full_matrices, as NumPy
        expected = np.linalg.svd(a)
        assert [u.shape, s.shape, vh.shape] == [part.shape for part in expected]
        k = s.shape[-1]
        np.testing.assert_allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, atol=1e-12)
        for q in (u, vh):
            np.testing.assert_allclose(q @ q.swapaxes(-1, -2), np.broadcast_to(np.eye(q.shape[-1]), q.shape), atol=1e-12)


def test_gradients_of_full_matrices():
    x = tc.asarray(RANDOM.normal(size=(5, 3)))
    # The sum of the squares of the singular values is that of the elements.
    gradient = tc.grad(lambda x: tc.sum(tc.linalg.svd(x).S ** 2))(x)
    np.testing.assert_allclose(gradient.numpy(), 2 * x.numpy(), atol=1e-12)
    with pytest.raises(ValueError, match="full_matrices=False"):
        tc.grad(lambda x: tc.sum(tc.linalg.svd(x).U[:, :3] ** 3))(x)


def test_condition_numbers_of_singular_matrices():
    for a in (np.zeros((2, 2)), np.array([[1.0, 2], [2, 4]]), np.array([[1, np.nan], [0, 1]])):
        for p in (1, -1, np.inf, "fro"):
            np.testing.assert_array_equal(tc.linalg.cond(tc.asarray(a), p).numpy() > 1e15, np.linalg.cond(a, p) > 1e15)
    assert tc.linalg.cond(tc.zeros((2, 2))).item() == np.inf


def drawn(kind, m, n):
    """Three matrices of a kind."""
    x = RANDOM.normal(size=(3, m, n))
    k = min(m, n)
    if kind == "ill-conditioned" and k > 1:
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        x = u * np.geomspace(1, 1e-10, k) @ vh
    elif kind == "rank-deficient":
        x[..., : k // 2 + 1, :] = x[..., :1, :]
    elif kind == "huge":
        x *= 1e150
    elif kind == "tiny":
        x *= 1e-150
    elif kind == "of small integers":
        x = np.round(x * 2)
    elif kind == "zero":
        x *= 0
    return x


KINDS = ["normal", "ill-conditioned", "rank-deficient", "huge", "tiny", "of small integers", "zero"]


@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (1, 1), (2, 2), (7, 7), (33, 33), (5, 3), (3, 5), (40, 1)], ids=str)
def test_hard_matrices(shape):
    """NumPy's values, within what the method must lose; where the inverse is far off, what it is for."""
    m, n = shape
    linalg, epsilon = tc.linalg, 2.0**-52
    for kind in KINDS:
        a = drawn(kind, m, n)
        x, size = tc.asarray(a), np.linalg.norm(a, axis=(1, 2), keepdims=True)
        s = linalg.svdvals(x).numpy()
        assert np.all(abs(s - np.linalg.svd(a, compute_uv=False)) <= 30 * max(m, n) * epsilon * size[:, 0]), kind
        if min(m, n):
            assert linalg.matrix_rank(x).tolist() == np.linalg.matrix_rank(a).tolist(), kind
            for order in ("fro", "nuc", 1, -1, 2, np.inf):
                if kind not in ("huge", "tiny") or order != "fro":  # whose squares are not finite
                    ours = linalg.matrix_norm(x, ord=order).numpy()
                    np.testing.assert_allclose(ours, np.linalg.norm(a, order, (1, 2)), rtol=1e-11, err_msg=kind)
        if kind not in ("huge", "tiny"):
            p = linalg.pinv(x).numpy()
            np.testing.assert_allclose(a @ p @ a, a, atol=1e-4 if kind == "ill-conditioned" else 1e-11)
        if m != n:
            continue
        with np.errstate(all="ignore"):
            expected = np.linalg.slogdet(a)
            scale = np.prod(np.linalg.svd(a, compute_uv=False), axis=1)
        if kind not in ("rank-deficient", "zero") and n:
            np.testing.assert_array_equal(linalg.slogdet(x).sign.numpy(), expected.sign)
            np.testing.assert_allclose(linalg.slogdet(x).logabsdet.numpy(), expected.logabsdet, atol=1e-3)
        if kind not in ("huge", "tiny"):
            np.testing.assert_allclose(linalg.det(x).numpy(), np.linalg.det(a), atol=np.max(scale, initial=0) * 1e-4 + 1e-9)
        b = RANDOM.normal(size=(3, n, 2))
        if kind not in ("rank-deficient", "zero", "of small integers"):
            y = linalg.solve(x, tc.asarray(b)).numpy()
            residual = np.linalg.norm(a @ y - b, axis=(1, 2)) / (size[:, 0, 0] * np.linalg.norm(y, axis=(1, 2)) + 1e-300)
            assert n == 0 or np.max(residual) <= 30 * n * epsilon, kind
        symmetric = a + a.swapaxes(1, 2)
        error = abs(linalg.eigvalsh(tc.asarray(symmetric)).numpy() - np.linalg.eigvalsh(symmetric))
        assert np.all(error <= 60 * n * epsilon * size[:, 0]), kind


def test_what_is_not_finite():
    for value in (np.nan, np.inf):
        a = np.stack([np.eye(4)] * 3)
        a[1, 2, 1] = value
        x = tc.asarray(a)
        for result in (tc.linalg.svdvals(x), tc.linalg.eigvalsh(x), tc.linalg.cholesky(x)):
            y = result.numpy()
            assert np.isnan(y[1]).all() and np.isfinite(y[0]).all() and np.isfinite(y[2]).all()
        y = tc.linalg.solve(x, tc.ones((3, 4, 1), dtype=x.dtype)).numpy()
        assert not np.isfinite(y[1]).all() and np.array_equal(y[0], y[2]) and np.all(y[0] == 1)


@pytest.mark.parametrize("name", linalg_cases.FUNCTIONS)
def test_drawn_matrices(name):
    table, wrong = linalg_cases.run(1, [name])
    assert 100 * len(wrong) <= table[name][0], wrong


def test_norm():
    a = RANDOM.normal(size=(3, 4, 5))
    x = tc.asarray(a)
    for order, axis in ((None, None), (None, 1), (None, (0, 2)), (1, -1), (np.inf, 0), (0, 1), (3, 2), ("fro", (0, 1)), ("nuc", (2, 0)), (-2, (1, -1)), (1, (2, 0))):
        for keep in (False, True):
            expected = np.linalg.norm(a, order, axis, keep)
            np.testing.assert_allclose(tc.linalg.norm(x, order, axis=axis, keepdims=keep).numpy(), expected, rtol=1e-10, err_msg=f"{order} {axis}")
    np.testing.assert_allclose(tc.linalg.norm(x[0], 2).numpy(), np.linalg.norm(a[0], 2), rtol=1e-10)
    np.testing.assert_allclose(tc.linalg.norm(x[0, 0], 1).numpy(), np.linalg.norm(a[0, 0], 1), rtol=1e-10)
    for shape in ((3, 0), (4, 0, 0), (2, 0, 3)):
        for order in (1, 2, np.inf, "fro", "nuc"):
            expected = np.linalg.norm(np.zeros(shape), order, (-2, -1))
            np.testing.assert_array_equal(tc.linalg.norm(tc.zeros(shape), order, axis=(-2, -1)).numpy(), expected)
    named = tc.jit(lambda x: tc.linalg.norm(x, 2), inputs=[tc.Input(tc.float32, ("n", 3))])
    assert [float(named(v)) for v in (tc.ones((3, 3)), tc.zeros((0, 3)))] == pytest.approx([3, 0])
    for refused in (lambda: tc.linalg.norm(x, 2), lambda: tc.linalg.norm(x, 2, axis=(1, 1))):
        with pytest.raises(ValueError):
            refused()


def test_a_device_takes_matrices_to_the_host(device="sim:0"):
    """With the bits of the CPU, and what stands around them on the device."""
    a = RANDOM.normal(size=(3, 40, 40)).astype("float32")
    a = a @ a.swapaxes(1, 2) + np.eye(40, dtype="float32")
    results = []
    for place in ("cpu:0", device):
        x = tc.asarray(a, device=place)
        results.append([tc.linalg.cholesky(x * 2) + 1, tc.linalg.svdvals(x), tc.linalg.solve(x, tc.ones((3, 40, 1), dtype=x.dtype, device=place))])
    for here, there in zip(*results):
        assert str(there.device) == device
        np.testing.assert_array_equal(there.numpy(), here.numpy())


@pytest.mark.parametrize("name", ["diagonal", "trace", "solve_ex", "inv_ex", "cholesky_ex", "lu", "matrix_power", "cg", "quantize"])
def test_what_is_made_on_the_way_is_on_the_device(name, device="sim:0"):
    x = tc.asarray(np.eye(3) * 4, device=device)
    calls = {
        "solve_ex": lambda: tc.linalg.solve_ex(x, x), "matrix_power": lambda: tc.linalg.matrix_power(x, 0), "cg": lambda: tc.linalg.cg(x, x[0]),
        "quantize": lambda: tc.quantization.dequantize(tc.quantization.quantize(x, 0.5), 0.5),
    }  # fmt: skip
    results = calls.get(name, lambda: getattr(tc.linalg, name)(x))()
    for y in results if isinstance(results, tuple) else (results,):
        assert str(y.device) == device and np.isfinite(y.numpy()).all()


def test_refused():
    for call in (lambda: tc.linalg.det(tc.ones((2, 3))), lambda: tc.linalg.inv(tc.ones(3)), lambda: tc.linalg.qr(tc.eye(2), mode="x")):
        with pytest.raises(ValueError):
            call()


def rounded(x, bits):
    """To so many bits, the leading one included, of two numbers to the even one."""
    mantissa, exponent = np.frexp(x.astype(np.float64))
    return np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits)


@pytest.mark.parametrize(("name", "bits"), [("highest", 24), ("tf32", 11), ("bf16", 8)])
def test_matmul_precision(name, bits):
    draw = np.random.default_rng(5)
    x = draw.standard_normal((3, 70, 129)).astype(np.float32)
    y = draw.standard_normal((3, 129, 40)).astype(np.float32)
    exact = rounded(x, bits) @ rounded(y, bits)
    # A sum of 129 exact products in f32.
    tolerance = {"rtol": 0, "atol": 129 * 2**-24 * np.abs(x).max() * np.abs(y).max() * 12}
    with tc.matmul_precision(name):
        a, b = tc.asarray(x), tc.asarray(y)
        np.testing.assert_allclose(a @ b, exact, **tolerance)
        np.testing.assert_allclose(tc.einsum("bik,bkj->bij", a, b), exact, **tolerance)
        np.testing.assert_allclose(tc.jit(lambda x, y: x @ y)(a, b), exact, **tolerance)
        np.testing.assert_allclose(tc.vmap(lambda x, y: x @ y)(a, b), exact, **tolerance)
        np.testing.assert_allclose(a[0] @ b[0, :, 0], exact[0, :, 0], **tolerance)
        # bf16 rounds g, too, and the gradient once more.
        g = draw.standard_normal((3, 70, 40)).astype(np.float32)
        by_x = tc.grad(lambda x: tc.sum((x @ b) * tc.asarray(g)))(a)
        assert by_x.dtype == tc.float32
        want = (rounded(g, bits) if name == "bf16" else g) @ rounded(y, bits).swapaxes(-1, -2)
        np.testing.assert_allclose(by_x, want, rtol=2**-8 if name == "bf16" else 0, atol=1e-4)
        assert (a.astype(tc.float64) @ b.astype(tc.float64)).dtype == tc.float64
    np.testing.assert_allclose(tc.asarray(x) @ tc.asarray(y), x @ y, rtol=0, atol=1e-4)


def test_products_of_tf32_are_marked():
    """The compiler cannot see the mask of the rounding, which is an argument of the program."""
    draw = np.random.default_rng(6)
    # Sums of these are exact in f32. 2^-12 and more is rounded away.
    x, y = (draw.integers(-8, 9, shape).astype(np.float32) for shape in ((40, 64), (24, 64)))
    a, b = (tc.asarray(v * np.float32(1 + 2.0**-12), device="sim:sm_80") for v in (x, y))
    with tc.matmul_precision("tf32"):
        product = a @ tc.permute_dims(b, (1, 0))
        assert product.to_mlir().count("{tx.tf32}") == 1
        by_a = tc.grad(lambda a: tc.sum((a @ b.T) * 3))(a)
        assert by_a.to_mlir().count("tx.tf32") <= 1  # the gradient's own product is not rounded
    np.testing.assert_array_equal(product, x @ y.T)
    assert "tx.tf32" not in (a @ b.T).to_mlir()
    # The instructions drop the only fraction bit of this NaN.
    expected = x @ y.T
    x[3, 5] = np.uint32(0x7F800001).view(np.float32)
    with tc.matmul_precision("tf32"):
        product = tc.asarray(x, device="sim:sm_80") @ tc.asarray(y.T, device="sim:sm_80")
        assert product.to_mlir().count("{tx.tf32}") == 1
    expected[3] = np.nan
    np.testing.assert_array_equal(product, expected)


def test_matmul_precision_of_another_name():
    with pytest.raises(ValueError, match="f8"), tc.matmul_precision("f8"):
        pass
    with pytest.raises(KeyError), tc.matmul_precision("bf16"):
        raise KeyError
    assert float(tc.asarray([1 + 2.0**-9]) @ tc.asarray([1.0])) == 1 + 2.0**-9


@pytest.mark.parametrize("product", [tc.matmul, tc.dot, tc.inner, lambda x, y: tc.tensordot(x, y, 1)])
def test_products_of_two_formats_of_float8(product):
    values = np.array([[1, 2], [3, -4]], "float32")
    result = product(tc.asarray(values).astype(tc.float8_e4m3fn), tc.asarray(values).astype(tc.float8_e5m2))
    assert result.dtype == tc.float32
    np.testing.assert_array_equal(result, values @ (values.T if product is tc.inner else values))
