"""Special functions, by tests/accuracy's table of exact values; statistics and curves, by NumPy; SciPy where it is installed."""

import math
import warnings
from decimal import Decimal, localcontext

import numpy as np
import pytest

import tensorc as tc
from tensorc import special

R = np.random.default_rng(1)
A, B = R.normal(size=(5, 7)), R.normal(size=(40,))
EDGES = np.linspace(-2, 2, 9)


def test_gamma():
    x = np.array([-2.5, -1.5, -0.5, 0.5, 1, 5, 10.0])
    np.testing.assert_allclose(special.gamma(tc.asarray(x)).numpy(), [math.gamma(v) for v in x], rtol=1e-12)
    assert str(special.gamma(tc.asarray([-1.0, 0.0, -0.0, math.inf, math.nan])).tolist()) == "[nan, inf, -inf, inf, nan]"
    assert special.factorial(tc.arange(5)).tolist() == [1, 1, 2, 6, 24]
    # Rounded once, from f64: 25 units in the last place at 30 otherwise.
    single = np.array([1e-20, -1e-10, 30, -20.5, 34.9], "float32")
    exact = [math.gamma(v) for v in single.tolist()]
    y = special.gamma(tc.asarray(single))
    assert str(y.dtype) == "float32"
    np.testing.assert_allclose(y.numpy(), exact, rtol=1.2e-7)
    assert special.factorial(tc.asarray([20.0, 33.0])).tolist() == [float(np.float32(math.factorial(n))) for n in (20, 33)]
    assert special.factorial(-1).item() == 0


ONE = ["erf", "erfc", "erfcx", "erfinv", "ndtr", "log_ndtr", "ndtri", "gammaln", "psi", "i0", "i0e", "i1", "i1e", "sinc", "entr", "logit", "expit"]
MORE = {"gammainc": 2, "gammaincc": 2, "betainc": 3, "xlogy": 2, "xlog1py": 2, "zeta": 2, "polygamma": 2}


@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_number(name):
    judge = pytest.importorskip("scipy.special")
    x = R.uniform(0.01, 0.99, 50)
    expected = np.sinc(x) if name == "sinc" else getattr(judge, name)(x)
    np.testing.assert_allclose(getattr(special, name)(tc.asarray(x)).numpy(), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", MORE)
def test_functions_of_several(name):
    judge = pytest.importorskip("scipy.special")
    x = [R.uniform(0.1, 5, 50) for _ in range(MORE[name])]
    if name == "betainc":
        x[2] /= 5.1
    elif name == "zeta":
        x[0] += 1.1
    elif name == "polygamma":
        x[0] = np.floor(x[0])
    np.testing.assert_allclose(getattr(special, name)(*map(tc.asarray, x)).numpy(), getattr(judge, name)(*x), rtol=1e-11)


def test_betainc_of_large_parameters():
    a = [0.25, 0.25, 1.0, 0.5, 1e15, 0.5, 0.5]
    b = [1e10, 1e30, 1e30, 1e-300, 1e15, 1e300, 1e300]
    x = [1e-10, 1e-30, 1e-30, 1 - 1e-10, 0.5, 0.5, 1.0]
    # NaN: more terms than the kernel adds, and products that overflow.
    expected = [0.9320788679911595, 0.9320788679898911, 1 - math.exp(-1), 0, math.nan, math.nan, 1]
    y = special.betainc(*(tc.asarray(v, dtype="float64") for v in (a, b, x))).numpy()
    np.testing.assert_allclose(y, expected, rtol=1e-13)


def test_below_zero():
    judge = pytest.importorskip("scipy.special")
    q = np.concatenate([-R.uniform(0, 30, 40), [-1e-3, -2.5, -3.0, 0.0, -0.0, -np.inf, -1e4 - 0.25, np.nan]])
    for s in (1.0, 2.0, 3.0, 6.0, 2.5, 0.5):
        expected = np.where(np.isnan(q), np.nan, judge.zeta(s, q))  # SciPy has inf at s = 1 also of NaN.
        np.testing.assert_allclose(special.zeta(tc.asarray(s, dtype="float64"), tc.asarray(q)).numpy(), expected, rtol=1e-10, atol=1e-12)
    for n in (0, 1, 2, 5):
        expected = judge.polygamma(n, q) if n else judge.psi(q)
        np.testing.assert_allclose(special.polygamma(tc.asarray(float(n), dtype="float64"), tc.asarray(q)).numpy(), expected, rtol=1e-9, atol=1e-9)
    slope = tc.grad(lambda x: tc.sum(special.polygamma(tc.asarray(1.0, dtype="float64"), x)))(tc.asarray(q[:40])).numpy()
    np.testing.assert_allclose(slope, judge.polygamma(2, q[:40]), rtol=1e-9, atol=1e-9)


def test_powers_of_integers():
    for dtype in ("int8", "int32", "int64"):
        low = np.iinfo(dtype).min
        x, n = (a.ravel() for a in np.meshgrid([low, -3, -2, -1, 0, 1, 2, 3], [low, -4, -3, -1, 0, 1, 2, 5]))
        units = np.where(x == 1, 1, np.where(x == -1, 1 - 2 * (n & 1), 0))
        expected = np.where(n < 0, units, x.astype(dtype) ** np.where(n < 0, 0, n).astype(dtype)).astype(dtype)
        assert (tc.asarray(x.astype(dtype)) ** tc.asarray(n.astype(dtype))).tolist() == expected.tolist()
        assert (2 ** tc.asarray([-1, 3], dtype=dtype)).tolist() == [0, 8]
        with pytest.raises(ValueError, match="negative power"):
            tc.asarray([2], dtype=dtype) ** -1
    assert (tc.asarray([200], dtype="uint8") ** tc.asarray([3], dtype="uint8")).tolist() == [200**3 % 256]


def test_derivatives_by_shapes():
    judge = pytest.importorskip("scipy.special")
    rows = [(a, x) for a in (0.05, 0.5, 1.0, 3.0, 40.0, 1900.0, 2500.0, 1e5) for x in (a * 0.5, a * 0.99, a, a * 1.01, a * 2)]
    a, x = (np.array(v) for v in zip(*rows))
    mpmath = pytest.importorskip("mpmath")

    def slope(f, a):
        h = mpmath.mpf(10) ** -12 * a
        return float((f(a + h) - f(a - h)) / (2 * h))

    with mpmath.workdps(40):
        exact = [slope(lambda s: mpmath.gammainc(s, 0, float(x), regularized=True), mpmath.mpf(float(a))) for a, x in rows[:25]]
    for name, sign in (("gammainc", 1), ("gammaincc", -1)):
        ours = tc.grad(lambda s: tc.sum(getattr(special, name)(s, tc.asarray(x[:25]))))(tc.asarray(a[:25])).numpy()
        np.testing.assert_allclose(ours, sign * np.array(exact), rtol=3e-7, atol=1e-13)
    h = 1e-3 * np.sqrt(a)
    ours = tc.grad(lambda s: tc.sum(special.gammainc(s, tc.asarray(x))))(tc.asarray(a)).numpy()
    np.testing.assert_allclose(ours[25:], ((judge.gammainc(a + h, x) - judge.gammainc(a - h, x)) / (2 * h))[25:], atol=1e-7)
    # By both shapes, where the result is near 0 and where it is near 1; f32 as f64 rounded.
    rows = [(0.5, 2.0, 0.1), (3.0, 0.7, 0.9), (40.0, 30.0, 0.5), (2.0, 2.0, 0.999), (10.0, 1.0, 0.05)]
    with mpmath.workdps(40):
        of = lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True)
        exact = [[slope(lambda s: of(s, b, x), mpmath.mpf(a)), slope(lambda s: of(a, s, x), mpmath.mpf(b))] for a, b, x in rows]
    for dtype, bound in (("float64", 3e-7), ("float32", 1e-4)):
        a, b, x = (tc.asarray(v, dtype=dtype) for v in zip(*rows))
        ours = tc.grad(lambda a, b: tc.sum(special.betainc(a, b, x)), (0, 1))(a, b)
        np.testing.assert_allclose(np.array([g.numpy() for g in ours]).T, exact, rtol=bound)


def test_derivatives_that_are_refused():
    x = tc.asarray([2.0, 3.0])
    for name, parameter in (("zeta", "s"), ("polygamma", "n")):
        with pytest.raises(ValueError, match=rf"{name} has no derivative by {parameter}: stop_gradient\({parameter}\)"):
            tc.grad(lambda p: tc.sum(getattr(special, name)(p, x)))(x)
        kept = tc.grad(lambda p: tc.sum(getattr(special, name)(tc.stop_gradient(p), p)))(x)
        assert np.isfinite(kept.numpy()).all()


def test_derivatives_at_zero():
    zero = tc.asarray([0.0, 0.01, 0.5], dtype="float64")
    first = lambda f: lambda x: tc.sum(tc.grad(lambda x: tc.sum(f(x)))(x))
    x = zero.numpy()
    with np.errstate(all="ignore"):
        of_sinc = -((np.pi**2 * x**2 - 2) * np.sin(np.pi * x) + 2 * np.pi * x * np.cos(np.pi * x)) / (np.pi * x**3)
    of_sinc[:2] = -(np.pi**2) / 3 + np.pi**4 * x[:2] ** 2 / 10
    np.testing.assert_allclose(tc.grad(first(special.sinc))(zero).numpy(), of_sinc, rtol=1e-6)
    for name, values in (("i1", [0, 0.00375, 0.1941]), ("i1e", None)):
        second = tc.grad(first(getattr(special, name)))(zero).numpy()
        assert np.isfinite(second).all()
        if values:
            np.testing.assert_allclose(second, values, rtol=2e-3, atol=1e-9)
    z = tc.asarray([0j, 1 + 1j])
    np.testing.assert_allclose(tc.grad(lambda z: tc.sum(tc.angle(z)))(z).numpy(), [0, -0.5 + 0.5j], atol=1e-6)


def test_small_parameter_of_betainc():
    # mpmath's; the other part of I is nearly 1.
    for a, b, x, wanted in [(2, 1e-10, .9, 1.4025850929361837e-10), (.5, 1e-10, .9, 3.636892917643393e-10),
                            (3, 1e-8, .999, 5.409754638884402e-08), (100, .01, .985, 0.0010077063095824718)]:
        doubles = [tc.asarray(v, dtype=tc.float64) for v in (a, b, x)]
        assert abs(float(special.betainc(*doubles)) - wanted) <= 1e-13 * wanted, (a, b, x)
        singles = [v.astype(tc.float32) for v in doubles]
        wanted = special.betainc(*(v.astype(tc.float64) for v in singles))
        assert float(special.betainc(*singles)) == float(wanted.astype(tc.float32)), (a, b, x)


def test_digamma_beside_zero():
    x = tc.asarray(np.array([-1e-309, 1e-309, -1e-300, -1e-30]))
    np.testing.assert_array_equal(special.digamma(x), [np.inf, -np.inf, -1 / -1e-300, -1 / -1e-30])


def test_right_angles():
    y, x = np.array([1.0, -1.0, np.inf, 1e-300, -3.0]), np.array([-0.0, -0.0, -1.0, -0.0, -1e-300])
    np.testing.assert_array_equal(np.asarray(tc.atan2(tc.asarray(y), tc.asarray(x))), np.arctan2(y, x))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_logarithms_beside_the_unit_circle(dtype):
    angles = np.linspace(0, 7, 500)
    z = np.concatenate([np.exp(1j * angles), .99 * np.exp(1j * angles), [.6 + .8j, .7 + .7j, 1 + 1e-5j, -1, 1j, 1.9j]]).astype(dtype)
    near = ((z - 1) * .9).astype(dtype)

    def exact(w, shift):
        with localcontext() as context:
            context.prec = 60
            re, im = Decimal(float(w.real)) + shift, Decimal(float(w.imag))
            return float((re * re + im * im).ln() / 2)

    for found, shift, x in [(tc.log, 0, z), (tc.log1p, 1, near)]:
        found = np.asarray(found(tc.asarray(x))).real
        wanted = np.array([exact(w, shift) for w in x])
        errors = np.abs(found - wanted) / np.spacing(np.maximum(np.abs(wanted), np.finfo(dtype).tiny).astype(found.dtype))
        assert errors.max() <= 4, (x[errors.argmax()], errors.max())


def test_ends_of_betainc():
    judge = pytest.importorskip("scipy.special")
    a, b, x = (v.ravel() for v in np.meshgrid([0.0, 1, 2.5], [0.0, 1, 2.5], [0.0, 0.5, 1]))
    known = (a > 0) | (b > 0)
    for device in ("cpu", "reference"):
        with tc.device(device):
            ours = special.betainc(tc.asarray(a), tc.asarray(b), tc.asarray(x)).numpy()
        np.testing.assert_allclose(ours[known], judge.betainc(a, b, x)[known], rtol=1e-12)
        assert np.isnan(ours[~known]).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tail_of_silu(dtype):
    """As docs/numerics.md promises where sigmoid is subnormal."""
    places = np.linspace(*{"float32": (-105, -87.3), "float64": (-746, -708.4)}[dtype], 301).astype(dtype)
    exact = [Decimal(x).exp() * Decimal(x) for x in places.tolist()]
    slopes = [Decimal(x).exp() * (1 + Decimal(x)) for x in places.tolist()]
    x, step = tc.asarray(places), Decimal(float(np.finfo(dtype).smallest_subnormal))
    for ours, theirs in ((tc.nn.silu(x), exact), (tc.grad(lambda x: tc.sum(tc.nn.silu(x)))(x), slopes)):
        for at, got, want in zip(places.tolist(), ours.tolist(), theirs):
            assert abs(Decimal(got) - want) <= Decimal(1.1 * -at) * step, at


def test_promotion():
    assert special.erf(tc.asarray([1, 2])).dtype.name == "float32"
    assert special.xlogy(tc.asarray([1.0]), tc.asarray([2.0], dtype="float64")).dtype.name == "float64"
    assert special.i0(0.0).item() == 1


# What is computed, and the same with NumPy.
CURVES = {
    "median": (lambda x: tc.median(x, axis=1), lambda a: np.median(a, axis=1)),
    "median, all": (tc.median, np.median),
    "quantile": (lambda x: tc.quantile(x, tc.asarray([0.1, 0.5], dtype="float64"), axis=0), lambda a: np.quantile(a, [0.1, 0.5], axis=0)),
    "percentile": (lambda x: tc.percentile(x, 30.0, axis=-1, keepdims=True), lambda a: np.percentile(a, 30, axis=-1, keepdims=True)),
    "cov": (tc.cov, np.cov),
    "corrcoef": (tc.corrcoef, np.corrcoef),
    "trapezoid": (lambda x: tc.trapezoid(x, dx=0.5), lambda a: np.trapezoid(a, dx=0.5)),
    "trapezoid, axis 0": (lambda x: tc.trapezoid(x, tc.arange(5) ** 2, axis=0), lambda a: np.trapezoid(a, np.arange(5) ** 2, axis=0)),
    "histogram": (lambda x: tc.histogram(x, tc.asarray(EDGES))[0], lambda a: np.histogram(a, EDGES)[0]),
    "polyval": (lambda x: tc.polyval(tc.asarray([1.0, -2.0, 3.0], dtype="float64"), x), lambda a: np.polyval([1, -2, 3], a)),
    "interp": (lambda x: tc.interp(x, tc.asarray(EDGES), tc.asarray(EDGES**2)), lambda a: np.interp(a, EDGES, EDGES**2)),
    "segment_sum": (
        lambda x: tc.segment_sum(x, tc.asarray([0, 1, 0, 2, 9]), 3),
        lambda a: np.stack([a[0] + a[2], a[1], a[3]]),
    ),
}


@pytest.mark.parametrize("name", CURVES)
def test_as_numpy(name):
    ours, theirs = CURVES[name]
    np.testing.assert_allclose(ours(tc.asarray(A)).numpy(), theirs(A), rtol=1e-12, atol=1e-14)


def test_covariances_of_a_named_size():
    named = tc.jit(tc.cov, inputs=[tc.Input(tc.float32, (3, "n"))])
    for n in (0, 1, 2, 5):
        x = np.random.default_rng(n).normal(size=(3, n)).astype("float32")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.testing.assert_allclose(named(tc.asarray(x)).numpy(), np.cov(x), rtol=1e-4, atol=1e-6)


def test_covariances_without_degrees_of_freedom():
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for shape in ((0,), (1,), (6,), (1, 0), (1, 1), (1, 6), (3, 0), (3, 1), (3, 2), (3, 6), (0, 4)):
            a = R.normal(size=shape)
            x = tc.asarray(a)
            for correction in (0, 1, 2, 3, 9):
                np.testing.assert_allclose(tc.cov(x, correction=correction).numpy(), np.cov(a, ddof=correction), rtol=1e-12, atol=1e-14)
            np.testing.assert_allclose(tc.corrcoef(x).numpy(), np.corrcoef(a) if a.size else np.cov(a), rtol=1e-12)


@pytest.mark.parametrize("device", ["cpu", "sim:0", "reference"])
def test_products_that_overflow_in_some_orders(device):
    """-1e30 * 1e30 overflows, and so 0 times it is NaN; 0 times either of them is 0. The order is the device's."""
    x = tc.asarray([1e30, 3e9, -1e30, 1e-45, 1, 1e30, -0.0, 65504, 255.5, 1e30, 1e-8, 2.5, -1, 1e30], device=device).reshape((7, 2))
    first, again = tc.prod(x, axis=0).numpy(), tc.prod(x * 1, axis=0).numpy()
    assert first[0] in (0, -0.0) or np.isnan(first[0])
    assert first[1] == np.inf
    assert first.tobytes() == again.tobytes()
    assert tc.prod(tc.asarray([1e30, 1e30, 1e-45], device=device)).item() in (np.inf, np.float32(1e30) * np.float32(1e-45) * np.float32(1e30))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_segments(dtype):
    """Rows that belong nowhere count nowhere; an empty segment has what the operation begins with."""
    x = np.random.default_rng(3).integers(-4, 5, (60, 3)).astype(dtype)
    of = np.random.default_rng(4).integers(-2, 9, 60)
    inside = (of >= 0) & (of < 7) & (of != 5)
    of = np.where(of == 5, 7, of)
    ends = (np.iinfo(dtype).max, np.iinfo(dtype).min) if dtype == "int32" else (np.inf, -np.inf)
    for name, combine, first in (("sum", np.add, 0), ("prod", np.multiply, 1), ("min", np.minimum, ends[0]), ("max", np.maximum, ends[1])):
        expected = np.full((7, 3), first, dtype)
        combine.at(expected, of[inside], x[inside])
        made = getattr(tc, f"segment_{name}")(tc.asarray(x), tc.asarray(of), 7).numpy()
        np.testing.assert_array_equal(made, expected, err_msg=name)
        assert (made[5] == first).all() and made.dtype == dtype
        if dtype != "int32":
            x[of == 3, 1] = np.nan
            made = getattr(tc, f"segment_{name}")(tc.asarray(x), tc.asarray(of), 7).numpy()
            assert np.isnan(made[3, 1]) and not np.isnan(made[:3]).any()
            x[of == 3, 1] = 2


def test_points_of_interp():
    inf, nan = math.inf, math.nan
    x = [-inf, -5.0, -0.0, 0.5, 1.0, 1.5, 2.0, 7.0, inf, nan]
    points = [
        ([1, 1, 2], [0, 5, 6]), ([0, 1, 1, 2], [0, 5, 6, 7]), ([1, 2, 2], [0, 5, 6]), ([1, 1, 1], [3, 4, 5]), ([-inf, 0, inf], [1, 2, 3]),
        ([-inf, inf], [1, 1]), ([0, 1], [inf, 1]), ([0, 1, 2], [1, inf, inf]), ([0, 1, 2], [-inf, 1, inf]), ([0, 2], [nan, 1]), ([0, 2], [1, 3]),
    ]  # fmt: skip
    for xp, fp in points:
        xp, fp = np.array(xp, "float64"), np.array(fp, "float64")
        with np.errstate(all="ignore"):
            for values in (fp, fp + 1j * np.arange(len(fp)), np.arange(len(fp)) + 1j * fp):
                ours = tc.interp(tc.asarray(x, dtype="float64"), tc.asarray(xp), tc.asarray(values)).numpy()
                np.testing.assert_array_equal(ours.view("float64"), np.interp(x, xp, values).view("float64"), err_msg=f"{xp} {values}")
    assert tc.interp(tc.asarray([0.0, 1.0, 2.0]), tc.asarray([1.0]), tc.asarray([5.0])).tolist() == [5, 5, 5]
    # A line that is not taken leaves gradients alone; one that ends at x is that behind it.
    x, xp, fp = (tc.asarray(v, dtype="float64") for v in ([0.0, 1.0, 1.5, 2.0, 3.0, 4.0], [1.0, 1.0, 2.0, 3.0, 3.0], [0.0, 5.0, 6.0, 8.0, 9.0]))
    assert tc.grad(lambda v: tc.sum(tc.interp(v, xp, fp)))(x).tolist() == [0, 1, 1, 2, 0, 0]
    assert tc.grad(lambda v: tc.sum(tc.interp(x, xp, v)))(fp).tolist() == [1, 1.5, 1.5, 0, 2]


def test_counts():
    x = tc.asarray([0, 2, 2, 5])
    assert tc.bincount(x, length=4).tolist() == [1, 0, 2, 0]
    assert tc.bincount(x, length=4, weights=tc.asarray([1.0, 2.0, 3.0, 4.0])).tolist() == [1, 0, 5, 0]
    assert tc.unique(x, size=4, fill_value=-1).tolist() == [0, 2, 5, -1]
    assert np.isnan(tc.median(tc.asarray([1.0, math.nan])).numpy())
    for dtype in ("float16", "bfloat16", "float32", "float64", "int32", "uint8"):
        for shape, axis in (((0,), None), ((0, 3), 0), ((2, 0), None), ((2, 0), 1), ((0, 3), 1)):
            x = tc.zeros(shape, dtype=dtype)
            for f, theirs in ((tc.median, np.median), (tc.nanmedian, np.nanmedian)):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = theirs(np.zeros(shape), axis=axis)
                made = f(x, axis=axis)
                assert made.dtype == tc.median(tc.ones(1, dtype=dtype)).dtype and made.shape == np.shape(expected)
                assert np.isnan(made.astype("float64").numpy()).all()
    assert tc.median(tc.zeros((0, 2)), axis=0, keepdims=True).shape == (1, 2)
    ends = tc.asarray([-3e38, 3e38])
    assert tc.median(ends).item() == 0
    np.testing.assert_allclose(tc.quantile(ends, tc.asarray([0.0, 0.25, 0.9, 1.0])).numpy(), [-3e38, -1.5e38, 2.4e38, 3e38], rtol=1e-6)
    wide = tc.asarray([-1e308, 1.7e308], dtype="float64")
    np.testing.assert_allclose(tc.quantile(wide, 0.25).numpy(), -3.25e307, rtol=1e-14)
    for refused in (lambda: tc.histogram(x, 0), lambda: tc.histogram(x, A), lambda: tc.quantile(x, 0.5, axis=(0, 0)), lambda: tc.quantile(x, 0.5, method="mean")):
        with pytest.raises(ValueError):
            refused()


METHODS = ["linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
           "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"]  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_methods_of_quantiles(method):
    shares = np.linspace(0, 1, 21)
    for n in (1, 2, 5, 10):
        a = R.normal(size=(2, n))
        theirs = np.quantile(a, shares, axis=1, method=method)
        np.testing.assert_allclose(tc.quantile(tc.asarray(a), tc.asarray(shares), axis=1, method=method).numpy(), theirs, rtol=1e-12, atol=1e-14)
        theirs = np.percentile(a, np.arange(0, 101, 5), method=method)
        np.testing.assert_allclose(tc.percentile(tc.asarray(a), tc.arange(0, 101, 5), method=method).numpy(), theirs, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", METHODS)
def test_infinite_elements_of_quantiles(method, dtype):
    """By NumPy, except where it reads a line that the result is not on: an element's own place, and equal neighbours, are that element."""
    inf, nan = math.inf, math.nan
    drawn = np.random.default_rng(2).choice([-inf, -2.0, -0.0, 0.0, 1.0, inf], size=(6, 6))
    rows = [
        [-inf, 0, 1, 2, inf], [-inf, inf], [0, inf], [-inf, 0], [inf, inf], [-inf, -inf, inf, inf], [-inf] * 3, [inf], [-inf], [-0.0, inf],
        [2.5], [-inf, nan, inf], [nan],
    ]  # fmt: skip
    shares = np.array([0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])
    for row in [*rows, *drawn]:
        a = np.sort(np.array(row, dtype))
        n = len(a)
        with np.errstate(all="ignore"):
            expected = np.quantile(a, shares, method=method).astype(dtype)
        if not np.isnan(a).any():
            # The quantiles of 0 to n - 1 are the places themselves.
            places = np.quantile(np.arange(n, dtype="float64"), shares, method=method)
            low, high = np.floor(places).astype(int), np.ceil(places).astype(int)
            expected = np.where(a[low] == a[high], a[low], expected)
        x = tc.asarray(np.array(row, dtype))
        np.testing.assert_allclose(tc.quantile(x, tc.asarray(shares), method=method).numpy(), expected, rtol=1e-6, err_msg=f"{row}")
        if method == "linear":  # test_methods_of_quantiles compares percentiles by each method
            np.testing.assert_allclose(tc.percentile(x, tc.asarray(100 * shares)).numpy(), expected, rtol=1e-6, err_msg=f"{row}")
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(tc.median(x).numpy(), np.median(a), err_msg=f"{row}")
        for q, value in zip(shares[::3], expected[::3], strict=True):
            np.testing.assert_allclose(tc.quantile(x, float(q), method=method).numpy(), value, rtol=1e-6, err_msg=f"{row} {q}")
        if method in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation") and not np.isnan(a).any():
            ours = tc.quantile(tc.asarray(a), tc.asarray(shares), method=method).numpy()
            np.testing.assert_array_equal(np.signbit(ours), np.signbit(expected), err_msg=f"{row}")
    # What is not on a line has no part in a gradient.
    x = tc.asarray([-inf, 0.0, 1.0, 2.0, inf], dtype=dtype)
    assert tc.grad(lambda v: tc.quantile(v, 0.25, method=method))(x).tolist().count(0) >= 3
    assert tc.grad(lambda v: tc.quantile(v, 0.0, method=method))(x).tolist() == [1, 0, 0, 0, 0]


def test_refused_histograms():
    x = tc.asarray([0.5, 1.5, 2.5])
    bins = ([3, 2, 1], (0.0, 2.0, 1.0), np.array([1.0, 0.0]))
    for options in [*(dict(bins=b) for b in bins), *(dict(range=r) for r in ((3, 1), (0, math.inf), (math.nan, 1), (-math.inf, 0.0)))]:
        with pytest.raises(ValueError):
            np.histogram(x.numpy(), **options)
        with pytest.raises(ValueError, match="histogram: "):
            tc.histogram(x, **options)
    for options in (dict(bins=[1, 1, 2]), dict(bins=[0, math.inf]), dict(bins=np.array([0, 1, 3])), dict(range=(np.float32(0), 2))):
        assert tc.histogram(x, **options)[0].tolist() == np.histogram(x.numpy(), **options)[0].tolist()
    assert tc.histogram(x, range=(tc.asarray(0.0), 3))[0].tolist() == np.histogram(x.numpy(), range=(0, 3))[0].tolist()
    assert sum(tc.jit(lambda v: tc.histogram(v, [0, 1, 3])[0])(x).tolist()) == 3


def test_histograms():
    cases = [
        (B, dict()), (B, dict(bins=1)), (B, dict(bins=7, range=(-1, 1))), (B, dict(bins=5, density=True)), (A, dict(bins=3)),
        (np.full(4, 2.5), dict(bins=4)), (np.zeros(0), dict(bins=2)), (B, dict(bins=EDGES, density=True)), (B, dict(range=(3.0, 3.0))),
    ]  # fmt: skip
    for a, options in cases:
        counts, edges = tc.histogram(tc.asarray(a), **{k: tc.asarray(v) if k == "bins" and v is EDGES else v for k, v in options.items()})
        theirs = np.histogram(a, **options)
        np.testing.assert_allclose(counts.numpy(), theirs[0], rtol=1e-12, err_msg=str(options))
        np.testing.assert_allclose(edges.numpy(), theirs[1], rtol=1e-12, atol=1e-14)
    counts = tc.histogram(tc.asarray(B, dtype="float32", device="sim:0"), 4)[0]
    assert str(counts.device) == "sim:0" and counts.tolist() == np.histogram(B, 4)[0].tolist()


PARTS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, -2.5, 30.0, -30.0, math.inf, -math.inf, math.nan, math.pi / 2, 3 * math.pi / 4]
# Where annex G leaves the sign of a part open: a function and the parts of its argument -> the part of the result.
OPEN = {
    ("tanh", "inf", "inf"): "imag", ("tan", "inf", "inf"): "real", ("cos", "0.0", "nan"): "imag", ("sin", "0.0", "nan"): "real",
    ("cosh", "nan", "0.0"): "imag", ("sinh", "nan", "0.0"): "real", ("cosh", "0.0", "nan"): "imag", ("sinh", "0.0", "nan"): "real",
    ("cosh", "0.0", "inf"): "imag", ("sinh", "0.0", "inf"): "real", ("cos", "inf", "0.0"): "imag", ("sin", "inf", "0.0"): "imag",
}  # fmt: skip


@pytest.mark.parametrize("device", ["cpu:0", "sim:0"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_annex_g(dtype, device):
    """All special values of C99's tables, and signs of zeros on either side of the branch cuts; NumPy's are those of the C library."""

    def agree(a, b, is_open):
        if a == b:
            return is_open or np.signbit(a) == np.signbit(b)
        return (np.isnan(a) and np.isnan(b)) or abs(a - b) <= 1e-5 * max(abs(b), 1)

    z = np.empty((len(PARTS), len(PARTS)), dtype)
    z.real, z.imag = np.array(PARTS)[:, None], np.array(PARTS)
    for name in ("acos", "asin", "atan", "acosh", "asinh", "atanh", "cosh", "sinh", "tanh", "cos", "sin", "tan", "exp", "log", "sqrt"):
        with np.errstate(all="ignore"):
            theirs = getattr(np, name.replace("a", "arc", 1) if name[0] == "a" else name)(z)
        ours = getattr(tc, name)(tc.asarray(z, device=device)).cpu().numpy()
        for at in np.ndindex(z.shape):
            key = name, str(abs(z[at].real.item())), str(abs(z[at].imag.item()))
            both = name == "exp" and z[at].real == -math.inf and not math.isfinite(z[at].imag)
            for part in ("real", "imag"):
                got, want = getattr(ours[at], part), getattr(theirs[at], part)
                assert agree(got, want, both or OPEN.get(key) == part), (name, z[at], ours[at], theirs[at])


def test_linear_algebra():
    square, b = A[:, :5] + 3 * np.eye(5), B[:5]
    x = tc.asarray(square)
    for p in (None, 1, -1, 2, -2, np.inf, "fro"):
        np.testing.assert_allclose(tc.linalg.cond(x, p).numpy(), np.linalg.cond(square, p), rtol=1e-10)
    for matrix in (A, A.T, np.outer(B[:4], B[:3])):
        sides = B[: len(matrix)]
        np.testing.assert_allclose(tc.linalg.lstsq(matrix, sides)[0].numpy(), np.linalg.lstsq(matrix, sides)[0], atol=1e-10)
    for lower in (False, True):
        triangle = np.tril(square) if lower else np.triu(square)
        np.testing.assert_allclose(tc.linalg.solve_triangular(x, b, lower=lower).numpy(), np.linalg.solve(triangle, b), rtol=1e-10)
        np.testing.assert_allclose(
            tc.linalg.solve_triangular(x, b, lower=lower, trans=True).numpy(), np.linalg.solve(triangle.T, b), rtol=1e-10
        )
    dl, d, du = B[:5], B[5:10] + 4, B[10:15]
    full = np.diag(d) + np.diag(dl[1:], -1) + np.diag(du[:-1], 1)
    np.testing.assert_allclose(tc.linalg.tridiagonal_solve(dl, d, du, b).numpy(), np.linalg.solve(full, b), rtol=1e-10)


def test_conjugate_gradients():
    n = 30
    a = R.normal(size=(n, n))
    a = a @ a.T + n * np.eye(n)
    b = B[:n]
    x, iterations, residual = tc.linalg.cg(tc.asarray(a), tc.asarray(b), tol=1e-10)
    assert 5 < iterations.item() <= 2 * n
    np.testing.assert_allclose(x.numpy(), np.linalg.solve(a, b), rtol=1e-7, atol=1e-10)
    assert residual.item() <= 1e-9 * np.linalg.norm(b)
    # Of a function, with an inverse that is almost one.
    diagonal = tc.asarray(np.diag(a))
    again = tc.linalg.cg(lambda v: tc.asarray(a) @ v, tc.asarray(b), tol=1e-10, preconditioner=lambda v: v / diagonal)
    np.testing.assert_allclose(again.x.numpy(), x.numpy(), rtol=1e-7, atol=1e-10)
    # A grid: the Laplacian of what is not a vector.
    def laplacian(u):
        u = tc.pad(u, [(1, 1), (1, 1)])
        return 4 * u[1:-1, 1:-1] - u[:-2, 1:-1] - u[2:, 1:-1] - u[1:-1, :-2] - u[1:-1, 2:]

    u = tc.linalg.cg(laplacian, tc.ones((9, 9)), tol=1e-6)
    assert float(tc.max(tc.abs(laplacian(u.x) - 1))) < 1e-4
    assert tc.linalg.cg(tc.asarray(a), tc.asarray(b), maxiter=2).iterations.item() == 2
    assert tc.linalg.cg(tc.asarray(a), tc.zeros(n)).x.tolist() == [0] * n
    with pytest.raises(ValueError):
        tc.linalg.cg(tc.asarray(a), tc.ones((n, 1)))


@pytest.mark.parametrize("right", [False, True])
def test_edges_of_digitize(right):
    x = np.array([0.5, 1.0, 1.5, 2.5, 9.0])
    for edges in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [2.0]):
        wanted = np.digitize(x, edges, right).tolist()
        assert tc.digitize(tc.asarray(x), edges, right).tolist() == wanted
        assert tc.digitize(tc.asarray(x), tc.asarray(edges), right).tolist() == wanted
        assert tc.jit(lambda v, e: tc.digitize(v, e, right))(tc.asarray(x), tc.asarray(edges)).tolist() == wanted


@pytest.mark.parametrize("mode", ["valid", "same", "full"])
def test_correlations_of_any_lengths(mode):
    random = np.random.default_rng(0)
    for m in range(1, 7):
        for n in range(1, 7):
            for turn in (0, 1j):
                a, b = (random.normal(size=k) + turn * random.normal(size=k) for k in (m, n))
                np.testing.assert_allclose(tc.correlate(tc.asarray(a), tc.asarray(b), mode).numpy(), np.correlate(a, b, mode), atol=1e-12)


def test_zeta_near_the_smallest_numbers():
    """Sums of 3,000 terms and the rest's expansion, of 60 digits; mpmath's own zeta is off by 1e-9 there."""
    s, q = np.array([101.0, 102.0, 100.0, 50.0]), np.array([1000.5, 1000.5, 1100.0, 1e6])
    made = tc.special.zeta(tc.asarray(s), tc.asarray(q)).numpy()
    np.testing.assert_allclose(made, [9.995792955834113222e-303, 9.8967414264621036337e-306, 8.4311825246925102169e-304, 2.0408663269472789115e-296], rtol=1e-13)
