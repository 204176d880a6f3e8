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


def test_refused():
    for call in (lambda: tc.linalg.det(tc.ones((2, 3))), lambda: tc.linalg.inv(tc.ones(3)), lambda: tc.linalg.qr(tc.eye(2), mode="x")):
        with pytest.raises(ValueError):
            call()
