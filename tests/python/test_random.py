"""Distributions: their distribution functions are NumPy's, and SciPy's where it is installed. Keys are fixed, so each statistic is one number."""

import math

import numpy as np
import pytest

import tensorc as tc

R = tc.random
KEY = R.key(3)
COUNT = 20_000

erf = np.vectorize(math.erf)
log_factorial = np.vectorize(lambda k: math.lgamma(k + 1))


def normal(x):
    return 0.5 * (1 + erf(x / np.sqrt(2)))


def truncated(low, high):
    return lambda x: (normal(x) - normal(low)) / (normal(high) - normal(low))


FLOATS = {
    "exponential": (lambda **o: R.exponential(KEY, COUNT, **o), lambda x: -np.expm1(-x)),
    "gumbel": (lambda **o: R.gumbel(KEY, COUNT, **o), lambda x: np.exp(-np.exp(-x))),
    "laplace": (lambda **o: R.laplace(KEY, COUNT, **o), lambda x: np.where(x < 0, np.exp(-abs(x)) / 2, 1 - np.exp(-abs(x)) / 2)),
    "logistic": (lambda **o: R.logistic(KEY, COUNT, **o), lambda x: 1 / (1 + np.exp(-x))),
    "cauchy": (lambda **o: R.cauchy(KEY, COUNT, **o), lambda x: 0.5 + np.arctan(x) / np.pi),
    "rayleigh": (lambda **o: R.rayleigh(KEY, 2.0, COUNT, **o), lambda x: -np.expm1(-x * x / 8)),
    "weibull": (lambda **o: R.weibull(KEY, 2.0, 1.5, COUNT, **o), lambda x: -np.expm1(-((x / 2) ** 1.5))),
    "pareto": (lambda **o: R.pareto(KEY, 2.0, COUNT, **o), lambda x: 1 - x**-2),
    "lognormal": (lambda **o: R.lognormal(KEY, 0.7, COUNT, **o), lambda x: normal(np.log(x) / 0.7)),
    "gamma(0.5)": (lambda **o: R.gamma(KEY, 0.5, COUNT, **o), lambda x: erf(np.sqrt(x))),
    "gamma(1)": (lambda **o: R.gamma(KEY, 1, COUNT, **o), lambda x: -np.expm1(-x)),
    "gamma(3)": (lambda **o: R.gamma(KEY, 3.0, COUNT, **o), lambda x: 1 - np.exp(-x) * (1 + x + x * x / 2)),
    "chisquare(4)": (lambda **o: R.chisquare(KEY, 4.0, COUNT, **o), lambda x: 1 - np.exp(-x / 2) * (1 + x / 2)),
    "beta(0.5, 1)": (lambda **o: R.beta(KEY, 0.5, 1.0, COUNT, **o), np.sqrt),
    "beta(2, 2)": (lambda **o: R.beta(KEY, 2.0, 2.0, COUNT, **o), lambda x: x * x * (3 - 2 * x)),
    "t(2)": (lambda **o: R.t(KEY, 2.0, COUNT, **o), lambda x: 0.5 + x / (2 * np.sqrt(2 + x * x))),
    "f(2, 4)": (lambda **o: R.f(KEY, 2.0, 4.0, COUNT, **o), lambda x: 1 - (1 + x / 2) ** -2.0),
    "truncated_normal(-1, 2)": (lambda **o: R.truncated_normal(KEY, -1.0, 2.0, COUNT, **o), truncated(-1, 2)),
    "truncated_normal(3, 4)": (lambda **o: R.truncated_normal(KEY, 3.0, 4.0, COUNT, **o), truncated(3, 4)),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FLOATS)
def test_floats(name, dtype):
    draw, cdf = FLOATS[name]
    x = draw(dtype=dtype)
    assert x.dtype.name == dtype and x.shape == (COUNT,)
    at = cdf(np.sort(x.numpy().astype(np.float64)))
    place = np.arange(COUNT) / COUNT
    # Kolmogorov and Smirnov's statistic: above 1.95 with a probability of 0.1 %.
    assert np.sqrt(COUNT) * max(np.max(at - place), np.max(place + 1 / COUNT - at)) < 1.95


def binomial(n, p):
    def mass(k):
        inside = (k >= 0) & (k <= n)
        k = np.where(inside, k, 0)
        return inside * np.exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + k * np.log(p) + (n - k) * np.log1p(-p))

    return lambda shape: R.binomial(KEY, n, p, shape), mass


def poisson(rate):
    return lambda shape: R.poisson(KEY, rate, shape), lambda k: np.exp(k * np.log(rate) - rate - log_factorial(k))


INTEGERS = {
    **{f"poisson({rate})": poisson(rate) for rate in (0.5, 3.0, 9.9, 10.0, 40.0, 3000.0)},
    **{f"binomial({n}, {p})": binomial(n, p) for n, p in ((1, 0.3), (20, 0.9), (100, 0.5), (1000, 0.02), (100_000, 0.3), (50, 0.21))},
    "geometric(0.2)": (lambda shape: R.geometric(KEY, 0.2, shape), lambda k: np.where(k > 0, 0.2 * 0.8 ** (k - 1.0), 0)),
    "randint(0, 6)": (lambda shape: R.randint(KEY, shape, 0, 6), lambda k: np.where(k < 6, 1 / 6, 0)),
    "categorical": (
        lambda shape: R.categorical(KEY, tc.log(tc.asarray([0.2, 0.5, 0.3])), shape=shape),
        lambda k: np.select([k == 0, k == 1, k == 2], [0.2, 0.5, 0.3]),
    ),
    "choice": (
        lambda shape: R.choice(KEY, 4, shape, p=tc.asarray([1.0, 2.0, 0.0, 5.0])),
        lambda k: np.select([k == 0, k == 1, k == 3], [0.125, 0.25, 0.625]),
    ),
}


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    draw, mass = INTEGERS[name]
    x = draw((COUNT,))
    assert x.dtype.name == "int64"
    x = x.numpy()
    expected = mass(np.arange(x.max() + 1000)) * COUNT
    assert abs(expected.sum() / COUNT - 1) < 1e-6 and np.all(expected[x] > 0)
    # Cells of at least 20 that were expected, and Pearson's statistic: beyond 3.1 deviations with a probability of 0.1 %.
    cells = np.minimum((np.cumsum(expected) / 20).astype(int), int(COUNT / 20) - 1)
    cells = np.unique(np.where(np.cumsum(expected) > COUNT - 20, cells.max() + 1, cells), return_inverse=True)[1]
    wanted, got = np.bincount(cells, expected), np.bincount(cells[x], minlength=cells.max() + 1)
    free = max(np.sum(wanted > 0) - 1, 1)
    statistic = np.sum(np.where(wanted > 0, (got - wanted) ** 2 / np.maximum(wanted, 1e-9), 0))
    # Wilson and Hilferty: the cube root is almost normal.
    assert ((statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free)) < 3.1


def test_vectors():
    counts = R.multinomial(KEY, tc.full((2000,), 30), tc.broadcast_to(tc.asarray([0.2, 0.5, 0.3, 0.0]), (2000, 4))).numpy()
    assert np.all(counts.sum(1) == 30) and np.all(counts >= 0) and np.all(counts[:, 3] == 0)
    np.testing.assert_allclose(counts.mean(0), [6, 15, 9, 0], atol=0.2)
    x = R.dirichlet(KEY, tc.asarray([0.5, 1.0, 3.0]), (5000,)).numpy()
    np.testing.assert_allclose(x.sum(1), 1, rtol=1e-6)
    np.testing.assert_allclose(x.mean(0), np.array([0.5, 1, 3]) / 4.5, atol=0.01)
    # So small that the numbers themselves would all be 0.
    np.testing.assert_allclose(R.dirichlet(KEY, tc.full((100, 3), 1e-4)).numpy().sum(1), 1, rtol=1e-6)
    cov = np.array([[2.0, 0.5], [0.5, 1.0]])
    x = R.multivariate_normal(KEY, tc.asarray([1.0, 2.0]), tc.asarray(cov), (20_000,)).numpy()
    np.testing.assert_allclose(x.mean(0), [1, 2], atol=0.03)
    np.testing.assert_allclose(np.cov(x.T), cov, atol=0.05)
    q = R.orthogonal(KEY, 4, (3,)).numpy()
    np.testing.assert_allclose(q @ q.transpose(0, 2, 1), np.broadcast_to(np.eye(4), (3, 4, 4)), atol=1e-5)
    assert sorted(R.choice(KEY, 10, (10,), replace=False).tolist()) == list(range(10))
    chosen = R.choice(KEY, tc.arange(10) * 2, (4,), replace=False, p=tc.ones(10)).tolist()
    assert len(set(chosen)) == 4 and all(x % 2 == 0 for x in chosen)
    assert set(R.rademacher(KEY, (100,)).tolist()) == {-1, 1}


def test_edges():
    inf, nan = math.inf, math.nan
    assert str(R.gamma(KEY, tc.asarray([0.0, -1.0, nan, inf, 1e-30])).tolist()) == "[0.0, nan, nan, inf, 0.0]"
    assert np.isfinite(R.loggamma(KEY, tc.full((100,), 1e-30)).numpy()).all()
    assert R.poisson(KEY, tc.asarray([0.0, -1.0, nan, inf])).tolist() == [0, -1, -1, 2**63 - 1]
    n, p = tc.asarray([0.0, 10, 10, 10, -1, 10, nan]), tc.asarray([0.5, 0, 1, nan, 0.5, 1.5, 0.5])
    assert R.binomial(KEY, n, p).tolist() == [0, 0, 10, -1, -1, -1, -1]
    n, p = tc.asarray([inf, 1e30, inf, inf, inf, inf, -inf]), tc.asarray([0.5, 0.5, 1e-30, 1, 0, nan, 0.5])
    assert R.binomial(KEY, n, p).tolist() == [2**63 - 1] * 4 + [0, -1, -1]
    assert R.binomial(KEY, inf, 0.7, dtype="int32").item() == R.poisson(KEY, inf, dtype="int32").item() == 2**31 - 1
    assert R.geometric(KEY, tc.asarray([0.0, 1.0, nan])).tolist() == [-1, 1, -1]
    assert np.isnan(R.truncated_normal(KEY, 2.0, 1.0).numpy())
    # Parameters that are none, and those at the end of what is one.
    for draw in (R.rayleigh, R.pareto, R.lognormal, R.gamma, R.loggamma, R.chisquare, R.t):
        assert np.isnan(draw(KEY, tc.asarray([-1.0, nan])).numpy()).all()
    for draw in (R.weibull, R.f, R.beta):
        assert np.isnan(draw(KEY, tc.asarray([-1.0, nan, 1.0]), tc.asarray([1.0, 1.0, -1.0])).numpy()).all()
    assert R.rayleigh(KEY, 0.0).item() == 0 and R.lognormal(KEY, 0.0).item() == 1 and R.pareto(KEY, inf).item() == 1
    assert R.beta(KEY, tc.asarray([0.0, inf]), tc.asarray([1.0, 1.0])).tolist() == [0, 1]
    assert R.chisquare(KEY, 0.0).item() == 0
    for dtype in ("int32", "uint8", "int8"):
        x = R.poisson(KEY, 3.0, (50,), dtype=dtype)
        assert x.dtype.name == dtype and x.tolist() == R.poisson(KEY, 3.0, (50,)).tolist()
    # Halves are rounded from f32; parameters broadcast to the shape, and say it without one.
    for dtype in ("float16", "bfloat16"):
        half = R.gamma(KEY, tc.asarray([0.5, 2.0, 9.0]), dtype=dtype)
        assert half.tolist() == tc.astype(R.gamma(KEY, tc.asarray([0.5, 2.0, 9.0])), dtype).tolist()
    assert R.beta(KEY, tc.ones((3, 1)), tc.ones(4)).shape == (3, 4) and R.f(KEY, tc.ones(4), 2.0, (3, 4)).shape == (3, 4)
    assert R.gamma(KEY, tc.ones((0, 3))).shape == (0, 3) and R.dirichlet(KEY, tc.ones(3), (2, 5)).shape == (2, 5, 3)
    for draw in (R.exponential, R.gumbel, R.cauchy):
        assert draw(KEY, (0, 3)).shape == (0, 3) and draw(KEY).shape == ()
        for dtype in ("float16", "bfloat16"):
            assert draw(KEY, (5,), dtype=dtype).dtype.name == dtype
    for refused in (
        lambda: R.exponential(KEY, (3,), dtype="int32"),
        lambda: R.poisson(KEY, 1.0, dtype="float32"),
        lambda: R.gamma(KEY, tc.ones(3), (4,)),
        lambda: R.choice(KEY, 3, (4,), replace=False),
        lambda: R.choice(KEY, 0, (4,)),
        lambda: R.choice(KEY, 3, p=tc.ones(2)),
        lambda: R.choice(KEY, 3, (2,), replace=False, p=[0, 1, 0]),
        lambda: R.choice(KEY, 3, p=[0.0, 2.0, -1.0]),
        lambda: R.choice(KEY, 3, p=[0.0, math.nan, 1.0]),
        lambda: R.choice(KEY, 2, p=[0.0, 0.0]),
        lambda: R.multinomial(KEY, 10, [0.5, 0.5, 0.5]),
        lambda: R.multinomial(KEY, 10, [0.5, -0.5, 1.0]),
        lambda: R.dirichlet(KEY, 1.0),
        lambda: R.gamma(tc.ones(2), 1.0),
        lambda: R.beta(KEY, tc.ones(3), tc.ones(4)),
        lambda: R.gamma(KEY, tc.asarray([1j])),
        lambda: R.categorical(KEY, tc.asarray([1, 2])),
        lambda: R.orthogonal(KEY, -1),
        lambda: R.multivariate_normal(KEY, tc.ones(2), tc.eye(3)),
    ):
        with pytest.raises(ValueError):
            refused()


def test_integers_of_all_bits():
    for dtype, low, high in [("int64", -(2**63), 2**63), ("uint64", 0, 2**64)]:
        x = R.randint(KEY, (COUNT,), low, high, dtype=dtype).numpy().astype(float)
        assert abs((x - low) / 2**64 - 0.5).max() > 0.499 and abs(((x - low) / 2**64).mean() - 0.5) < 0.01
    x = R.randint(KEY, (200,), 2**64 - 3, 2**64, dtype="uint64").tolist()
    assert set(x) == {2**64 - 3, 2**64 - 2, 2**64 - 1}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tails_of_the_normal_distribution(dtype):
    # Far out it is nearly exponential: by u = a (x - a) the density is e^-u (1 - u^2 / 2 a^2 + ...).
    for low in (30.0, 100.0):
        x = R.truncated_normal(KEY, low, low + 1, (COUNT,), dtype=dtype).numpy().astype(float)
        u = np.sort(low * (x - low))
        assert x.min() >= low and abs(-np.expm1(-u) - (np.arange(COUNT) + 0.5) / COUNT).max() < 0.01
        mirrored = R.truncated_normal(KEY, -low - 1, -low, (COUNT,), dtype=dtype).numpy()
        assert (mirrored == -x).all()
    # Where the distribution function has bits left, those numbers are its inverse's.
    x = np.sort(R.truncated_normal(KEY, 5.5, 7.0, (COUNT,), dtype=dtype).numpy().astype(float))
    q = np.vectorize(lambda x: math.erfc(x / math.sqrt(2)))
    assert abs((q(5.5) - q(x)) / (q(5.5) - q(7.0)) - (np.arange(COUNT) + 0.5) / COUNT).max() < 0.01
    assert R.truncated_normal(KEY, 1e30, math.inf, dtype=dtype).item() == np.dtype(dtype).type(1e30)


def test_the_last_event_takes_the_rest():
    for draw in (R.multinomial, tc.jit(R.multinomial)):
        x = draw(KEY, tc.full((500,), 100), tc.broadcast_to(tc.asarray([0.1, 0.2, 0.3]), (500, 3))).numpy()
        assert (x.sum(1) == 100).all()
        np.testing.assert_allclose(x.mean(0), [10, 20, 70], atol=0.5)


def test_gradients():
    def mean(draw):
        return float(tc.grad(lambda a: tc.mean(draw(a)))(tc.asarray(2.0)))

    assert abs(mean(lambda a: R.gamma(KEY, a, COUNT)) - 1) < 0.02
    assert abs(mean(lambda a: R.loggamma(KEY, a, COUNT)) - (math.pi**2 / 6 - 1)) < 0.02  # of digamma
    # Where the numbers are next to nothing, and where they are large: by the quantile's differences at the same probability.
    special = pytest.importorskip("scipy.special")
    for a in (0.01, 0.5, 3.0, 50.0, 1e6):
        x, slope = tc.value_and_grad(lambda a: tc.sum(R.loggamma(KEY, a, 1, dtype="float64")))(tc.asarray(a, dtype="float64"))
        p = special.gammainc(a, np.exp(float(x)))
        if 1e-8 < p < 1 - 1e-8:
            h = 1e-4 * a / np.sqrt(1 + a)
            up, down = np.log(special.gammaincinv(a + h, p)), np.log(special.gammaincinv(a - h, p))
            np.testing.assert_allclose(float(slope), (up - down) / (2 * h), rtol=1e-4)
    tiny = tc.grad(lambda a: tc.sum(R.loggamma(KEY, a, 50, dtype="float64")))(tc.asarray(1e-3, dtype="float64"))
    assert np.isfinite(float(tiny)) and float(tiny) > 0
    # Of a / (a + 3) by a.
    assert abs(mean(lambda a: R.beta(KEY, a, 3.0, COUNT)) - 3 / 25) < 0.01


def test_batches():
    alphas, keys = tc.asarray([0.5, 2.0]), R.split(KEY, 2)
    each = tc.vmap(lambda a: R.gamma(KEY, a, (3,)))(alphas)
    assert each.tolist() == [R.gamma(KEY, a, (3,)).tolist() for a in (0.5, 2.0)]
    assert tc.vmap(lambda key: R.poisson(key, 4.0, (3,)))(tc.stack(keys)).tolist() == [R.poisson(key, 4.0, (3,)).tolist() for key in keys]
    assert tc.jit(lambda key: R.binomial(key, 100, 0.3, (3,)))(KEY).tolist() == R.binomial(KEY, 100, 0.3, (3,)).tolist()


def test_symbolic_sizes():
    record = tc.jit(lambda key, a: R.gamma(key, a) + R.poisson(key, a), inputs=[tc.Input("uint32", (2,)), tc.Input("float32", ("n",))])
    for n in (1, 5, 300):
        a = tc.linspace(0.5, 20, n)
        assert record(KEY, a).tolist() == (R.gamma(KEY, a) + R.poisson(KEY, a)).tolist()


DRAWS = {
    "exponential": lambda key: R.exponential(key, (50,)),
    "gumbel": lambda key: R.gumbel(key, (50,), dtype="float64"),
    "logistic": lambda key: R.logistic(key, (50,)),
    "cauchy": lambda key: R.cauchy(key, (50,)),
    "gamma": lambda key: R.gamma(key, tc.linspace(0.1, 5, 50)),
    "t": lambda key: R.t(key, tc.linspace(0.5, 5, 50)),
    "poisson": lambda key: R.poisson(key, tc.linspace(1, 20, 50)),
    "binomial": lambda key: R.binomial(key, 30, tc.linspace(0, 1, 50)),
}


@pytest.mark.parametrize("name", DRAWS)
def test_every_device_draws_the_same(name):
    expected = DRAWS[name](R.key(3)).tolist()
    for device in ("reference", "sim:0"):
        with tc.device(device):
            x = DRAWS[name](R.key(3))
            assert x.tolist() == expected


def test_bernoulli_takes_the_shape_of_its_parameter():
    p = np.array([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]], np.float32)
    for given in (p, tc.asarray(p)):
        assert R.bernoulli(R.key(0), given).tolist() == (p == 1).tolist()
        assert R.bernoulli(R.key(0), given, (4, 2, 3)).tolist() == [(p == 1).tolist()] * 4
    assert tc.jit(lambda p: R.bernoulli(R.key(0), p))(tc.asarray(p)).tolist() == (p == 1).tolist()
    assert R.bernoulli(R.key(0)).shape == () and R.bernoulli(R.key(0), 0.5, (0, 2)).shape == (0, 2)
    mean = R.bernoulli(R.key(1), tc.asarray([0.2, 0.7]), (20000, 2)).numpy().mean(0)
    np.testing.assert_allclose(mean, [0.2, 0.7], atol=0.02)
    with pytest.raises(ValueError, match="broadcast"):
        R.bernoulli(R.key(0), tc.asarray(p), (2, 1))


def test_scipy():
    stats = pytest.importorskip("scipy.stats")
    for x, judge in (
        (R.gamma(KEY, 0.1, COUNT, dtype="float64"), stats.gamma(0.1)),
        (R.gamma(KEY, 50.0, COUNT), stats.gamma(50)),
        (R.beta(KEY, 0.5, 2.0, COUNT), stats.beta(0.5, 2)),
        (R.t(KEY, 3.0, COUNT), stats.t(3)),
        (R.f(KEY, 3.0, 5.0, COUNT), stats.f(3, 5)),
        (R.truncated_normal(KEY, -math.inf, -2.0, COUNT), stats.truncnorm(-np.inf, -2)),
        (R.chisquare(KEY, 0.7, COUNT, dtype="float64"), stats.chi2(0.7)),
        (R.weibull(KEY, 0.5, 3.0, COUNT, dtype="float64"), stats.weibull_min(3, scale=0.5)),
        (R.gumbel(KEY, COUNT, dtype="float64"), stats.gumbel_r()),
        (R.exponential(KEY, COUNT, dtype="float64"), stats.expon()),
        (R.lognormal(KEY, 1.5, COUNT, dtype="float64"), stats.lognorm(1.5)),
        (R.gamma(KEY, 1e5, COUNT, dtype="float64"), stats.gamma(1e5)),
        (R.gamma(KEY, 2.0, COUNT, dtype="bfloat16") * 1.0, None),
        (R.gamma(KEY, 2.0, COUNT, dtype="float16") * 1.0, None),
    ):
        x = x.numpy().astype(np.float64)
        if judge is None:  # rounded numbers: their moments, five deviations of a mean of gamma(2) wide
            assert abs(x.mean() - 2) < 0.05 and abs(x.var() - 2) < 0.2
        else:
            assert stats.kstest(x, judge.cdf).pvalue > 1e-3
