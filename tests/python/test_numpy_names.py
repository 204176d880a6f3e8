"""Functions of NumPy beyond the array API, each beside NumPy's own."""

import math
import warnings

import numpy as np
import pytest

import tensorc as tc

R = np.random.default_rng(3)
X = R.normal(size=(4, 6))
X[0, 1] = X[2] = X[3, 0] = np.nan
Y = R.normal(size=(3, 4, 5))
V = np.array([3.0, 1.0, 2.0, 1.0, -4.0])
N = np.array([5, 0, 3, 3, 7, 0])
E = np.array([np.nan, np.inf, -np.inf, 1.0, -0.0])


def both(function, *arrays):
    """A function of a module and arrays: by tensorc, with Arrays, and by NumPy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(np, *arrays)
    return function(tc, *(tc.asarray(a) for a in arrays)), expected


def same(made, expected, text, tolerance=1e-12):
    if isinstance(expected, (tuple, list)):
        assert isinstance(made, (tuple, list)) and len(made) == len(expected), text
        for m, e in zip(made, expected):
            same(m, e, text, tolerance)
        return
    if isinstance(expected, bool):
        assert made is expected, text
        return
    made, expected = np.asarray(made), np.asarray(expected)
    assert made.shape == expected.shape, (text, made.shape, expected.shape)
    assert made.dtype.kind == expected.dtype.kind or {made.dtype.kind, expected.dtype.kind} <= set("iu"), (text, made.dtype, expected.dtype)
    np.testing.assert_allclose(made, expected, rtol=tolerance, atol=tolerance, err_msg=text)


REDUCTIONS = [
    f"n.{name}(x{axis})"
    for name in ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanmedian")
    for axis in ("", ", 0", ", axis=1", ", axis=(0, 1)", ", axis=-1, keepdims=True")
]
MISSING = [
    *REDUCTIONS, "n.nanvar(x, ddof=1)", "n.nanstd(x, axis=0, ddof=1)", "n.nanquantile(x, 0.3, axis=0)",
    "n.nanquantile(x, [0.0, 0.25, 1.0], axis=1)", "n.nanquantile(x, [[0.1, 0.9]], axis=(0, 1))", "n.nanpercentile(x, 70, axis=0)",
    "n.nanpercentile(x, [10, 50])", "n.nanquantile(x, 0.4, axis=0, method='lower')", "n.nanquantile(x, 0.4, axis=0, method='hazen')",
    "n.nanquantile(x, 0.4, axis=0, method='closest_observation')", "n.nanquantile(x, 0.2, axis=1, keepdims=True)",
    "n.nancumsum(x)", "n.nancumsum(x, 0)", "n.nancumprod(x, axis=1)", "n.nanargmax(x[:2], axis=1)", "n.nanargmin(x[:2], axis=1)",
    "n.nanargmax(x)", "n.nan_to_num(x)", "n.fmax(x, 0.5)", "n.fmin(x, x[0])", "n.fmax(x[1], x[0])",
]  # fmt: skip


@pytest.mark.parametrize("text", MISSING)
def test_missing_values(text):
    for a in (X, X.astype(np.float32)):
        made, expected = both(lambda n, x: eval(text, {"n": n, "x": x}), a)
        same(made, expected, text, 1e-12 if a is X else 2e-6)


def test_missing_values_of_other_dtypes():
    for text in ("n.nansum(x)", "n.nanmax(x)", "n.nanmean(x)", "n.nanmedian(x)", "n.nancumsum(x)", "n.nanargmin(x)", "n.fmax(x, 2)"):
        made, expected = both(lambda n, x: eval(text, {"n": n, "x": x}), N)
        same(made, expected, text, 1e-6)
    z = np.array([1 + 2j, complex(np.nan, 1), complex(2, np.nan), -3j])
    for text in ("n.nansum(x)", "n.nanprod(x)", "n.nanmean(x)", "n.nanvar(x)", "n.nan_to_num(x)"):
        made, expected = both(lambda n, x: eval(text, {"n": n, "x": x}), z)
        same(made, expected, text)
    many = np.full(70000, 1.0, np.float16)
    many[::2] = np.nan
    assert tc.nanmean(tc.asarray(many)).item() == 1 and tc.nanmean(tc.asarray(many)).dtype == tc.float16


def test_infinities_as_numbers():
    for text in ("n.nan_to_num(x)", "n.nan_to_num(x, nan=7)", "n.nan_to_num(x, posinf=1, neginf=-1)", "n.nan_to_num(x, posinf=n.inf)"):
        for dtype in (np.float64, np.float32, np.float16):
            made, expected = both(lambda n, x: eval(text, {"n": n, "x": x}), E.astype(dtype))
            np.testing.assert_array_equal(made.numpy(), expected, err_msg=f"{text} {dtype}")


def test_gradients_of_missing_values():
    x = tc.asarray([1.0, math.nan, 4.0])
    for f, expected in ((tc.nansum, [1, 0, 1]), (tc.nanmean, [0.5, 0, 0.5]), (tc.nanvar, [-1.5, 0, 1.5]), (tc.nanmax, [0, 0, 1])):
        assert tc.grad(f)(x).tolist() == expected, f
    assert tc.vmap(tc.nanmean)(tc.asarray([[1.0, math.nan], [2.0, 4.0]])).tolist() == [1, 3]
    assert tc.jit(tc.nanmedian)(x).item() == 2.5


CURVES = [
    "n.gradient(v)", "n.gradient(v, 0.5)", "n.gradient(v, n.asarray([0.0, 1.0, 3.0, 4.0, 9.0]))", "n.gradient(y, axis=0)", "n.gradient(y)",
    "n.gradient(y, 1.0, 2.0, n.asarray([0.0, 1.0, 3.0, 4.0, 9.0]))", "n.gradient(y, 2.0, axis=(0, 2))",
    "n.average(v)", "n.average(v, weights=n.asarray([1.0, 2.0, 3.0, 4.0, 5.0]))", "n.average(y, axis=1, weights=n.asarray([1.0, 2.0, 3.0, 4.0]))",
    "n.average(y, axis=(0, 2))", "n.average(y, weights=y * y, axis=0)", "n.average(y, axis=0, weights=n.asarray([1, 2, 3]))",
    "n.vander(v)", "n.vander(v, 3)", "n.vander(v, 4, increasing=True)", "n.vander(k, 3)", "n.vander(v, 0)",
    "n.polyfit(n.arange(5) * 1.0, v, 2)", "n.ptp(y)", "n.ptp(k)", "n.ptp(y, axis=1)",
    "n.digitize(v, [-1.0, 1.0, 2.0])", "n.digitize(v, [-1.0, 1.0, 2.0], right=True)", "n.digitize(v, [2.0, 1.0, -1.0])",
    "n.digitize(v, [2.0, 1.0, -1.0], right=True)", "n.convolve(v, v)", "n.convolve(v, v[:2], 'same')", "n.correlate(v, v[:3], 'full')", "n.correlate(v, v[:3])",
    "n.convolve(v[:2], v, 'same')", "n.convolve(v, v[:2], 'valid')", "n.convolve(k, k[:2])",
    "n.bincount(k)", "n.bincount(k, minlength=12)", "n.bincount(k, n.arange(6) * 0.5)",
]  # fmt: skip


@pytest.mark.parametrize("text", CURVES)
def test_curves(text):
    made, expected = both(lambda n, v, y, k: eval(text, {"n": n, "v": v, "y": y, "k": k}), V, Y, N)
    same(made, expected, text, 1e-6 if "arange(5)" in text or "[1, 2, 3]" in text or "arange(6)" in text else 1e-9)


def test_sorts_of_each_kind():
    for kind in (None, "quicksort", "mergesort", "heapsort", "stable"):
        made = tc.sort(tc.asarray(X), axis=0, kind=kind), tc.argsort(tc.asarray(N), kind=kind), tc.asarray(V).sort(kind=kind)
        same(made, (np.sort(X, axis=0, kind=kind), np.argsort(N, kind="stable"), np.sort(V, kind=kind)), kind)
    for f in (tc.sort, tc.argsort, tc.Array.sort, tc.Array.argsort):
        with pytest.raises(ValueError, match="sort: kind must be .* not 'fast'"):
            f(tc.asarray(V), kind="fast")


def test_counts_of_bits_and_extracted_elements():
    for dtype in (np.int8, np.uint8, np.int32, np.uint64, np.int64):
        x = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1, 85], dtype)
        made = tc.bitwise_count(tc.asarray(x))
        assert made.dtype == tc.uint8 and made.tolist() == np.bitwise_count(x).tolist(), dtype
    same(tc.extract(tc.asarray(Y) > 0, tc.asarray(Y)), np.extract(Y > 0, Y), "extract")
    same(tc.extract([1, 0, 0, 2, 0, 0], tc.asarray(N)), np.extract([1, 0, 0, 2, 0, 0], N), "extract")
    for refused in (lambda: tc.extract([True] * 5, tc.arange(3)), lambda: tc.compress([0, 0, 1], tc.ones((3, 2)), axis=1)):
        with pytest.raises(IndexError, match="the condition is true at .*elements"):
            refused()
    assert tc.compress([True, False, True, False], tc.arange(3)).tolist() == [0, 2]


FORMULAS = [
    "n.sinc(v)", "n.sinc(y)", "n.i0(v)", "n.float_power(k, 0.5)", "n.unwrap(v * 2)", "n.unwrap(y * 9, axis=0)", "n.unwrap(y * 9, 4.0)",
    "n.unwrap(n.asarray([0, 5, 2, 11, -3]), period=8)", "n.unwrap(n.asarray([0, 5, 2, 11, -3]), period=7)", "n.unwrap(y[0] * 5, period=4.0, axis=0)",
    "n.unwrap(n.asarray([0.0, 2.7], dtype=n.float64), period=5)", "n.unwrap(y * 9, period=3)",
    "n.ediff1d(m)", "n.ediff1d(k, to_begin=[7, 8], to_end=9)", "n.matvec(y, m[0, :5])", "n.matvec(m, y[:, 0, :4] @ n.ones((4, 6)))", "n.vecmat(m[:4, 0], y)",
    "n.vecmat(m[:, 0] * 1j, m * 1j)", "n.array_equiv(v, v[None])", "n.array_equiv(v, 1)", "n.array_equiv(m, v)", "n.isreal(m)", "n.iscomplex(v * n.asarray([0, 1j, 0, 0, 1]))",
    "n.isreal(v * n.asarray([0, 1j, 0, 0, 1]))", "n.tril_indices_from(m, -1)", "n.triu_indices_from(m)", "n.diag_indices_from(m[:, :4])",
    "n.choose(k % 3, [k, k * 2, -k], mode='clip')", "n.choose(k - 4, [k, k * 2, -k], mode='wrap')", "n.choose(k, [1, 2, 3], mode='clip')",
    "n.piecewise(v, [v < 0, v > 1.5], [lambda x: -x, 7])", "n.piecewise(v, [v < 0, v > 1.5], [lambda x: -x, 7, lambda x: x * x])", "n.piecewise(k, [k > 3], [2.0, 1.5])",
    "n.linalg.multi_dot([m, m.T, m])", "n.linalg.multi_dot([m[0], m.T, m, y[0, 0, :4] @ n.ones((4, 6))])", "n.linalg.multi_dot([v, v])", "n.linalg.multi_dot([v[:4] , m])",
    "n.linalg.tensorsolve(n.reshape(n.eye(6) * 2 + 0.1, (2, 3, 6)), m[:2, :3])", "n.linalg.tensorsolve(n.reshape(n.eye(6) * 2 + 0.1, (6, 2, 3)), m[:2, :3], axes=[0])",
    "n.linalg.tensorinv(n.reshape(n.eye(6) * 2 + 0.1, (2, 3, 6)))", "n.linalg.tensorinv(n.reshape(n.eye(6) * 2 + 0.1, (6, 3, 2)), ind=1)",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas(text):
    m = R.normal(size=(4, 6))
    made, expected = both(lambda n, v, y, k, m: eval(text, {"n": n, "v": v, "y": y, "k": k, "m": m}), V, Y, N, m)
    same(made, expected, text, 1e-6 if "eye" in text or "ones" in text else 1e-9)


def test_gradients_and_refusals_of_formulas():
    assert tc.grad(tc.sinc)(tc.asarray(0.0)).item() == 0
    assert tc.grad(lambda x: tc.sum(tc.piecewise(x, [x < 0], [lambda v: -v, lambda v: v * v])))(tc.asarray([-3.0, 4.0])).tolist() == [-1, 8]
    assert tc.jit(tc.unwrap)(tc.asarray([0.0, 6.0])).shape == (2,)
    x = tc.ones((2, 3))
    for f in (
        lambda: tc.matvec(x[0], x), lambda: tc.vecmat(x, x[0]), lambda: tc.diag_indices_from(x), lambda: tc.tril_indices_from(x[0]),
        lambda: tc.choose(x, [x], mode="raise"), lambda: tc.piecewise(x, [x > 0], []), lambda: tc.linalg.multi_dot([x]),
        lambda: tc.linalg.multi_dot([x, x[0], x]), lambda: tc.linalg.tensorsolve(x, x), lambda: tc.linalg.tensorinv(x), lambda: tc.linalg.tensorinv(x, 0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"^[a-z_0-9]+: "):
            f()


def test_numbers_that_a_dtype_does_not_hold():
    n = np.array([1, 4, 9], np.uint8)
    u, i = tc.asarray(n), tc.asarray(n.astype(np.int8))
    for value in (300, -1, float("nan"), float("inf"), 1j, lambda v: 300):
        with pytest.raises((OverflowError, ValueError, TypeError)):
            tc.piecewise(u, [u > 3], [value])
        with pytest.raises((OverflowError, ValueError, TypeError)):
            np.piecewise(n, [n > 3], [value])
    for value in (2.5, 255, True, np.uint8(7), lambda v: v.astype(np.int32) * 100):
        assert tc.piecewise(u, [u > 3], [value]).tolist() == np.piecewise(n, [n > 3], [value]).tolist()
    assert tc.piecewise(tc.asarray([1.0, 4.0]), [[True, False]], [np.float64(2.5)]).tolist() == [2.5, 0]
    for x, value in ((u, [300]), (u, -1), (u, 2.5), (i, 128), (i, [1.0]), (tc.ones(2), 1j), (i, tc.ones(1))):
        with pytest.raises((OverflowError, TypeError)):
            tc.ediff1d(x, to_end=value)
        with pytest.raises((OverflowError, TypeError)):
            tc.ediff1d(x, to_begin=value)
    assert tc.ediff1d(u, to_end=[255], to_begin=u[:1]).tolist() == [1, 3, 5, 255]
    assert tc.ediff1d(tc.asarray([1.0, 3.0]), to_end=tc.asarray(7)).tolist() == [2, 7]


SETS = [
    "n.unique(v)", "n.unique(k, return_counts=True)", "n.unique(k, return_index=True, return_inverse=True, return_counts=True)",
    "n.unique(e)", "n.unique(n.concatenate([e, e]), return_inverse=True, return_counts=True)", "n.isin(k, [3, 5])",
    "n.isin(v, v[:2], invert=True)", "n.isin(k, n.zeros(0))", "n.isin(e, e)", "n.isin(k, [3.5, 3.0])", "n.intersect1d(k, [0, 3, 9])",
    "n.union1d(k, [9, 0])", "n.setdiff1d(k, [0, 7])", "n.setxor1d(k, [0, 9])", "n.isin(k > 2, n.asarray([True]))",
]  # fmt: skip


@pytest.mark.parametrize("text", SETS)
def test_sets(text):
    made, expected = both(lambda n, v, k, e: eval(text, {"n": n, "v": v, "k": k, "e": e}), V, N, E)
    same(made, expected, text)


STACKS = [
    "n.vstack([v, v])", "n.hstack([v, v])", "n.hstack([m, m])", "n.dstack([v, v])", "n.dstack([m, m])", "n.column_stack([v, v])",
    "n.column_stack([m, m[:, :1]])", "n.atleast_1d(n.asarray(3.0))", "n.atleast_2d(v, m)", "n.atleast_3d(v, m, y)",
    "n.block([[m, m], [m, m]])", "n.block([v, v])", "n.array_split(v, 3)", "n.array_split(m, [1, 2], 1)", "n.hsplit(m, 2)",
    "n.vsplit(m, [1])", "n.dsplit(y, [2])", "n.append(v, 9.0)", "n.append(m, m, axis=0)", "n.delete(v, 1)", "n.delete(v, [0, -1])",
    "n.delete(m, slice(0, 4, 2), axis=1)", "n.delete(m, [1], 0)", "n.delete(v, n.asarray([True, False, True, False, False]))",
    "n.insert(v, 1, 9.0)", "n.insert(v, 1, [7.0, 8.0])", "n.insert(v, [1, 3], [7.0, 8.0])", "n.insert(v, [2, 2, 0], [7.0, 8.0, 9.0])",
    "n.insert(m, 1, 5.0, axis=0)", "n.insert(m, 1, m[0], axis=0)", "n.insert(m, 2, m[:, 0], axis=1)", "n.insert(v, 5, 1.0)",
    "n.insert(m, [1], m[:, :1], axis=1)", "n.insert(v, slice(0, 4, 2), 1.5)", "n.insert(k, 1, 2.7)",
    "n.fliplr(m)", "n.flipud(m)", "n.rot90(m)", "n.rot90(m, 2)", "n.rot90(m, -1)", "n.rot90(y, 1, (1, 2))", "n.diagonal(m)",
    "n.diagonal(m, 1)", "n.diagonal(m, -1)", "n.diagonal(m, 9)", "n.diagonal(y, 1, 2, 0)", "n.diagflat(m)", "n.resize(v, (3, 4))",
    "n.resize(v, 2)", "n.rollaxis(y, 2)", "n.rollaxis(y, 0, 3)", "n.trim_zeros(n.asarray([0, 0, 1, 0, 2, 0]))",
    "n.trim_zeros(n.asarray([0, 0, 1, 0]), 'f')",
]  # fmt: skip


@pytest.mark.parametrize("text", STACKS)
def test_stacks(text):
    m = np.arange(12.0).reshape(3, 4)
    made, expected = both(lambda n, v, m, y, k: eval(text, {"n": n, "v": v, "m": m, "y": y, "k": k}), V, m, Y, N)
    same(made, expected, text)


PLACES = [
    "n.argwhere(k)", "n.flatnonzero(v > 1)", "n.array_equal(v, v)", "n.array_equal(v, v[:2])", "n.array_equal(e, e)",
    "n.array_equal(e, e, equal_nan=True)", "n.tri(3, 4, 1)", "n.identity(3)", "n.indices((2, 3))", "n.ix_([0, 2], [1, 3])",
    "n.logspace(0, 3, 4)", "n.geomspace(1, 1000, 4)", "n.geomspace(-1, -16, 5)", "n.lexsort((v, -v))", "n.lexsort((k, k % 2))",
    "n.unravel_index(n.asarray([0, 7, 11]), (3, 4))", "n.ravel_multi_index(([0, 2], [1, 3]), (3, 4))", "n.tril_indices(3)",
    "n.triu_indices(3, 1)", "n.diag_indices(3)", "n.compress([True, False, True], v)", "n.partition(v, 2)[2]",
    "n.fromfunction(lambda i, j: i * 10 + j, (2, 3))", "n.inner(v, v)", "n.vdot(v, v)", "n.inner(y, y[0])", "n.size(y)", "n.size(y, 1)",
]  # fmt: skip


@pytest.mark.parametrize("text", PLACES)
def test_places(text):
    made, expected = both(lambda n, v, y, k, e: eval(text, {"n": n, "v": v, "y": y, "k": k, "e": e}), V, Y, N, E)
    same(made, expected, text, 1e-6)


ELEMENTS = [
    "n.deg2rad(v)", "n.degrees(v)", "n.heaviside(e, 0.5)", "n.divmod(k, 3)", "n.divmod(v, 2.0)", "n.logaddexp2(v, 1.0)", "n.arctan2(v, 2.0)",
    "n.round(v * 0.377, 2)", "n.round(k * 17, -1)", "n.around(v)", "n.rint(v / 2)", "n.fix(v / 2)", "n.isposinf(e)", "n.isneginf(e)",
    "n.modf(v / 3)", "n.modf(e)", "n.select([v > 2, v > 0], [v, -v], 7.0)", "n.absolute(k)", "n.arcsin(v / 9)", "n.amax(v)",
    "n.cross(v[:3], v[1:4])", "n.hypot(k, k)", "n.hypot(k, 3)", "n.hypot(k, k > 1)", "n.arctan2(k, -2)", "n.arctan2(2, k)",
    "n.logaddexp(k, k)", "n.nextafter(k, 9) > k", "n.copysign(k, -1)", "n.copysign(2, v)", "n.hypot(3, 4)", "n.abs(k > 1)",
    "n.take(k, n.asarray([5, -7, 1, 0]), mode='wrap')", "n.take(k, n.asarray([5, -7, 1, 0]), mode='clip')",
    "n.take(k, -1, mode='clip')", "n.take(k, 9, mode='wrap')", "n.sinc(v + 0.5j)", "n.sinc(k * 0j)",
]  # fmt: skip


def test_modes_of_take():
    y = tc.asarray(Y)
    for axis in (0, 1, None):
        for mode in ("wrap", "clip"):
            expected = np.take(Y, [[9, -9], [0, -1]], axis=axis, mode=mode)
            np.testing.assert_array_equal(np.asarray(tc.take(y, [[9, -9], [0, -1]], axis, mode=mode)), expected)
    with pytest.raises(ValueError, match="mode is 'raise', 'wrap' or 'clip', not 'last'"):
        tc.take(y, 0, mode="last")
    with pytest.raises(IndexError, match="an axis of 0 elements has none to take"):
        tc.take(tc.zeros(0), [1], mode="wrap")


@pytest.mark.parametrize("text", ELEMENTS)
def test_elements(text):
    made, expected = both(lambda n, v, k, e: eval(text, {"n": n, "v": v, "k": k, "e": e}), V, N, E)
    same(made, expected, text, 1e-6)


def test_axes_and_dtypes_by_their_places():
    """As NumPy's users write them."""
    x = tc.asarray(Y)
    for name in ("sum", "prod", "max", "min", "mean", "std", "var", "all", "any", "median", "argmax", "sort", "argsort", "flip", "diff"):
        same(getattr(tc, name)(x, 1), getattr(np, name)(Y, 1), name)
    assert tc.zeros(2, tc.int8).dtype == tc.int8 and tc.full(2, 1, "float64").dtype == tc.float64 and tc.arange(0, 4, 2, tc.int8).dtype == tc.int8
    assert tc.stack([x, x], 1).shape == (3, 2, 4, 5) and tc.concatenate([x, x], 2).shape == (3, 4, 10) and tc.repeat(x, 2, 0).shape == (6, 4, 5)
    same(tc.quantile(x, [0.25, 0.75], 0), np.quantile(Y, [0.25, 0.75], 0), "quantile")
    same(tc.percentile(x, (25, 75)), np.percentile(Y, (25, 75)), "percentile")
    assert tc.quantile(x, 0.5, 1).shape == (3, 5) and tc.linspace(0, 1).shape == (50,) and tc.std(x, ddof=1).item() == pytest.approx(Y.std(ddof=1))


def test_places_are_set():
    x, a = tc.zeros((2, 3)), np.zeros((2, 3))
    tc.put_along_axis(x, tc.asarray([[2], [0]]), 5.0, 1)
    np.put_along_axis(a, np.array([[2], [0]]), 5.0, 1)
    assert x.tolist() == a.tolist()


@pytest.mark.parametrize("text, error, says", [
    ("tc.gradient(tc.ones(1))", ValueError, "gradient: needs two elements along axis 0, not .1."),
    ("tc.gradient(tc.ones(3), tc.ones(2))", ValueError, "gradient: 2 places for the axis 0 of .3."),
    ("tc.gradient(tc.ones((2, 2)), 1.0, 2.0, 3.0)", ValueError, "gradient: 3 distances for 2 axes"),
    ("tc.average(tc.ones((2, 3)), axis=0, weights=tc.ones(3))", ValueError, "average: weights of shape .3. are neither"),
    ("tc.polyfit(tc.ones(3), tc.ones(2), 1)", ValueError, "polyfit: values of shape .2."),
    ("tc.polyfit(tc.ones(3), tc.ones(3), -1)", ValueError, "polyfit: the degree -1"),
    ("tc.vander(tc.ones((2, 2)))", ValueError, "vander: needs a vector"),
    ("tc.bincount(tc.asarray([-1, 2]))", ValueError, "bincount: an element is below 0"),
    ("tc.nanmean(tc.ones(2), axis=3)", IndexError, "axis 3 is out of range for an array of 1 axes"),
    ("tc.isin(tc.asarray([1j]), tc.ones(1))", ValueError, "isin: no order of c64"),
    ("tc.delete(tc.ones(3), 5)", IndexError, "delete: the index 5 along an axis of 3"),
    ("tc.insert(tc.ones(3), 7, 1.0)", IndexError, "insert: the index 7 along an axis of 3"),
    ("tc.hsplit(tc.asarray(1.0), 2)", ValueError, "hsplit: of an array of rank 0"),
    ("tc.ravel_multi_index(([3], [0]), (3, 4))", ValueError, "ravel_multi_index: an index is outside of an axis of 3"),
    ("tc.select([True], [1, 2])", ValueError, "select: 1 conditions for 2 values"),
    ("tc.geomspace(-1, 4)", ValueError, "geomspace: from -1 to 4"),
    ("tc.unique(tc.ones(3), size=2, return_counts=True)", ValueError, "unique: with a size"),
])  # fmt: skip
def test_refusals(text, error, says):
    with pytest.raises(error, match=says):
        eval(text)


@pytest.mark.parametrize("shape, wrap", [((3, 3), False), ((5, 2), False), ((7, 2), True), ((2, 5), False), ((3, 3, 3), False), ((0, 3), False)])
@pytest.mark.parametrize("value", [7, [1, 2], [[1, 2], [3, 4]]], ids=str)
def test_fill_diagonal(shape, wrap, value):
    n, x = np.zeros(shape), tc.zeros(shape)
    np.fill_diagonal(n, value, wrap)
    former = x.copy()
    assert tc.fill_diagonal(x, value, wrap, inplace=False).tolist() == n.tolist() and not x.numpy().any()
    assert tc.fill_diagonal(x, value, wrap) is None
    assert x.tolist() == n.tolist() and not former.numpy().any()


def test_fill_diagonal_refused():
    with pytest.raises(ValueError, match="at least 2 axes"):
        tc.fill_diagonal(tc.zeros(3), 1)
    with pytest.raises(ValueError, match="all axes must have one size"):
        tc.fill_diagonal(tc.zeros((2, 2, 3)), 1)


ROWS = {
    "a number": lambda n, row: n.sum(row), "a row": lambda n, row: row * 2, "a shorter row": lambda n, row: row[:2],
    "a matrix": lambda n, row: n.outer(row, row[:2]), "branches": lambda n, row: row if float(row[0]) > 0 else -row,
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_apply_along_axis(name, axis):
    a = np.random.default_rng(0).normal(size=(3, 4, 2))[..., : 2 if axis != -1 else 2]
    made = tc.apply_along_axis(lambda row: ROWS[name](tc, row), axis, tc.asarray(a))
    expected = np.apply_along_axis(lambda row: ROWS[name](np, row), axis, a)
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-12)
    with pytest.raises(IndexError, match="axis 3"):
        tc.apply_along_axis(tc.sum, 3, tc.asarray(a))
    assert tc.apply_along_axis(lambda row, k, *, t: row * k + t, 0, tc.ones(2), 3, t=1).tolist() == [4, 4]
