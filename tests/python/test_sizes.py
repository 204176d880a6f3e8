"""Many sizes through one function: code for all of them is compiled once, beside that for the first."""

import warnings

import numpy as np
import pytest

import tensorc as tc

F = tc.nn.functional
random = np.random.default_rng(0)


def draw(*shape):
    return tc.asarray(random.normal(size=shape).astype(np.float32))


def places(below, count):
    return tc.asarray(random.integers(0, below, count))


weight, kernel, grouped = draw(16, 24), draw(8, 4, 3, 3), draw(8, 2, 3, 3)
# name -> (function, arguments of a size, whether its gradient is asked for: those of contractions compile for seconds).
# No size makes it a simpler function, as one that interpolate keeps.
CASES = {
    "softmax": (lambda x: tc.softmax(x, axis=-1), lambda n: [draw(n + 3, 2 * n + 1)], True),
    "mean": (lambda x: tc.mean(x * x, axis=-1), lambda n: [draw(n + 3, 2 * n + 1)], True),
    "var": (lambda x: tc.var(x, axis=0), lambda n: [draw(n + 3, 2 * n + 1)], True),
    "std": (lambda x: tc.std(x, axis=-1), lambda n: [draw(n + 3, 2 * n + 1)], True),
    "std of rows and columns": (lambda x: tc.std(x), lambda n: [draw(n + 1, 2 * n + 1)], True),
    "matmul": (lambda x: tc.matmul(x, weight), lambda n: [draw(n + 1, 16)], True),
    "conv": (lambda x: F.conv(x, kernel, padding=1), lambda n: [draw(2, 4, n + 3, n + 5)], True),
    "grouped conv": (lambda x: F.conv(x, grouped, padding=1, groups=2), lambda n: [draw(2, 4, n + 3, n + 5)], True),
    "interpolate": (lambda x: F.interpolate(x, (117, 120)), lambda n: [draw(2, 4, n + 3, n + 5)], True),
    "interpolate to": (lambda x, like: F.interpolate(x, like.shape), lambda n: [draw(2, 4, 3, 110), draw(n, n + 3)], False),
    "gather": (lambda x, i: tc.take(x, i, axis=0), lambda n: [draw(n + 3, 7), places(n, n + 2)], True),
    "attention": (lambda q, k: F.attention(q, k, k), lambda n: [draw(1, 2, n + 3, 16), draw(1, 2, 2 * n + 5, 16)], True),
    "sort": (lambda x: tc.sort(x, axis=-1), lambda n: [draw(3, n + 5)], True),
    "elementwise": (lambda x, y: tc.where(x > 0, x * y, tc.tanh(y)), lambda n: [draw(n + 3, n), draw(n + 3, 1)], True),
    "max": (lambda x: tc.max(x, axis=0), lambda n: [draw(n + 3, 2 * n + 1)], True),
    "cumulative_sum": (lambda x: tc.cumulative_sum(x, axis=-1), lambda n: [draw(3, n + 5)], True),
    "concat": (lambda x, y: tc.concat([x, y]), lambda n: [draw(n + 3, 7), draw(2 * n, 7)], True),
    "layer_norm": (lambda x: F.layer_norm(x), lambda n: [draw(n + 1, 2 * n + 1)], True),
}
ASKED = [(name, False) for name in CASES] + [(name, True) for name, (_, _, gradient) in CASES.items() if gradient]


@pytest.mark.parametrize("name, gradient", ASKED)
def test_compilations(name, gradient):
    f, arguments, _ = CASES[name]
    if gradient:
        wanted = tuple(i for i, x in enumerate(arguments(5)) if tc.isdtype(x.dtype, "real floating"))
        value, f = f, tc.grad(lambda *x: tc.sum(value(*x) ** 2), argnums=wanted)
    tc.reset_compile_stats()
    for n in range(5, 105):
        tc.eval(f(*arguments(n)))
    stats = tc.compile_stats()
    assert stats["compilations"] <= 2 and not stats["symbolic_failed"], stats


def test_a_named_size_takes_no_segment():
    sums = lambda xs: tc.scan(lambda s, x: (s + x, s), tc.asarray(0.0), xs, segment=2)  # noqa: E731
    with pytest.raises(ValueError, match="not quotients: leave out the `segment` of a scan over one"):
        tc.jit(sums, inputs=[tc.Input(tc.float32, ("n",))])


@pytest.mark.parametrize("name", ["median", "nanmedian", "nanquantile"])
def test_quantiles_of_a_named_size_of_0(name):
    def f(xp):
        if name == "nanquantile":
            return lambda x: xp.nanquantile(x, 0.3, axis=0)
        return lambda x: getattr(xp, name)(x, axis=0)

    program = tc.jit(f(tc), inputs=[tc.Input(tc.float32, ("n", 3))])
    for n in (0, 1, 2, 3, 8, 101, 0):
        x = random.normal(size=(n, 3)).astype(np.float32)
        if n > 2:
            x[1, 0] = np.nan
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = f(np)(x)
        np.testing.assert_allclose(np.asarray(program(tc.asarray(x))), expected, rtol=1e-6, atol=1e-6)


def test_quantile_of_a_named_size_of_0_is_refused():
    program = tc.jit(lambda x: tc.quantile(x, 0.3), inputs=[tc.Input(tc.float32, ("n",))])
    assert program(tc.asarray([1.0])).item() == 1
    with pytest.raises(ValueError):
        program(tc.zeros((0,))).item()
