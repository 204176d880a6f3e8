"""The default dtype, and dtypes where NumPy expects its own."""

import copy
import pickle
import sys
import threading

import numpy as np
import pytest

import tensorc as tc


@pytest.fixture
def doubles():
    with tc.default_dtype(tc.float64):
        yield


MADE = {
    "zeros": lambda: tc.zeros(2),
    "ones": lambda: tc.ones(2),
    "empty": lambda: tc.empty(2),
    "full": lambda: tc.full(2, 0.5),
    "eye": lambda: tc.eye(2),
    "linspace": lambda: tc.linspace(0, 1, 3),
    "arange": lambda: tc.arange(0.0, 2.0),
    "number": lambda: tc.asarray(0.1),
    "list": lambda: tc.asarray([0.1, 1]),
    "no elements": lambda: tc.asarray([]),
    "uniform": lambda: tc.random.uniform(tc.random.key(0), (2,)),
    "normal": lambda: tc.random.normal(tc.random.key(0), (2,)),
    "gamma": lambda: tc.random.gamma(tc.random.key(0), 2.0, (2,)),
    "fftfreq": lambda: tc.fft.fftfreq(4),
    "window": lambda: tc.signal.window("hann", 4),
    "one_hot": lambda: tc.one_hot(tc.arange(2), 2),
    "quotient": lambda: tc.arange(3) / 2,
    "quotient of a number": lambda: 3 / tc.asarray([1, 2]),
    "divide": lambda: tc.divide(tc.arange(3), tc.asarray(7)),
    "integers and a float": lambda: tc.arange(3) * 0.1,
    "booleans and a float": lambda: tc.asarray([True]) + 0.5,
    "exp": lambda: tc.exp(tc.arange(3)),
    "mean": lambda: tc.mean(tc.arange(3)),
    "where": lambda: tc.where(tc.asarray([True]), 0.1, 0.2),
    "weights": lambda: tc.nn.Linear(2, 2, key=tc.random.key(0)).weight,
    "initial weights": lambda: tc.nn.init.xavier_uniform(tc.random.key(0), (2, 2)),
    "angle": lambda: tc.angle(tc.asarray([1, -1])),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_default_dtype(name):
    assert MADE[name]().dtype == tc.float32
    with tc.default_dtype(tc.float64):
        made = MADE[name]()
        assert made.dtype == tc.float64
    if name in ("number", "list"):
        assert made.reshape(-1)[0].item() == 0.1
    assert MADE[name]().dtype == tc.float32


def test_default_dtype_of_complex_numbers(doubles):
    assert tc.asarray(1j).dtype == tc.complex128
    assert tc.asarray([1, 1j]).dtype == tc.complex128
    assert (tc.arange(3) * 1j).dtype == tc.complex128
    assert tc.full((), 1j).dtype == tc.complex128
    assert tc.fft.fft(tc.arange(4)).dtype == tc.complex128
    assert tc.result_type(tc.int8, 1j) == tc.complex128
    assert tc.result_type(tc.float32, 1j) == tc.complex64
    assert (tc.ones(2, dtype=tc.float32) * 1j).dtype == tc.complex64


def test_default_dtype_leaves_what_has_a_dtype(doubles):
    x = tc.ones(2, dtype=tc.float32)
    for y in (x * 0.1, x / 3, tc.exp(x), tc.mean(x), x + tc.arange(2), tc.zeros_like(x), tc.random.uniform(tc.random.key(0), dtype=tc.float32)):
        assert y.dtype == tc.float32
    assert tc.asarray([1, 2]).dtype == tc.int64
    assert tc.result_type(tc.int8, 0.5) == tc.float64
    info = tc.__array_namespace_info__().default_dtypes()
    assert info["real floating"] == tc.float64 and info["complex floating"] == tc.complex128


def test_set_default_dtype_is_of_all_threads():
    found = []

    def work():
        found.append(tc.zeros(1).dtype)

    def run():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    tc.set_default_dtype(tc.float64)
    try:
        assert tc.get_default_dtype() == tc.float64
        run()
        with tc.default_dtype("float32"):
            assert tc.zeros(1).dtype == tc.float32
            run()  # a scope is of its thread alone
    finally:
        tc.set_default_dtype(tc.float32)
    run()
    assert found == [tc.float64, tc.float64, tc.float32]


def test_scopes_of_the_default_dtype():
    scope = tc.default_dtype(float)
    with scope:
        with tc.default_dtype(tc.float32), scope:
            assert tc.zeros(1).dtype == tc.float64
        assert tc.zeros(1).dtype == tc.float64
    with pytest.raises(KeyError), scope:
        raise KeyError
    assert tc.get_default_dtype() == tc.float32


@pytest.mark.parametrize("dtype", [tc.float16, tc.int64, tc.complex128])
def test_default_dtypes_that_there_are_not(dtype):
    for call in (tc.set_default_dtype, lambda d: tc.default_dtype(d).__enter__()):
        with pytest.raises(ValueError, match="the default dtype is f32 or f64"):
            call(dtype)
    assert tc.get_default_dtype() == tc.float32


def test_traces_know_the_default_dtype():
    @tc.jit
    def half(x):
        return x / 2

    x = tc.arange(3)
    assert half(x).dtype == tc.float32
    with tc.default_dtype(tc.float64):
        assert half(x).dtype == tc.float64
    assert half(x).dtype == tc.float32 and half.traces == 2


@pytest.mark.parametrize("kind, dtype", [(float, "float64"), (int, "int64"), (bool, "bool"), (complex, "complex128")])
def test_types_of_python_are_numpy_s(kind, dtype):
    assert tc.asarray([1, 0], dtype=kind).dtype.name == dtype == np.dtype(kind).name
    assert tc.zeros(2, dtype=kind).dtype.name == dtype
    assert tc.ones(2).astype(kind).dtype.name == dtype
    assert tc.zeros(2, dtype=kind).dtype == kind


NUMPY = [d for d in tc._core.dtypes if d.name not in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4")]
MORE = [d for d in tc._core.dtypes if d not in NUMPY]


@pytest.mark.parametrize("dtype", NUMPY, ids=str)
def test_numpy_takes_dtypes(dtype):
    expected = np.dtype(dtype.name)
    assert np.dtype(dtype) is expected
    assert np.zeros(3, dtype=dtype).dtype == expected
    x = tc.zeros(3, dtype=dtype)
    assert np.arange(3).astype(x.dtype).dtype == expected
    assert np.dtype(x.dtype) == x.dtype and x.dtype == expected and x.dtype == expected.type
    assert x.dtype.itemsize == expected.itemsize and x.dtype.kind == expected.kind and x.dtype.type is expected.type
    assert np.result_type(x, np.float64) == np.result_type(expected, np.float64)
    assert np.result_type(x.dtype, x) == expected
    assert np.issubdtype(x.dtype, expected.type) and np.can_cast(x.dtype, expected)
    assert tc.asarray(np.zeros(2, dtype=x.dtype)).dtype == x.dtype == tc.zeros(2, dtype=expected).dtype


def test_dtypes_of_numpy_have_ranges():
    assert np.finfo(tc.float32).eps == tc.finfo(tc.float32).eps
    assert np.iinfo(tc.int8).max == 127


@pytest.mark.parametrize("dtype", MORE, ids=str)
def test_numpy_takes_dtypes_by_ml_dtypes(dtype):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    expected = np.dtype(getattr(ml_dtypes, dtype.name))
    assert np.dtype(dtype) == expected and np.zeros(3, dtype=dtype).dtype == expected
    assert dtype == expected and dtype.itemsize == expected.itemsize


@pytest.mark.parametrize("dtype", MORE, ids=str)
def test_dtypes_that_numpy_has_not(dtype, monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(TypeError, match=f"NumPy has no dtype for tensorc.{dtype.name}: install ml_dtypes"):
        np.dtype(dtype)
    with pytest.raises(TypeError, match="install ml_dtypes"):
        np.zeros(3, dtype=dtype)
    assert dtype != np.float32


@pytest.mark.parametrize("dtype", tc._core.dtypes, ids=str)
def test_pickled_dtypes(dtype):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(dtype, protocol)) is dtype
    assert copy.deepcopy({dtype: dtype}) == {dtype: dtype}
    x = tc.zeros(2, dtype=dtype) if dtype in NUMPY else tc.zeros(2).astype(dtype)
    y = pickle.loads(pickle.dumps(x))
    assert y.dtype == dtype and y.tobytes() == x.tobytes()
