"""Bounds of docs/numerics.md that no other test looks at, beside the same in longer numbers."""

import numpy as np
import pytest

import tensorc as tc

RANDOM = np.random.default_rng(0)
DTYPES = ("float32", "float64")


def drawn(*shape, dtype):
    """Numbers of many sizes, of both signs."""
    return (RANDOM.normal(size=shape) * np.exp(RANDOM.normal(size=shape) * 3)).astype(dtype)


def within(ours, exact, bound):
    ours = ours.numpy().astype(np.longdouble)
    assert ours.shape == exact.shape
    assert (np.abs(ours - exact) <= bound).all(), np.max(np.abs(ours - exact) / bound)


def of_a_sum(n):
    return 4 * (np.log2(max(n, 1)) + 4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums(dtype):
    e = np.finfo(dtype).eps
    for n in (1, 2, 7, 64, 1000, 100_003):
        x = drawn(n, dtype=dtype)
        wide = x.astype(np.longdouble)
        norm = np.sqrt(np.sum(wide**2))
        within(tc.linalg.norm(tc.asarray(x)), norm, of_a_sum(n) * e * norm)
    for n in (1, 3, 50, 333):
        x = drawn(n, n, dtype=dtype)
        diagonal = np.diagonal(x).astype(np.longdouble)
        within(tc.linalg.trace(tc.asarray(x)), diagonal.sum(), of_a_sum(n) * e * np.abs(diagonal).sum())


@pytest.mark.parametrize("dtype", DTYPES)
def test_windows(dtype):
    for size in (1, 3, 16, 301):
        x = drawn(5, 1000, dtype=dtype)
        windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.longdouble), size, axis=1)[:, ::2]
        ours = tc.nn.reduce_window(tc.asarray(x), "sum", (1, size), stride=(1, 2))
        within(ours, windows.sum(-1), of_a_sum(size) * np.finfo(dtype).eps * np.abs(windows).sum(-1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_places_in_any_order(dtype):
    """n numbers come to a place one by one: n e of the sum of their magnitudes."""
    x, places = drawn(5000, dtype=dtype), RANDOM.integers(0, 7, 5000)
    exact, sizes = np.zeros(7, np.longdouble), np.zeros(7, np.longdouble)
    np.add.at(exact, places, x)
    np.add.at(sizes, places, np.abs(x))
    ours = tc.zeros(7, dtype=dtype).at[tc.asarray(places)].add(tc.asarray(x))
    within(ours, exact, np.bincount(places) * np.finfo(dtype).eps * sizes)


@pytest.mark.parametrize("dtype", DTYPES)
def test_lerp(dtype):
    x, y, weight = (drawn(20_000, dtype=dtype) for _ in range(3))
    a, b, w = (v.astype(np.longdouble) for v in (x, y, weight))
    exact = a + w * (b - a)
    sizes = np.maximum(np.abs(a), np.abs(w * (b - a)))
    within(tc.lerp(*map(tc.asarray, (x, y, weight))), exact, 4 * np.finfo(dtype).eps * sizes)


@pytest.mark.parametrize("dtype", DTYPES)
def test_logcumsumexp(dtype):
    for spread in (1, 30, 600):
        x = (RANDOM.normal(size=(3, 2000)) * spread).astype(dtype)
        exact = np.logaddexp.accumulate(x.astype(np.longdouble), axis=1)
        within(tc.logcumsumexp(tc.asarray(x), axis=1), exact, 64 * np.finfo(dtype).eps * np.maximum(1, np.abs(exact)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_matrix_power(dtype):
    """Each product adds n e of |x|^power, and there are fewer than the power."""
    for n, power in ((1, 5), (3, 2), (8, 7), (20, 13), (33, 3)):
        x = (RANDOM.normal(size=(n, n)) / np.sqrt(n)).astype(dtype)
        wide = np.eye(n, dtype=np.longdouble)
        sizes = wide
        for _ in range(power):
            wide, sizes = wide @ x.astype(np.longdouble), sizes @ np.abs(x.astype(np.longdouble))
        within(tc.linalg.matrix_power(tc.asarray(x), power), wide, power * n * np.finfo(dtype).eps * sizes)


@pytest.mark.parametrize("dtype", DTYPES)
def test_roots(dtype):
    """Each is an eigenvalue of a matrix near the companion one."""
    for n in (1, 2, 5, 12, 25):
        p = drawn(n + 1, dtype=dtype)
        companion = np.diag(np.ones(n - 1), -1)
        companion[0] = -p[1:].astype(float) / float(p[0])
        for root in tc.roots(tc.asarray(p)).numpy():
            distance = np.linalg.svd(companion - root * np.eye(n), compute_uv=False)[-1]
            assert distance <= 30 * n * np.finfo(dtype).eps * np.linalg.norm(companion, 2)


@pytest.mark.parametrize("device", ["cpu:0", "sim:0", "reference"])
def test_products_that_overflow(device):
    """Their values depend on the order of the factors, which differs between devices."""
    of_zero = [1e30, -1e30, 1.0, -0.0, 255.5, 1e-8, -1.0]  # NaN if both large factors come before the zero, else 0
    too_large = [3e9, 1e-45, 1e30, 65504.0, 1e30, 2.5, 1e30]  # in any order
    x = tc.asarray(np.array([of_zero, too_large], np.float32)).to(device)
    for made in (tc.prod(x, axis=1), tc.prod(x.mT.copy(), axis=0)):
        zero, large = made.tolist()
        assert np.isnan(zero) or zero == 0
        assert large == np.inf
    assert tc.prod(tc.asarray(np.array([1e18, 2.0, 1e-18, -1e18], np.float32)).to(device)).item() == pytest.approx(-2e18, 1e-6)
