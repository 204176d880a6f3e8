"""Linear algebra; NumPy is the judge."""

import numpy as np
import pytest

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
    np.testing.assert_allclose(tc.linalg.pinv(x).numpy(), np.linalg.pinv(a), atol=1e-9)
    assert tc.linalg.matrix_rank(x).tolist() == np.linalg.matrix_rank(a).tolist()
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        np.testing.assert_allclose(tc.linalg.matrix_norm(x, ord=order).numpy(), np.linalg.norm(a, order, (-2, -1)), rtol=1e-9)


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
            pairs += [(linalg.lstsq(x, tc.asarray(b)), np.linalg.lstsq(a, b, rcond=None)[0]),
                      (linalg.lstsq(x, tc.asarray(b[:, 0])), np.linalg.lstsq(a, b[:, 0], rcond=None)[0])]  # fmt: skip
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


def test_complex_matrices_gradients_and_refusals():
    a = RANDOM.normal(size=(3, 3)) + 1j * RANDOM.normal(size=(3, 3))
    step = 1e-6 * (RANDOM.normal(size=(3, 3)) + 1j * RANDOM.normal(size=(3, 3)))
    gradient = tc.grad(lambda x: tc.sum(tc.square(tc.abs(tc.linalg.inv(x)))))(tc.asarray(a)).numpy()
    norm = lambda a: np.sum(abs(np.linalg.inv(a)) ** 2)
    np.testing.assert_allclose(np.sum((gradient.conj() * step).real), (norm(a + step) - norm(a - step)) / 2, rtol=1e-6)
    for name in ("det", "eigh", "qr", "svd", "lu"):
        with pytest.raises(ValueError, match="dtype must be a float, not c128"):
            getattr(tc.linalg, name)(tc.asarray(a))


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


def test_refused():
    for call in (lambda: tc.linalg.det(tc.ones((2, 3))), lambda: tc.linalg.inv(tc.ones(3)), lambda: tc.linalg.qr(tc.eye(2), mode="x")):
        with pytest.raises(ValueError):
            call()
