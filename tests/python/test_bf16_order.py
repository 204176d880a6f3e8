"""The order in which products of bf16 are summed (docs/numerics.md), also in gradients and under vmap."""

import numpy as np
import pytest

import tensorc as tc

ml_dtypes = pytest.importorskip("ml_dtypes")
BF16 = ml_dtypes.bfloat16


def drawn(random, *shape):
    """bf16 whose products, and sums of products, need at most 53 bits: f64 then rounds once where f32 would."""
    return (random.normal(size=shape) * 2.0 ** random.integers(-4, 5, shape)).astype(BF16)


def fma(x, y, sums):
    return (np.outer(x, y).astype(np.float64) + sums).astype(np.float32)


def product(x, y, order):
    """x @ y in f32, by one chain of fused multiply-adds or by two in each 32 steps."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    steps = x.shape[1]
    sums = np.zeros((x.shape[0], y.shape[1]), np.float32)
    if order == "fma":
        for k in range(steps):
            sums = fma(x[:, k], y[k], sums)
        return sums
    for begin in range(0, steps, 32):
        chains = [np.zeros_like(sums), np.zeros_like(sums)]
        for k in range(begin, min(begin + 32, steps)):
            chains[k % 2] = fma(x[:, k], y[k], chains[k % 2])
        sums = sums + (chains[0] + chains[1])
    return sums


def same(ours, expected):
    ours = ours.astype("float32").numpy()
    assert ours.shape == expected.shape
    assert np.array_equal(ours.view(np.uint32), expected.view(np.uint32))


# Sizes differ, because compiled kernels are kept.
@pytest.mark.parametrize(("order", "rows", "steps", "columns"), [("fma", 41, 70, 50), ("chains", 40, 67, 49)])
def test_products_and_gradients(monkeypatch, order, rows, steps, columns):
    monkeypatch.setenv("TENSORC_BF16_ORDER", order)
    random = np.random.default_rng(0)
    x, w, g = drawn(random, rows, steps), drawn(random, steps, columns), drawn(random, rows, columns)
    assert not np.array_equal(product(x, w, "fma"), product(x, w, "chains"))
    same(tc.matmul(tc.asarray(x), tc.asarray(w)), product(x, w, order).astype(BF16).astype(np.float32))

    def loss(x, w):
        return tc.sum(tc.matmul(x, w).astype("float32") * tc.asarray(g).astype("float32"))

    dx, dw = tc.grad(loss, argnums=(0, 1))(tc.asarray(x), tc.asarray(w))
    same(dx, product(g, w.T, order).astype(BF16).astype(np.float32))
    same(dw, product(x.T, g, order).astype(BF16).astype(np.float32))


@pytest.mark.parametrize(("order", "steps"), [("fma", 72), ("chains", 69)])
def test_batches(monkeypatch, order, steps):
    monkeypatch.setenv("TENSORC_BF16_ORDER", order)
    random = np.random.default_rng(1)
    x, w = drawn(random, 3, 20, steps), drawn(random, 3, steps, 33)
    expected = np.stack([product(a, b, order) for a, b in zip(x, w)]).astype(BF16).astype(np.float32)
    same(tc.vmap(tc.matmul)(tc.asarray(x), tc.asarray(w)), expected)
    same(tc.matmul(tc.asarray(x), tc.asarray(w)), expected)


def test_steps_of_a_loop(monkeypatch):
    """A loop's kernels have the same order, forward and backward."""
    monkeypatch.setenv("TENSORC_BF16_ORDER", "chains")
    random = np.random.default_rng(2)
    w, h = drawn(random, 48, 48), drawn(random, 17, 48)

    def three(h, w):
        return tc.fori_loop(0, 3, lambda _, h: tc.clip(tc.matmul(h, w), -2.0, 2.0).astype(h.dtype), h)

    expected = h
    for _ in range(3):
        expected = np.clip(product(expected, w, "chains").astype(BF16), BF16(-2), BF16(2))
    same(three(tc.asarray(h), tc.asarray(w)), expected.astype(np.float32))


def test_another_name(monkeypatch):
    monkeypatch.setenv("TENSORC_BF16_ORDER", "pairs")
    x = tc.asarray(np.ones((21, 35), BF16))
    with pytest.raises(RuntimeError, match="TENSORC_BF16_ORDER=pairs: products of bf16 have the order fma or chains"):
        tc.matmul(x, x.T).numpy()
