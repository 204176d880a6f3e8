"""What users of NumPy do without a thought: lists and NumPy's numbers as arguments, its functions of our arrays, its errors."""

from collections import OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest

import tensorc as tc

A = np.array([1.0, 4.0, 9.0])
X = tc.asarray(A)


@pytest.mark.parametrize("text", [
    "n.roll([1, 2, 3], 1)", "n.flip([1, 2, 3])", "n.swapaxes([[1, 2]], 0, 1)", "n.moveaxis([[1, 2]], 0, 1)", "n.expand_dims([1, 2], 0)",
    "n.matrix_transpose([[1, 2]])", "n.permute_dims([[1, 2]], (1, 0))", "n.broadcast_arrays([1], [1, 2])[0]",
    "n.zeros_like([1, 2])", "n.ones_like([1, 2])", "n.full_like([1], 3)", "n.linalg.norm([3.0, 4.0])", "n.isnan([1.0])",
    "n.add([1], [2])", "n.add(1, [2])", "n.equal([1], [1])", "n.maximum(1, 2)", "n.sign(-3)", "n.tile([1, 2], 2)",
    "n.take([5, 6], 1)", "n.mean([1, 2])", "n.astype(n.asarray([1, 2]), n.float32)", "n.arange(n.asarray([4])[0])",
])  # fmt: skip
def test_lists_are_arrays(text):
    made, expected = eval(text, {"n": tc}), eval(text, {"n": np})
    assert np.asarray(made).tolist() == np.asarray(expected).tolist()
    assert np.asarray(made).dtype.kind == np.asarray(expected).dtype.kind


def test_lists_that_numpy_refuses():
    assert tc.unstack([1, 2])[1].item() == 2 and tc.split([1, 2, 3, 4], 2)[1].tolist() == [3, 4]
    assert tc.topk([1, 3, 2], 2)[0].tolist() == [3, 2] and tc.where([True, False], [1, 2], [3, 4]).tolist() == [1, 4]


def test_numbers_of_numpy():
    two = np.ones((2, 3))
    x = tc.asarray(two)
    zero = np.int64(0)
    assert tc.sum(x, axis=zero).tolist() == x.sum(zero).tolist() == [2, 2, 2]
    assert tc.expand_dims(x, zero).shape == (1, 2, 3) and tc.flip(x, zero).shape == (2, 3) and tc.roll(x, np.int32(1), zero).shape == (2, 3)
    assert tc.arange(np.int64(4)).dtype == tc.int64 and tc.arange(np.float64(4)).dtype == tc.float32
    assert tc.concat([x, x], zero).shape == (4, 3) and tc.moveaxis(x, zero, np.int8(1)).shape == (3, 2)


UFUNCS = ["exp", "sqrt", "isnan", "arctan", "negative", "absolute", "logical_not", "square", "floor"]


@pytest.mark.parametrize("name", UFUNCS)
def test_functions_of_numpy_are_ours(name):
    made = getattr(np, name)(X)
    assert isinstance(made, tc.Array)
    np.testing.assert_allclose(made.numpy(), getattr(np, name)(A), rtol=1e-15)


def test_operators_with_arrays_of_numpy():
    b = np.array([2.0, 2.0, 2.0])
    for text in ("a + x", "a - x", "a * x", "a / x", "a // x", "a % x", "a ** x", "a > x", "a == x", "np.arctan2(a, x)", "np.maximum(a, x)",
                 "np.divide(a, x)", "np.divmod(a, x)[1]", "np.float64(2) / x", "np.float32(2) * x", "np.int64(2) - x", "np.add(x, 1)", "a @ x"):
        made, expected = eval(text, {"a": b, "x": X, "np": np}), eval(text, {"a": b, "x": A, "np": np})
        assert isinstance(made, tc.Array), text
        np.testing.assert_allclose(made.numpy(), expected, rtol=1e-15, err_msg=text)
    narrow = tc.ones(2)
    assert (np.float64(2) * narrow).dtype == (narrow * np.float64(2)).dtype == tc.float32
    assert tc.jit(np.sin)(tc.zeros(2)).tolist() == [0, 0]
    b += X  # NumPy's array takes the values
    assert isinstance(b, np.ndarray) and b.tolist() == [3, 6, 11]
    assert np.add.reduce(X) == 14 and np.frexp(X)[1].tolist() == [1, 3, 4]


def test_reductions_of_numpy():
    for name in ("sum", "mean", "max", "min", "std", "var", "prod", "any", "all", "argmax", "cumsum"):
        np.testing.assert_allclose(np.asarray(getattr(np, name)(X)), getattr(np, name)(A), err_msg=name)
    assert np.sum(X, dtype=np.float32).dtype == tc.float32
    out = np.zeros(())
    assert np.sum(X, out=out) is out and out == np.sum(X.numpy())


def test_methods():
    x = tc.asarray([[1.0, 2.0], [3.0, 4.0]])
    y = x.copy()
    y[0, 0] = 9
    assert x[0, 0].item() == 1 and x.trace().item() == 5 and x.diagonal().tolist() == [1, 4]
    y.fill(2)
    assert y.tolist() == [[2, 2], [2, 2]] and tc.asarray([1, 3]).searchsorted(2).item() == 1


def test_arrays_of_numpy_have_gradients():
    a = np.array([1.0, 2.0])
    assert tc.grad(lambda x: tc.sum(x * x))(a).tolist() == [2, 4]
    assert tc.grad(lambda p: tc.sum(p["w"] * p["n"]), 0)({"w": a, "n": 2})["w"].tolist() == [2, 2]
    assert tc.vmap(lambda x: x * 2)(a).tolist() == [2, 4]
    assert tc.jvp(lambda x: x * x, (a,), (np.ones(2),))[1].tolist() == [2, 4]
    assert tc.vjp(lambda x: x * x, a)[1](np.ones(2))[0].tolist() == [2, 4]
    total, parts = tc.scan(lambda c, x: (c + x, c), np.float64(0), a)
    assert total.item() == 3 and parts.tolist() == [0, 1]


def test_dicts_of_the_standard_library():
    x = tc.ones(2)
    made = tc.jit(lambda d: OrderedDict(b=d["a"] * 2))(OrderedDict(a=x))
    assert type(made) is OrderedDict and made["b"].tolist() == [2, 2]
    made = tc.grad(lambda d: tc.sum(d["a"]))(defaultdict(list, a=x))
    assert type(made) is defaultdict and made.default_factory is list and made["a"].tolist() == [1, 1]
    pair = namedtuple("Pair", "a b")
    assert tc.jit(lambda p: pair(p.b, p.a))(pair(x, 2 * x)).a.tolist() == [2, 2]


@pytest.mark.parametrize("text, error, says", [
    ("tc.asarray(None)", TypeError, "cannot make an array of NoneType"),
    ("tc.asarray([300], dtype='uint8')", OverflowError, "asarray: the number 300 is outside uint8"),
    ("tc.asarray([[1, -1]], dtype='uint64')", OverflowError, "asarray: the number -1 is outside uint64"),
    ("tc.take(tc.ones(3), 9)", IndexError, "take: the index 9 is outside of 3 elements"),
    ("tc.expand_dims(tc.ones(2), (0, -3))", ValueError, "expand_dims: an axis is named twice"),
    ("tc.add([1], 'a')", TypeError, "cannot make an array of str"),
    ("tc.isnan('a')", TypeError, "cannot make an array of str"),
    ("tc.random.seed(0)", AttributeError, "numbers are functions of a key"),
    ("tc.random.nothing", AttributeError, "no attribute 'nothing'$"),
])  # fmt: skip
def test_refusals(text, error, says):
    with pytest.raises(error, match=says):
        eval(text)


@pytest.mark.parametrize("text", ["a + b", "a * b", "a + True", "False + a", "True * a", "a * False", "n.add(a, b)", "n.multiply(a, b)", "n.add(a, True)"])
def test_sums_and_products_of_booleans(text):
    a, b = np.array([True, True, False, False]), np.array([True, False, True, False])
    made, expected = eval(text, {"n": tc, "a": tc.asarray(a), "b": tc.asarray(b)}), eval(text, {"n": np, "a": a, "b": b})
    assert made.dtype == tc.bool and made.tolist() == expected.tolist()


@pytest.mark.parametrize("text", ["a + 1", "1 - a", "a * 2", "a // 2", "a % 2", "a << 1", "a & 1", "3 | a", "n.add(a, 1)", "n.maximum(a, 2)", "n.where(a, a, 2)"])
def test_booleans_beside_an_integer(text):
    a = np.array([True, False])
    made, expected = eval(text, {"n": tc, "a": tc.asarray(a)}), eval(text, {"n": np, "a": a})
    assert made.dtype == tc.int64 and expected.dtype == np.int64 and made.tolist() == expected.tolist()
    assert (tc.asarray(a) + 1.5).dtype == tc.float32 and (tc.asarray(a) ** 2).dtype == tc.int64


@pytest.mark.parametrize("text", [
    "x + {}", "{} - x", "x & {}", "n.add(x, {})", "n.maximum(x, {})", "n.full(2, {}, dtype=x.dtype)", "n.asarray({}, dtype=x.dtype)",
    "n.asarray([[{}]], dtype=x.dtype)",
])  # fmt: skip
def test_integers_that_a_dtype_has_not(text):
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        info = np.iinfo(dtype)
        given = {"n": np, "x": np.zeros(2, dtype)}, {"n": tc, "x": tc.zeros(2, dtype=dtype)}
        for number in (info.min - 1, info.max + 1):
            for names in given:
                with pytest.raises(OverflowError):
                    eval(text.format(number), names)
        for number in (info.min, info.max):
            if "-" not in text:
                assert np.asarray(eval(text.format(number), given[1])).tolist() == eval(text.format(number), given[0]).tolist()


def test_an_integer_that_cannot_be_put():
    x = tc.zeros(2, dtype=tc.int8)
    with pytest.raises(OverflowError, match="the number 300 is outside int8  at .*test_habits"):
        x[0] = 300
    with pytest.raises(OverflowError):
        x.at[0].add(-129)
    assert x.tolist() == [0, 0]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_comparisons_with_any_integer(dtype):
    info = np.iinfo(dtype)
    a = np.array([info.min, 0, info.max], dtype)
    x = tc.asarray(a)
    for number in (-(2**63), -129, -1, 0, 127, 128, 255, 256, 2**31, 2**63 - 1, 2**63, 2**64 - 1):
        for text in ("x < n", "x <= n", "x == n", "x != n", "x > n", "x >= n", "n < x", "n >= x", "n == x"):
            assert eval(text, {"x": x, "n": number}).tolist() == eval(text, {"x": a, "n": number}).tolist(), (text, number)
        assert tc.less(x, number).tolist() == (a < number).tolist() and tc.isin(x, number).tolist() == (a == number).tolist()


def test_rounding_to_digits():
    x = tc.asarray([1.26, -3.14])
    np.testing.assert_allclose(round(x, 1), [1.3, -3.1])
    assert round(x).tolist() == [1, -3] and round(tc.asarray([1251, -49]), -2).tolist() == np.round(np.array([1251, -49]), -2).tolist()


@pytest.mark.parametrize("text", ["-b", "b - b", "b - True", "True - b", "n.negative(b)", "n.subtract(b, b)", "n.subtract(True, b)"])
def test_booleans_have_no_difference(text):
    for n in (np, tc):
        with pytest.raises(TypeError):
            eval(text, {"n": n, "b": n.asarray([True, False])})
    with pytest.raises(TypeError, match=r"subtract: .*x \^ y.*  at .*test_habits.py:\d+"):
        tc.asarray([True]) - tc.asarray([False])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", "float32", "float64"])
def test_comparisons_with_integers_beyond_64_bits(dtype):
    a = np.array([0, 1], dtype if dtype != "bool" else "int64")  # NumPy's booleans refuse such numbers
    x = tc.asarray([0, 1], dtype=dtype)
    for number in (2**70, -(2**70), 2**64, -(2**63) - 1):
        for text in ("x < n", "x <= n", "x == n", "x != n", "x > n", "x >= n", "n < x", "n >= x", "n == x"):
            assert eval(text, {"x": x, "n": number}).tolist() == eval(text, {"x": a, "n": number}).tolist(), (text, number)
        assert tc.less(x, number).tolist() == (a < number).tolist()
    with pytest.raises(OverflowError):
        tc.ones(2) < 2**1100  # noqa: B015


def test_dir_lists_public_names():
    for room in (tc.cuda, tc.fft, tc.linalg, tc.nn, tc.optim, tc.quantization, tc.random, tc.signal, tc.special, tc.tree):
        names = dir(room)
        assert names and sorted(room.__all__) == names and not [n for n in names if n.startswith("_") or n in ("as_dtype", "is_float", "math")]
        assert all(getattr(room, n).__module__.startswith("tensorc") for n in names if hasattr(getattr(room, n), "__module__"))


def test_cumulative_sums_from_the_end():
    a = np.array([[1, 2, 3], [4, 5, 6]])
    x = tc.asarray(a)
    assert tc.cumsum(x, 1, reverse=True).tolist() == a[:, ::-1].cumsum(1)[:, ::-1].tolist() == x.cumsum(1, reverse=True).tolist()
    assert tc.cumulative_sum(x, axis=0, exclusive=True).tolist() == [[0, 0, 0], [1, 2, 3]]
    assert tc.cumprod(x, reverse=True, exclusive=True).tolist() == [720, 360, 120, 30, 6, 1]
    assert x.cumsum(0, dtype="float32").dtype == tc.float32
    with pytest.raises(ValueError, match="include_initial"):
        tc.cumulative_sum(x, axis=0, include_initial=True, reverse=True)


def test_numbers_take_the_dtype_and_device_of_arrays():
    x = tc.asarray([0.0, 1.0], dtype=tc.float64)
    assert tc.interp(0.1, x, x).item() == 0.1 and tc.interp(x, [0, 0.1], [0.3, 0.7]).tolist() == np.interp([0, 1], [0, 0.1], [0.3, 0.7]).tolist()
    assert tc.isin(tc.asarray([0.1, 0.2], dtype=tc.float64), [0.1]).tolist() == [True, False]
    assert tc.isin(tc.asarray([0.1], dtype=tc.float64), 0.1).item() and not tc.isin(tc.asarray([0.1], dtype=tc.float64), 0.1, invert=True).item()
    assert abs(tc.special.gammainc(0.1, x + 1)[0].item() - 0.9758726562736726) < 1e-13  # SciPy's
    assert tc.special.gammainc(2.0, tc.asarray([3.0], dtype=tc.float16)).dtype == tc.float16
    elsewhere = x.to("sim:0")
    assert tc.interp(0.5, elsewhere, elsewhere).device == elsewhere.device
    # An integer that the dtype does not have has its own.
    assert tc.searchsorted(tc.asarray([0], dtype=tc.uint64), 0).item() == 0
    assert [tc.searchsorted(tc.asarray([1, 200], dtype=tc.uint8), v).item() for v in (-1, 7, 300)] == [0, 1, 2]
    assert tc.jit(lambda v: tc.searchsorted(v, 1))(x).item() == 1


@pytest.mark.parametrize("text", [
    "n.max(x, initial=5.0)", "n.min(x, axis=0, initial=0.5)", "n.max(x, axis=1, initial=-1.0, where=x < 3)", "n.min(x, initial=9.0, where=[True, False, True])",
    "n.max(x[:0], axis=0, initial=2.0)", "n.max(x, axis=1, keepdims=True, initial=3.5, where=x > 100)", "n.max(n.asarray([1, 2]), initial=7)",
    "n.interp(n.asarray([-1.0, 0.0, 1.5, 2.0, 9.0]), n.asarray([0.0, 2.0]), n.asarray([1.0, 3.0]), left=-7.0, right=8.0)",
    "n.interp(n.asarray([-1.0, 9.0]), n.asarray([0.0, 2.0]), n.asarray([1.0, 3.0]), right=0)", "n.cov(x, rowvar=False)", "n.cov(x[:, :1], rowvar=False)",
    "n.corrcoef(x, rowvar=False)",
])  # fmt: skip
def test_arguments_of_numpy(text):
    x = np.array([[1.0, 4.0, 2.5], [3.0, 2.0, 6.0]])
    made, expected = eval(text, {"n": tc, "x": tc.asarray(x)}), eval(text, {"n": np, "x": x})
    assert made.shape == np.shape(expected)
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-6)


def test_scan_without_arrays():
    double = tc.scan(lambda s, x: (s * 2, s), tc.asarray(1), None, 4)
    assert double[0].item() == 16 and double[1].tolist() == [1, 2, 4, 8]
    assert tc.scan(lambda s, x: (s + x, s), tc.asarray(0), tc.arange(3), length=3)[0].item() == 3
    assert tc.scan(lambda s, x: (s + 1, s), tc.asarray(0), length=5, segment=2)[0].item() == 5
    with pytest.raises(ValueError, match="the length is 2, and the arrays have 3 parts"):
        tc.scan(lambda s, x: (s, s), tc.asarray(0), tc.arange(3), length=2)
    with pytest.raises(ValueError, match="nothing to scan"):
        tc.scan(lambda s, x: (s, s), tc.asarray(0))


def test_starts_below_zero_count_from_the_end():
    x = tc.arange(6).reshape(2, 3)
    assert tc.dynamic_slice(x, (-1, -2), (1, 2)).tolist() == [[4, 5]] == tc.dynamic_slice(x, (tc.asarray(-1), tc.asarray(-2)), (1, 2)).tolist()
    assert tc.dynamic_update_slice(x, tc.asarray([[9]]), (-1, tc.asarray(-3))).tolist() == [[0, 1, 2], [9, 4, 5]]
    assert tc.dynamic_slice(x, (-9, tc.asarray(7)), (1, 2)).tolist() == [[1, 2]]


def test_what_host_data_cannot_become():
    for dtype in (tc.int32, tc.uint8, tc.int64):
        for data in ([np.nan, 1.0], np.array([1.0, np.nan], dtype=np.float32), np.array(np.nan)):
            with pytest.raises(ValueError, match="NaN is not an integer"):
                tc.asarray(data, dtype=dtype)
        with pytest.raises(OverflowError, match="infinity is not an integer"):
            tc.asarray(np.array([np.inf]), dtype=dtype)
    assert tc.asarray(np.array([1.5, -2.5]), dtype=tc.int32).tolist() == [1, -2] and tc.asarray(np.zeros((0, 2)), dtype=tc.int32).shape == (0, 2)
    x = tc.zeros(2)
    with pytest.raises(TypeError, match="a complex number is not an element of float32"):
        x[0] = 1j
    with pytest.raises(TypeError, match="an axis is an integer"):
        tc.sum(x, axis=1.0)
    with pytest.raises(TypeError, match="tc.linalg.trace"):
        tc.trace(tc.eye(2))


def test_data_that_is_converted_first():
    for dtype in (">f4", ">f8", ">i2", ">u8", ">c8"):
        data = np.arange(6).reshape(2, 3).astype(dtype)[:, ::-1]
        made = tc.asarray(data)
        assert made.dtype.name == data.dtype.newbyteorder("=").name and np.array_equal(made.numpy(), data)
        with pytest.raises(ValueError, match="bytes are of the other order"):
            tc.asarray(data, copy=False)
    assert tc.asarray([2**70, 1], dtype=tc.float32).tolist() == [2.0**70, 1] and tc.asarray(-(2**70), dtype=tc.float32).item() == -(2.0**70)
    for dtype in (None, tc.int64):
        with pytest.raises(OverflowError):
            tc.asarray([2**70], dtype=dtype)
    a, b = np.array([[True, False], [False, False]]), np.array([[False, True], [True, True]])
    assert (tc.asarray(a) @ tc.asarray(b)).tolist() == (a @ b).tolist() and tc.matmul(tc.asarray(b), tc.asarray(a[0])).tolist() == (b @ a[0]).tolist()
    assert (tc.asarray(a) @ tc.asarray(b)).dtype == tc.bool


@pytest.mark.parametrize("exponent, op", [(2, "mul"), (2.0, "mul"), (-1, "div"), (-1.0, "div")])
def test_squares_and_inverses_are_no_powers(exponent, op):
    values = np.array([0.0, -0.0, 1.5, -3.0, np.inf, -np.inf, np.nan, 1e30, 1e-30], dtype=np.float32)
    x = tc.asarray(values)
    for f in (lambda v: v**exponent, lambda v: tc.pow(v, exponent)):
        (kernel,) = tc.explain(f, x).kernels
        assert op in str(kernel) and "pow" not in str(kernel)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(tc.jit(f)(x).numpy(), values**exponent)
        np.testing.assert_array_equal(tc.jit(f)(x).numpy(), tc.pow(x, tc.asarray(float(exponent))).numpy())
    slope = tc.grad(lambda v: (v**exponent).sum())(tc.asarray([2.0]))
    assert slope.item() == (4.0 if exponent == 2 else -0.25)


@pytest.mark.parametrize("exponent", [3, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_powers_are_products(exponent, dtype):
    values = np.concatenate([np.linspace(-3, 3, 1001), [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, 1e-30, -1e-12]]).astype(dtype)
    (kernel,) = tc.explain(lambda v: v**exponent, tc.asarray(values)).kernels
    assert "pow" not in str(kernel)
    found = tc.jit(lambda v: v**exponent)(tc.asarray(values)).numpy()
    with np.errstate(all="ignore"):
        expected = (values.astype(np.longdouble) ** exponent).astype(dtype)
        close = np.abs(found - expected) <= 2 * np.spacing(np.abs(expected))
    assert ((found == expected) | close | (np.isnan(found) & np.isnan(expected))).all()
    assert (np.signbit(found) == np.signbit(expected))[~np.isnan(expected)].all()
    (kernel,) = tc.explain(lambda v: v**exponent, tc.ones(4, dtype=tc.float16)).kernels
    assert "pow" in str(kernel)


def test_edges_of_indices_and_extrema():
    assert tc.ones((2, 3))[..., False].shape == (2, 3, 0) and tc.asarray(1.0)[..., False].shape == (0,) and tc.ones((2, 3))[..., True, 0].shape == (2, 1)
    for dtype in (np.int8, np.int32, np.uint64):
        assert tc.dynamic_slice(tc.arange(200), [tc.asarray(dtype(3))], [2]).tolist() == [3, 4]
    assert tc.dynamic_slice(tc.arange(200), [tc.asarray(np.int8(-1))], [2]).tolist() == [198, 199]
    assert tc.max(tc.asarray([True, False]), initial=0).dtype == tc.bool
    assert tc.max(tc.asarray([2**40 + 1, 1]), initial=0.0).item() == 2**40 + 1
    assert tc.isin([0.1, 0.2], tc.asarray([0.1], dtype=tc.float64)).tolist() == [True, False]
    assert tc.isin(0.1, tc.asarray([0.1, 3.0], dtype=tc.float64)).item()


def test_lists_beside_arrays_have_their_digits():
    d, digits = tc.asarray([1 / 3, 2 / 3, 1.0], dtype=tc.float64), [1 / 3, 2 / 3, 1.0]
    assert tc.allclose(digits, d, rtol=1e-12) and tc.array_equal(digits, d) and tc.equal(digits, d).tolist() == [True] * 3
    assert tc.isclose(d, digits, rtol=1e-12, atol=0).tolist() == [True] * 3 == (d == digits).tolist()
    assert tc.histogram(d, [1 / 3, 0.5, 2 / 3])[0].tolist() == [1, 1] and tc.setdiff1d([1 / 3, 0.1], d).tolist() == [0.1]
    assert tc.insert(d, 1, 0.1).tolist() == [1 / 3, 0.1, 2 / 3, 1.0]
    a = np.array(digits)
    for name in ("dot", "vdot", "inner", "matmul", "hypot", "maximum", "add", "copysign", "heaviside"):
        assert np.abs(getattr(tc, name)(d, digits).numpy() - getattr(np, name)(a, digits)).max() < 1e-15, name
        assert np.abs(getattr(tc, name)(digits, d).numpy() - getattr(np, name)(digits, a)).max() < 1e-15, name
    assert tc.vstack([d, digits])[1].tolist() == digits and tc.average(d, weights=[0.1, 0.2, 0.7]).item() == pytest.approx(np.average(a, weights=[0.1, 0.2, 0.7]), 1e-15)
    assert tc.trapezoid(d, [0.1, 0.4, 0.8]).item() == pytest.approx(np.trapezoid(a, [0.1, 0.4, 0.8]), 1e-15)
    assert tc.gradient(d, [0.1, 0.4, 0.8]).tolist() == pytest.approx(np.gradient(a, [0.1, 0.4, 0.8]).tolist(), 1e-14)
    assert tc.linalg.solve(tc.eye(3, dtype=tc.float64), digits).tolist() == digits
    assert (d * digits).tolist() == (a * a).tolist() == (digits * d).tolist() and (d + (1, 2, 3)).tolist() == (a + [1, 2, 3]).tolist()


def test_lists_that_are_assigned_have_the_digits_of_the_array():
    for key in (slice(0, 2), np.array([True, True, False]), [0, 1], (Ellipsis, slice(0, 2))):
        d = tc.zeros(3, dtype=tc.float64)
        d[key] = [0.1, 0.7]
        assert d.tolist() == [0.1, 0.7, 0.0]
        assert tc.zeros(3, dtype=tc.float64).at[key].add([0.1, 0.7]).tolist() == [0.1, 0.7, 0.0]
    d = tc.zeros(3, dtype=tc.float64)
    d[...] = [0.1, 0.2, 0.3]
    assert d.tolist() == [0.1, 0.2, 0.3]
    tc.put_along_axis(d, tc.asarray([0]), 0.7, 0)
    assert d.tolist() == [0.7, 0.2, 0.3]
    c = tc.zeros(2, dtype=tc.complex128)
    c[[0]] = [0.1 + 0.7j]
    assert c.tolist() == [0.1 + 0.7j, 0]


def test_values_come_to_the_device_of_the_array():
    for key, value in ((slice(None), 5.0), (Ellipsis, [1, 2, 3]), ((), 3.0), (slice(0, 2), [7, 8]), (slice(0, 2), np.ones(2, "f4")), (True, 5)):
        s = tc.zeros(3).to("sim:0")
        expected = np.zeros(3)
        s[key] = value
        expected[key] = value
        assert s.device == tc.device("sim:0") and s.tolist() == expected.tolist(), key
    s = tc.asarray([1.0, 2.0, 3.0]).to("sim:0")
    for made in (s[[0, 2]], s[[True, False, True]], s[np.array([True, False, True])], s[True], s[False], tc.isin(s, [1.0]), tc.isin([1.0], s),
                 tc.setdiff1d(s, [1.0]), tc.insert(s, 1, 5.0), tc.max(s, initial=0, where=[True, False, False]), tc.take(s, [0, 1]),
                 tc.quantile(s, [0.5]), tc.average(s, weights=[1, 2, 3]), tc.trapezoid(s, [1, 2, 4]), tc.dot(s, [1, 2, 3]), tc.isclose(s, [1, 2, 3]),
                 s + np.ones(3, "f4"), s == [1, 2, 3]):  # fmt: skip
        assert made.device == s.device
        made.numpy()
