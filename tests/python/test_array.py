"""The class Array: how it is made, read, indexed and computed with; NumPy is the judge."""

import copy
import gc
import json
import math
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree

import numpy as np
import pytest

import tensorc as tc

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]
SHAPES = [(), (0,), (1,), (7,), (2, 3), (3, 0, 2), (1, 1, 1), (2, 3, 5)]


def sample(shape, dtype):
    return (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_both_ways(dtype):
    for shape in SHAPES:
        a = sample(shape, dtype)
        x = tc.asarray(a)
        assert x.shape == shape and x.dtype.name == dtype and x.size == a.size and x.nbytes == a.nbytes
        for b in (np.asarray(x), x.numpy(), np.from_dlpack(x)):
            assert b.dtype == a.dtype and b.shape == shape
            np.testing.assert_array_equal(b, a)
        assert x.tolist() == a.tolist()


def test_strided_memory():
    a = np.arange(24, dtype=np.float32).reshape(4, 6)
    for view in (a[::-1], a[:, ::2], a.T, a[1:3, 4:1:-1], np.broadcast_to(a[0], (3, 6))):
        np.testing.assert_array_equal(tc.asarray(view).numpy(), view)
    misaligned = np.frombuffer(b"\0" + a.tobytes(), dtype=np.uint8)[1:].view(np.float32)
    np.testing.assert_array_equal(tc.asarray(misaligned).numpy(), a.ravel())


def test_copies_unless_told_otherwise():
    a = np.zeros(3, np.float32)
    x, shared = tc.asarray(a), tc.asarray(np.ones(3, np.float32), copy=False)
    y = x + 1
    a[:] = 9
    assert y.tolist() == [1, 1, 1] and shared.tolist() == [1, 1, 1]
    with pytest.raises(ValueError):
        tc.asarray([1, 2], copy=False)
    with pytest.raises(ValueError):
        tc.asarray(a, dtype=tc.float64, copy=False)
    with pytest.raises(ValueError):
        tc.asarray(x)[:].numpy()[0] = 1  # exports are read-only


def test_shared_memory_is_let_go():
    a = np.zeros(1 << 20, np.float32)
    alive = []
    class Owner(np.ndarray):
        def __del__(self):
            alive.append(False)
    view = a.view(Owner)
    x = tc.asarray(view, copy=False)
    y = (x + 1).eval()
    del view, x
    gc.collect()
    tc.ones(1).eval()
    assert y[0].item() == 1 and alive


def test_lists():
    assert tc.asarray([[1, 2], [3, 4]]).dtype == tc.int64
    assert tc.asarray([1, 2.5]).dtype == tc.float32 and tc.asarray([True, False]).dtype == tc.bool
    assert tc.asarray([1, True]).dtype == tc.int64 and tc.asarray([]).shape == (0,)
    assert tc.asarray([[], []]).shape == (2, 0)
    assert tc.asarray([2**63]).dtype == tc.uint64 and tc.asarray([2**63]).tolist() == [2**63]
    assert tc.asarray([0.1], dtype=tc.float64).tolist() == [0.1]
    assert tc.asarray([tc.ones(2), tc.zeros(2)]).shape == (2, 2)
    assert tc.asarray([np.float32(1), 2]).tolist() == [1, 2]
    for bad in ([[1], [1, 2]], [1, [2]], [[1], 2]):
        with pytest.raises(ValueError):
            tc.asarray(bad)
    loop = []
    loop.append(loop)
    with pytest.raises(ValueError):
        tc.asarray(loop)


@pytest.mark.parametrize("bad, error", [
    ("text", TypeError), (object(), TypeError), (np.array([object()]), TypeError), (np.array(["a"]), TypeError),
    (np.zeros(1, "M8[s]"), TypeError), (2**70, OverflowError), (None, TypeError),
    (b"abc", TypeError), ({1: 2}, TypeError), (np.zeros(1, [("a", "i4")]), TypeError),
])  # fmt: skip
def test_refused(bad, error):
    with pytest.raises(error):
        tc.asarray(bad)


def _recursive():
    loop = {}
    loop["loop"] = [loop]
    return loop


@pytest.mark.parametrize("call, error, text", [
    (lambda: tc.asarray([1.0, math.nan], dtype=tc.int32), ValueError, "NaN"),
    (lambda: tc.asarray(math.nan, dtype=tc.uint8), ValueError, "NaN"),
    (lambda: tc.asarray([[-math.inf]], dtype=tc.int64), OverflowError, "infinity"),
    (lambda: int(tc.asarray(math.nan)), ValueError, "NaN"),
    (lambda: int(tc.asarray(math.inf)), OverflowError, "infinity"),
    (lambda: tc.full((2,), math.nan, dtype=tc.int32), ValueError, "outside i32"),
    (lambda: tc.ones(2) + 2**70, OverflowError, "too big"),
    (lambda: tc.ones(2) - -(2**70), OverflowError, "too small"),
    (lambda: tc.ones(2, dtype=tc.int8) + 300, OverflowError, "300 is outside int8"),
    (lambda: tc.asarray([2**70]), OverflowError, "too big"),
    (lambda: tc.zeros((2**70,)), OverflowError, "too big"),
    (lambda: tc.zeros((2**62, 4)), ValueError, "larger than 2.63 bytes"),
    (lambda: tc.ones(2)[2**70], IndexError, "too large"),
    (lambda: tc.ones(2) + object(), TypeError, "unsupported operand"),
    (lambda: tc.ones(2) + "a", TypeError, "unsupported operand"),
    (lambda: tc.ones(2) + np.array([object(), 1]), TypeError, "no dtype"),
    (lambda: tc.from_dlpack(object()), TypeError, "from_dlpack: object has no __dlpack__"),
    (lambda: tc.asarray(np.frombuffer(bytes(9), np.uint8)[1:].view(np.float32), copy=False), ValueError, "not aligned"),
    (lambda: tc.jit(lambda x: x)(_recursive()), RecursionError, "a value that holds arrays"),
    (lambda: tc.tree.map(lambda x: x, _recursive()), RecursionError, "a value that holds arrays"),
    (lambda: tc.jit(lambda x: _recursive())(tc.ones(2)), RecursionError, "a value that holds arrays"),
    (lambda: tc.grad(lambda x: 1.0)(_recursive()), RecursionError, "a value that holds arrays"),
    (lambda: tc.ones(2).to("sim:99"), ValueError, "no device 'sim:99'"),
    (lambda: tc.asarray([2, 3]) ** -1, ValueError, "negative power"),
])  # fmt: skip
def test_bad_values_say_what_they_are(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_memory_that_nobody_may_write():
    a = np.arange(4.0)
    a.setflags(write=False)
    for copy in (None, False):
        x = tc.asarray(a, copy=copy)
        x[0] = 9  # the array's value, not the memory
        assert x.tolist() == [9, 1, 2, 3] and a[0] == 0
    backwards = tc.asarray(np.arange(4.0)[::-1], copy=False)
    assert (backwards + 1).tolist() == [4, 3, 2, 1]


def test_lists_of_floats_lose_nothing_on_their_way_to_integers():
    assert tc.asarray([2.0**24 + 1, -2.5], dtype=tc.int64).tolist() == [2**24 + 1, -2]
    assert tc.asarray([[True, 2.0**40 + 1]], dtype=tc.uint64).tolist() == [[1, 2**40 + 1]]


def test_numbers():
    assert tc.asarray(3).dtype == tc.int64 and tc.asarray(3.0).dtype == tc.float32 and tc.asarray(True).dtype == tc.bool
    x = tc.asarray([2.5])
    assert float(x) == 2.5 and int(x) == 2 and bool(x) and x.item() == 2.5
    assert [10, 20, 30][tc.asarray(1)] == 20
    assert tc.asarray(2**64 - 1, dtype=tc.uint64).item() == 2**64 - 1
    for convert in (float, int, bool):
        with pytest.raises((TypeError, ValueError)):
            convert(tc.ones(2))
    with pytest.raises(TypeError):
        [1][tc.asarray(0.0)]


OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b,
    "%": lambda a, b: a % b, "**": lambda a, b: a**b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators(operator):
    f = OPERATORS[operator]
    for dtype in ("int32", "uint8", "float32", "float64"):
        a, b = sample((2, 3), dtype), (sample((3,), dtype) + 1).astype(dtype)
        np.testing.assert_allclose(np.asarray(f(tc.asarray(a), tc.asarray(b))), f(a, b), rtol=1e-6)
        np.testing.assert_allclose(np.asarray(f(tc.asarray(a), 2)), f(a, np.array(2, dtype)), rtol=1e-6)
        np.testing.assert_allclose(np.asarray(f(2, tc.asarray(b))), f(np.array(2, dtype), b), rtol=1e-6)
        assert f(tc.asarray(a), b).dtype == f(a, tc.asarray(b)).dtype  # NumPy's array on either side


@pytest.mark.parametrize("dtype", [d for d in DTYPES if "int" in d])
def test_powers_of_integers(dtype):
    low = 0 if dtype[0] == "u" else -5
    a, n = np.arange(low, 7).astype(dtype)[:, None], np.array([0, 1, 2, 3, 7, 12, 31], dtype)
    x, m = tc.asarray(a), tc.asarray(n)
    for made, expected in ((x**m, a**n), (m**x[6:], n ** a[6:]), (3**m, np.array(3, dtype) ** n), (x**0, a**0), (x**13, a ** np.array(13, dtype)),
                           (x**True, a), (x ** (m > 2), a ** (n > 2).astype(dtype)), (x[:0] ** m, a[:0] ** n)):  # fmt: skip
        assert made.dtype == dtype
        np.testing.assert_array_equal(made.numpy(), expected)
    wide = np.array([3, 200], np.uint8)
    np.testing.assert_array_equal((x ** tc.asarray(wide)).numpy(), a**wide)
    assert (x ** tc.asarray(wide)).dtype == (a**wide).dtype
    if low:  # rounded towards 0
        assert (x ** tc.full((), -3, dtype=dtype)).flatten().tolist() == [int(v**-3.0) if v else 0 for v in range(low, 7)]


def test_other_operators():
    i = tc.asarray([6, 3])
    assert (i / 4).tolist() == [1.5, 0.75] and (i / 4).dtype == tc.float32
    assert (i & 2).tolist() == [2, 2] and (i | 1).tolist() == [7, 3] and (i ^ 1).tolist() == [7, 2] and (~i).tolist() == [-7, -4]
    assert (i << 1).tolist() == [12, 6] and (i >> 1).tolist() == [3, 1] and (-i).tolist() == [-6, -3] and abs(-i).tolist() == [6, 3]
    assert (tc.asarray([200], dtype=tc.uint8) >> 1).tolist() == [100] and (tc.asarray([-8]) >> 1).tolist() == [-4]
    assert [p.tolist() for p in divmod(i, 4)] == [[1, 0], [2, 3]]
    assert (tc.ones((2, 3)) @ tc.ones(3)).tolist() == [3, 3]
    x = tc.ones(2)
    y = x
    x += 1
    assert x.tolist() == [2, 2] and y.tolist() == [1, 1]
    for bad in (lambda: x + "a", lambda: x < object(), lambda: x @ 2, lambda: hash(x)):
        with pytest.raises((TypeError, ValueError)):
            bad()


KEYS = [
    0, -1, (1,), (0, 2), slice(None), slice(1, None), slice(None, None, -1), slice(5, 1, -2), slice(-100, 100), None, ...,
    (..., 0), (None, ..., 1), (slice(1, 2), None, -1), [0, 2], ([0, 1], [2, 0]), np.array([[0, 1], [2, 0]]),
    (slice(None), [1, 1, 0]), ([0], slice(None), [1]), np.array([True, False, True]), (np.array([True, False, True]), 0),
    (slice(None), np.array([True, True, False, True])), np.arange(12).reshape(3, 4) % 2 == 0, True, False, [], (),
    np.zeros((3, 4, 2), bool), (0, np.array([1])), (0, slice(None), [1]), np.int64(1), slice(2**70), slice(0, 0),
    (slice(None), 0, [0, 1]), (..., np.array([False, True])),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(KEYS)))
def test_reads_as_numpy(i):
    a = np.arange(24).reshape(3, 4, 2)
    x = tc.asarray(a)[KEYS[i]]
    expected = a[KEYS[i]]
    assert x.shape == expected.shape
    np.testing.assert_array_equal(np.asarray(x), expected)


@pytest.mark.parametrize("i", [i for i, key in enumerate(KEYS) if key is not True and key is not False])
def test_writes_as_numpy(i):
    a = np.arange(24).reshape(3, 4, 2)
    x = y = tc.asarray(a)
    z = x.__copy__()
    x[KEYS[i]] = -1
    b = a.copy()
    b[KEYS[i]] = -1
    np.testing.assert_array_equal(np.asarray(x), b)
    assert y is x  # as in NumPy, names share the object
    np.testing.assert_array_equal(np.asarray(z), a)
    value = np.arange(a[KEYS[i]].size).reshape(a[KEYS[i]].shape)
    x[KEYS[i]] = value
    b[KEYS[i]] = value
    np.testing.assert_array_equal(np.asarray(x), b)


@pytest.mark.parametrize("key", [3, -4, (0, 0, 0, 0), 1.5, "a", [0.5], np.array([True]), (..., ...), 2**70, np.ones((4, 3), bool)])
def test_index_errors(key):
    x = tc.asarray(np.arange(24).reshape(3, 4, 2))
    with pytest.raises(IndexError):
        x[key]
    with pytest.raises(IndexError):
        x[key] = 0


def test_a_mask_is_read_when_the_shape_is_asked_for():
    x = tc.arange(6).astype(tc.float32).reshape(3, 2)
    mask = x > 1
    for made in (x[mask], tc.nonzero(mask)[0], x[mask[:, 0], 1], x[..., mask[0]]):
        assert made.dtype in (tc.float32, tc.int64) and made.ndim in (1, 2) and not made.is_traced and not made.is_evaluated
        assert made.location[0].endswith("test_array.py") and "shape" not in repr(tc.asarray(1))
    assert not mask.is_evaluated
    later = x[mask]
    assert later.shape == (4,) and (later * 2).tolist() == [4, 6, 8, 10]
    rows, columns = tc.nonzero(mask)
    assert rows.tolist() == [1, 1, 2, 2] and len(columns) == 4
    assert tc.grad(lambda v: tc.sum(v[tc.asarray(np.arange(6).reshape(3, 2) > 3)] ** 2))(x).tolist() == [[0, 0], [0, 0], [8, 10]]


def test_an_error_of_a_mask_comes_with_its_number():
    mask = tc.check_numerics(tc.asarray([1.0, float("nan")]), "the mask") > 0
    x = tc.ones(2)[mask]
    assert x.ndim == 1 and repr(x).startswith("array(<")
    for ask in (lambda: x.shape, lambda: x + 1, lambda: x.tolist(), lambda: len(x)):
        with pytest.raises(RuntimeError, match="the mask"):
            ask()


def test_masks_without_elements():
    for shape, mask in (((3, 4), (0, 0)), ((3, 4), (0, 4)), ((3, 4), (3, 0)), ((0, 1), (0, 0)), ((3, 0), (0, 0)), ((3, 4, 2), (0, 4))):
        a, key = np.ones(shape), np.zeros(mask, bool)
        assert tc.asarray(a)[key].shape == tc.asarray(a)[tc.asarray(key)].shape == a[key].shape
    for shape, mask in (((0, 1), (0, 3)), ((3, 0), (3, 1)), ((0, 1), (1, 1))):
        with pytest.raises(IndexError):
            tc.ones(shape)[np.zeros(mask, bool)]


@pytest.mark.parametrize("key", [0, slice(None), ..., [1, 0], np.array([True, False, True]), (slice(None), [0, 1])])
def test_a_value_that_does_not_fit_is_a_value_error_as_numpys(key):
    a = np.zeros((3, 4))
    with pytest.raises(ValueError):
        a[key] = np.zeros(5)
    x = tc.asarray(a)
    with pytest.raises(ValueError, match="a value of \\[5\\] does not fit into"):
        x[key] = np.zeros(5)
    with pytest.raises(ValueError, match="does not fit into"):
        x.at[key].add(tc.zeros(5))
    assert x.tolist() == a.tolist()


def test_at():
    x = tc.zeros(3)
    assert x.at[[0, 0]].add(1).tolist() == [2, 0, 0] and x.at[1].set(5).tolist() == [0, 5, 0]
    assert x.at[x == 0].max(2).tolist() == [2, 2, 2] and x.tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("key", [[2, 0, 2, -1, 0], (slice(None), [3, 1, 1]), ([0, 2, 0], [1, 1, 1]), (slice(1, None), [[0, 0]]), [7, -9, 0],
                                 (slice(0, 1),), (2,)], ids=str)
def test_products_of_complex_numbers_at_indices(key, dtype):
    """In the order of the indices, of which some are equal and some outside."""
    rng = np.random.default_rng(3)
    draw = lambda shape: (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)  # noqa: E731
    a = draw((3, 4))
    inside = [k for k in key if -3 <= k < 3] if isinstance(key, list) else key
    u, expected = draw(a[inside].shape), a.copy()
    np.multiply.at(expected, inside, u)
    full = u if len(inside) == len(key) else np.concatenate([draw((2, 4)), u])
    at = tuple(tc.asarray(k) if isinstance(k, list) else k for k in key) if isinstance(key, tuple) else tc.asarray(key)
    results = [tc.asarray(a).at[at].multiply(tc.asarray(full)), tc.jit(lambda a, u: a.at[at].multiply(u))(tc.asarray(a), tc.asarray(full))]
    results.append(tc.vmap(lambda a, u: a.at[at].multiply(u))(tc.asarray(a[None]), tc.asarray(full[None]))[0])
    for result in results:
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-5 if dtype == "complex64" else 1e-13)


def test_complex_updates_without_an_order_are_refused_at_the_call():
    x = tc.asarray([1j, 2.0])
    for key in (tc.asarray([0, 0]), 0, slice(0, 1), tc.asarray([True, False])):
        for kind in ("min", "max"):
            with pytest.raises(ValueError, match="complex numbers have no order; they can be set, added and multiplied"):
                getattr(x.at[key], kind)(1)


@pytest.mark.parametrize(
    "key, value",
    [
        (lambda x: x > 5, [7.0]), (lambda x: x > 5, 7.0), (lambda x: (x > 5)[:, 0], [1.0, 2.0, 3.0, 4.0]),
        (lambda x: ((x > 5)[:, 0], slice(1, 3)), [8.0, 9.0]), (lambda x: (slice(None), (x > 5)[0]), [[6.0], [7.0], [8.0]]),
        (lambda x: ((x > 5)[:, 0], 1), [5.0]), (lambda x: (..., x > 5), [4.0]), (lambda x: ((x > 5)[:, 0], None), [[1.0, 2.0, 3.0, 4.0]]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["set", "add"])
def test_one_value_for_all_places_of_a_mask_needs_no_count(key, value, kind):
    data = np.arange(12.0).reshape(3, 4)
    expected = data.copy()
    if kind == "set":
        expected[key(data)] = value
    else:
        expected[key(data)] += value
    value = tc.asarray(np.asarray(value))
    made = tc.jit(lambda x, v: getattr(x.at[key(x)], kind)(v))(tc.asarray(data), value)
    assert np.array_equal(made, expected)
    assert np.array_equal(getattr(tc.asarray(data).at[key(data)], kind)(value), expected)


def test_sequence():
    x = tc.arange(6).reshape(3, 2)
    assert len(x) == 3 and [r.tolist() for r in x] == [[0, 1], [2, 3], [4, 5]] and 4 in x and 7 not in x
    with pytest.raises(TypeError):
        len(tc.asarray(1))
    with pytest.raises(TypeError):
        iter(tc.asarray(1))


def test_printing():
    assert repr(tc.asarray([[1, 2]])) == "array([[1, 2]], dtype=int64)" and f"{tc.asarray(1.5):.2f}" == "1.50"
    assert str(tc.asarray([True])) == "array([true], dtype=bool)"
    shown = []
    tc.jit(lambda x: (shown.append(repr(x)), x)[1])(tc.ones((2, 1)))
    assert shown == ["array(traced, shape=(2, 1), dtype=float32)"]
    # What has no value says why.
    text = repr(tc.zeros(2**44))
    assert text.startswith("array(<MemoryError: ") and text.endswith(">, shape=(17592186044416,), dtype=float32)")


def test_eval_takes_arrays_and_lists():
    x = tc.ones(2)
    y, z = x + 1, x + 2
    tc.eval(y, z)
    assert y.is_evaluated and z.is_evaluated
    y, z = x + 3, x + 4
    tc.eval([y, z])
    assert y.is_evaluated and z.is_evaluated
    y = x + 5
    tc.eval(y)
    tc.eval()
    assert y.is_evaluated
    with pytest.raises(TypeError):
        tc.eval("x")


def test_pickle_and_copy():
    for x in (tc.arange(5), tc.asarray([[1.5]], dtype=tc.bfloat16), tc.asarray(True)):
        y = pickle.loads(pickle.dumps(x))
        assert y.dtype == x.dtype and y.tolist() == x.tolist()
    assert copy.deepcopy([tc.ones(1)])[0].tolist() == [1] and pickle.loads(pickle.dumps(tc.float32)) == tc.float32


def test_dtypes():
    assert tc.float32 == np.float32 and tc.float32 == "float32" and tc.float32 == np.dtype("f4") and tc.float32 != tc.float64
    assert tc.float32 != 7 and {tc.int8: 1}[tc.int8] == 1 and tc.bool == bool and tc.asarray([1], dtype="bf16").dtype == tc.bfloat16
    assert tc.asarray([1.7, -1.7]).astype(int).tolist() == [1, -1]
    with pytest.raises(TypeError):
        tc.ones(1, dtype="nonsense")
    with pytest.raises(OverflowError):
        tc.asarray([1], dtype=tc.uint8) + 300


def test_methods():
    x = tc.arange(6, dtype=tc.float32).reshape(2, 3)
    assert x.T.shape == (3, 2) and x.mT.shape == (3, 2) and x.sum(0).tolist() == [3, 5, 7] and x.max().item() == 5
    assert x.mean(axis=1).tolist() == [1, 4] and x.reshape((3, -1)).shape == (3, 2) and x.flatten().shape == (6,)
    assert x.transpose(1, 0).shape == (3, 2) and x.argmax().item() == 5 and x.sort(descending=True)[0].tolist() == [2, 1, 0]
    assert x.std().item() == pytest.approx(np.arange(6).std())


def test_errors_have_the_line():
    with pytest.raises(ValueError, match=r"add: shapes cannot be broadcast: \[2\] x \[3\] .*test_array.py:\d+"):
        tc.ones(2) + tc.ones(3)
    with pytest.raises(ValueError, match=r"test_array.py:\d+"):
        tc.concat([tc.ones((2, 3)), tc.ones((2, 2))])
    file, line = tc.ones(2).location
    assert file.endswith("test_array.py") and line > 0


def test_devices():
    x = tc.ones(3).to("sim:0")
    assert x.device == "sim:0" and x.device.kind == "sim" and (x + 1).cpu().tolist() == [2, 2, 2]
    np.testing.assert_array_equal(x.numpy(), np.ones(3))
    with tc.device("sim:0") as d:
        assert tc.zeros(2).device == d == tc.current_device() and tc.asarray([1]).device == d
    assert tc.zeros(2).device == "cpu:0" and tc.zeros(2, device="sim:0").device == "sim:0"
    with pytest.raises(ValueError, match="sim:0.*cpu:0|cpu:0.*sim:0"):
        x + tc.ones(3)
    adam = tc.optim.Adam(0.1)
    lstm = tc.tree.map(lambda w: w.to("sim:0"), tc.nn.LSTM(3, 2, key=tc.random.key(0)))
    for call in (
        lambda: tc.argmax(x[0]), lambda: tc.cumulative_sum(x, include_initial=True), lambda: tc.cumulative_prod(x, include_initial=True),
        lambda: tuple(tc.unique_all(x)), lambda: tuple(tc.unique_all(x[:0])), lambda: tc.fori_loop(0, 2, lambda i, s: s * i, x),
        lambda: adam.update({"w": x}, {"w": x}, adam.init({"w": x}))[1], lambda: lstm(x.reshape(1, 1, 3)),
    ):  # fmt: skip
        assert {str(made.device) for made in tc.tree.leaves(call())} == {"sim:0"}
    with pytest.raises(ValueError):
        tc.device("nowhere")
    for name in ("mps", "xpu", "opencl", "opencl:0", "nowhere", "", "cpu:x", "cuda:99", "null"):
        assert not tc.is_available(name), name
    assert tc.is_available("auto") and tc.is_available(tc.device("sim:0"))
    # As programs for any machine choose.
    assert ("mps" if tc.is_available("mps") else "xpu" if tc.is_available("xpu") else "cpu") == "cpu"
    with pytest.raises(TypeError):
        tc.ones(1).to(5)
    assert tc.cuda.is_available() in (True, False) and "cpu:0" in [d.name for d in tc.devices()]
    assert tc.current_device().memory_stats()["allocated"] >= 0
    stream, event = tc.Stream("cpu"), tc.Event("cpu")
    event.record(stream)
    event.synchronize()
    stream.synchronize()


def test_threads():
    results = []
    def work():
        for i in range(20):
            results.append((tc.arange(100) * i).sum().item() == 4950 * i)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [True] * 80


def test_memory_error():
    device = tc.device("cpu")
    device.set_memory_limit(device.memory_stats()["allocated"] + (1 << 20))
    try:
        with pytest.raises(MemoryError):
            tc.ones(1 << 22).eval()
    finally:
        device.set_memory_limit(0)


@pytest.mark.parametrize("shape", [(), (0, 3), (7,), (3, 5), (2, 3, 4)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "int8", "bool"])
def test_sorts_all_elements_without_an_axis(shape, dtype):
    a = np.asarray(np.random.default_rng(3).integers(-3, 4, shape)).astype(dtype)
    a = a.T if a.ndim == 2 else a
    x = tc.asarray(a)
    for made, expected in (
        (tc.sort(x, axis=None), np.sort(a, axis=None)),
        (tc.sort(x, axis=None, descending=True), np.sort(a, axis=None)[::-1]),
        (tc.argsort(x, axis=None), np.argsort(a, axis=None, kind="stable")),
        (x.sort(axis=None), np.sort(a, axis=None)),
    ):
        assert made.shape == expected.shape
        np.testing.assert_array_equal(made.numpy(), expected)


def test_topk_counts_with_integers():
    x = tc.asarray([3, 1, 2])
    for k in (2, np.int64(2), tc.asarray(2)):
        values, indices = tc.topk(x, k)
        assert values.tolist() == [3, 2] and indices.tolist() == [0, 2]
    for bad in (2.0, "2", None, tc.asarray(2.0)):
        with pytest.raises(TypeError, match="topk: k must be an integer, not "):
            tc.topk(x, bad)
    with pytest.raises(ValueError, match="topk: k must be a number"):
        tc.jit(tc.topk)(x, tc.asarray(2))


@pytest.mark.parametrize("shape, axis, k", [((3, 900), 1, 1), ((3, 900), 1, 9), ((2, 5000), 1, 70), ((40, 200), 1, 5), ((300, 40), 0, 1), ((3, 90, 17), 1, 20)])
@pytest.mark.parametrize("largest", [True, False])
def test_topk_is_a_stable_sort_s_begin(shape, axis, k, largest):
    random = np.random.default_rng(k)
    a = random.standard_normal(shape).astype(np.float32)
    for special, share in ((np.nan, 0.3), (-np.nan, 0.3), (-np.inf, 0.2), (-0.0, 0.1), (0.0, 0.1)):
        a[random.random(shape) < share] = special
    # NaN is the largest; equal elements keep their order.
    ranks = np.unique(np.where(np.isnan(a), np.nan, a), return_inverse=True)[1].reshape(shape)
    expected = np.take(np.argsort(-ranks if largest else ranks, axis=axis, kind="stable"), range(k), axis=axis)
    values, indices = tc.topk(tc.asarray(a), k, axis=axis, largest=largest)
    np.testing.assert_array_equal(indices.numpy(), expected)
    assert values.numpy().tobytes() == np.take_along_axis(a, expected, axis).tobytes()


@pytest.mark.parametrize("shape, axis, k", [((700,), 0, 5), ((40,), 0, 40), ((3, 900), 1, 9), ((300, 40), 0, 3), ((3, 90, 17), 1, 20), ((5, 1), -1, 1)])
@pytest.mark.parametrize("device", ["cpu", "sim:0"])
def test_topk_in_any_order_of_evaluation(shape, axis, k, device):
    with tc.device(device):
        for dtype in (np.float32, np.int8, np.float16):
            a = np.random.default_rng(k).integers(-9, 9, shape).astype(dtype)
            if dtype != np.int8:
                a[a == 1], a[a == 2], a[a == 3] = -0.0, np.nan, -np.nan
            x = tc.asarray(a)
            values = tc.topk(x, k, axis=axis)[0]
            expected = values.numpy()
            values, indices = tc.topk(x, k, axis=axis)
            indices.eval()
            assert "sort" in tc.last_kernels()
            assert np.take_along_axis(a, indices.numpy(), axis).tobytes() == expected.tobytes()
            assert values.numpy().tobytes() == expected.tobytes()
            assert "sort" not in tc.last_kernels()
            values, indices = tc.topk(x, k, axis=axis)
            np.testing.assert_array_equal(indices.numpy(), tc.jit(lambda x: tc.topk(x, k, axis=axis)[1])(x).numpy())
            both = tc.topk(x * 1, k, axis=axis)
            tc.eval(*both)
            assert sum("sort" in kernel for kernel in tc.last_kernels().split("\n")) == 1
            assert both[0].numpy().tobytes() == expected.tobytes()


def test_topk_of_a_gradient():
    x = tc.asarray([3.0, 1.0, 4.0, 1.0, 5.0])
    for f in (lambda x: tc.sum(tc.topk(x, 2)[0] * tc.asarray([1.0, 10.0])), lambda x: tc.sum(x[tc.topk(x, 2)[1]] * tc.asarray([1.0, 10.0]))):
        assert tc.grad(f)(x).tolist() == [0, 0, 10, 0, 1]
    rows = tc.asarray([[3.0, 1.0, 4.0], [1.0, 5.0, 9.0]])
    np.testing.assert_array_equal(tc.vmap(lambda x: tc.topk(x, 2)[0])(rows), [[4, 3], [9, 5]])


def test_arguments_of_a_wrong_kind():
    x = tc.ones((3, 4))
    for f, error, words in (
        (lambda: tc.sum(x, axis="a"), TypeError, "an axis is an integer, not 'a'"),
        (lambda: tc.flip(x, "a"), TypeError, "an axis is an integer, not 'a'"),
        (lambda: tc.cumsum(x, axis=1.0), TypeError, "an axis is an integer, not 1.0"),
        (lambda: tc.tensordot(x, x, 2.5), TypeError, "tensordot: axes are a number, or two lists of axes, not 2.5"),
        (lambda: tc.tensordot(x, x, [[0], [0], [1]]), TypeError, "tensordot: axes are a number, or two lists"),
        (lambda: tc.jit(3), TypeError, "jit: a function is expected, not int"),
        (lambda: tc.grad(x), TypeError, "grad: a function is expected, not Array"),
        (lambda: tc.vmap(None), TypeError, "vmap: a function is expected, not NoneType"),
        (lambda: tc.broadcast_to(x, (2, 4)), ValueError, "broadcast_to: cannot broadcast"),
        *((lambda p=p: tc.pad(x, p), ValueError, "pad: a width, or a pair of widths, is expected for all of the 2 axes or for each, not ")
          for p in ((1, 2, 3), ((1, 2, 3), (1, 2)), ((1, 2),) * 3, ((), (1, 2)))),
    ):  # fmt: skip
        with pytest.raises(error, match=re.escape(words)):
            f()
    for widths in (1, (1, 2), ((1, 2),), ((1, 2), (0, 3)), ((1,), (2,)), np.array([[1, 2], [0, 3]]), np.array([1, 2])):
        assert tc.pad(x, widths).shape == np.pad(np.ones((3, 4)), widths).shape


def test_shapes_are_integers():
    for shape in (2, np.int64(2), tc.asarray(2), (2,), tc.asarray([2])):
        assert tc.zeros(shape).shape == tc.reshape(tc.ones((1, 2)), shape).shape == (2,)
    for bad in (2.0, tc.asarray(2.0), None):
        with pytest.raises(TypeError, match="a size must be an integer, not "):
            tc.zeros(bad)
    with pytest.raises(ValueError, match="a size must be a number"):
        tc.jit(tc.zeros)(tc.asarray(2))


def test_explain_shows_a_table():
    made = tc.explain(lambda x: tc.exp(x) * 2, tc.ones(8))
    assert "arguments    float32[8]" in repr(made) and "kernel 0" in repr(made) and "bytes of code" in repr(made)
    html = xml.etree.ElementTree.fromstring(made._repr_html_())  # each row: a name and a text
    assert [len(row) for row in html] == [2] * len(html) and html[0][0].text == "arguments" and html[0][1].text == "float32[8]"


def test_arrays_and_functions_in_notebooks():
    def cells(value):
        return [[cell.text or "" for cell in row] for row in xml.etree.ElementTree.fromstring(f"<all>{value._repr_html_()}</all>").iter("tr")]

    x = tc.asarray([[1.5, float("nan"), -2.0], [1e9, 0.25, 3.0]])
    assert cells(x) == [["", "0", "1", "2"], ["0", "1.5", "nan", "-2"], ["1", "1e+09", "0.25", "3"]]
    assert "<p>float32[2, 3] on cpu" in x._repr_html_()
    wide = cells(tc.arange(100))
    assert wide[0] == ["", "0", "1", "2", "3", "4", "\u2026", "95", "96", "97", "98", "99"] and wide[1] == ["", *wide[0][1:]]
    tall = cells(tc.zeros((1000, 2), dtype=tc.bool))
    assert [row[0] for row in tall[1:]] == ["0", "1", "2", "3", "4", "\u2026", "995", "996", "997", "998", "999"] and tall[1][1] == "False"
    assert cells(tc.ones((2, 2, 2))) == [] and "<pre>array(" in tc.ones((2, 2, 2))._repr_html_()
    for other in (tc.ones(0), tc.asarray(2), tc.ones((2, 2), dtype=tc.bfloat16), tc.asarray([1 + 2j])):
        xml.etree.ElementTree.fromstring(f"<all>{other._repr_html_()}</all>")
    f = tc.jit(lambda x: x * 2)
    f(tc.ones(3))
    rows = dict(cells(f))
    assert rows["traces"] == "1" and rows["function"].endswith("<lambda>") and rows["defined at"].startswith(f"{__file__}:")


def test_stats_tell_what_a_compilation_made():
    tc.reset_compile_stats(forget_kernels=True)
    tc.eval(tc.jit(lambda x: tc.softmax(x @ x))(tc.ones((8, 8))))
    stats = tc.compile_stats()
    assert stats["kernels"] >= 1 and 100 < stats["code_bytes"] < 100000 and stats["processor_seconds"] > 0


def test_a_trace_is_a_list_of_events(tmp_path):
    path = tmp_path / "trace.json"
    program = f"import tensorc as tc; tc.trace.enable({str(path)!r}); x = tc.ones((8, 8)); (tc.exp(x) @ x).sum().item()"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=pathlib.Path(tc.__file__).parents[1])
    events = [e for e in json.loads(path.read_text(encoding="utf-8")) if e["ph"] == "X"]
    # What Perfetto asks of a complete event, in microseconds.
    assert all(isinstance(e[k], (int, float)) for e in events for k in ("ts", "dur", "pid", "tid")) and min(e["dur"] for e in events) >= 0
    assert {"import", "tensor", "fuse", "emit", "lower"} <= {e["name"] for e in events if e["cat"] == "stage"}
    assert any(e["cat"] == "launch" for e in events)


def test_a_forked_process_computes():
    x = (tc.ones((300, 300)) * 2).eval()
    child = os.fork()
    if not child:
        signal.alarm(600)
        os._exit(0 if (x @ x).sum().item() == 4 * 300**3 and x[0, 0].item() == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_calls_keep_no_memory():
    f, x, shared = tc.jit(lambda x, y: [x * 2 + y]), tc.ones(8), np.ones(8, np.float32)

    def resident(calls):
        for _ in range(calls):
            f(x, x), x[2:4], tc.asarray(shared, copy=False), np.from_dlpack(x)
        gc.collect()
        with open("/proc/self/statm", encoding="utf-8") as file:
            return int(file.read().split()[1])

    before = resident(2000)
    assert resident(20000) - before < 256  # pages: 50 bytes that stay after each call are as many


def test_isclose_as_numpy_says():
    x = np.array([1.0, 1e10, 1e-7, np.inf, -np.inf, np.nan, 0.0])
    y = np.array([1.00001, 1.00001e10, 1e-8, np.inf, np.inf, np.nan, 0.0])
    for options in ({}, {"rtol": 0, "atol": 1e-7}, {"equal_nan": True}):
        for dtype in (np.float16, np.float32, np.float64):
            with np.errstate(over="ignore"):
                a, b = x.astype(dtype), y.astype(dtype)
            wide = np.float32 if dtype == np.float16 else dtype
            wanted = np.isclose(a.astype(wide), b.astype(wide), **options)
            assert tc.isclose(tc.asarray(a), tc.asarray(b), **options).tolist() == wanted.tolist()
    assert tc.allclose(tc.asarray([1, 2]), [1, 2]) is True and tc.allclose(tc.asarray([1, 2]), 1) is False


def test_a_snapshot_lists_blocks_with_their_lines():
    older = (tc.ones((123, 45), device="cpu") * 2).eval()
    tc.record_memory(100, "cpu")
    try:
        x = (tc.ones((1234, 56), device="cpu") * 2).eval()
        del older
        used = [b for b in tc.memory_snapshot("cpu")["blocks"] if b["state"] == "used" and b["requested"] == 1234 * 56 * 4]
        assert len(used) == 1 and "test_array.py:" in used[0]["line"] and used[0]["bytes"] >= used[0]["requested"]
        del x
        gc.collect()
        found = tc.memory_snapshot("cpu")
        ended = [b for b in found["timeline"] if b["state"] == "released" and b["requested"] == 1234 * 56 * 4]
        assert ended and ended[-1]["line"] == used[0]["line"] and ended[-1]["begin"] < ended[-1]["end"]
        assert all(b["begin"] for b in found["timeline"])  # none is from before the record
        assert 0 <= found["fragmentation"] < 1 and found["cached"] == sum(b["bytes"] for b in found["blocks"] if b["state"] != "used")
    finally:
        tc.record_memory(0, "cpu")
    assert tc.memory_snapshot("cpu")["timeline"] == []
    with pytest.raises(ValueError, match="more than 1048576"):
        tc.record_memory(10**9, "cpu")


def test_memory_and_streams_of_a_device():
    with pytest.raises(ValueError, match="0 removes the limit"):
        tc.set_memory_limit(-1, "cpu")
    with pytest.raises(TypeError, match="takes a number of bytes, not None; 0 removes the limit"):
        tc.set_memory_limit(None, "cpu")
    tc.set_memory_limit(tc.memory_stats("cpu")["allocated"] + (1 << 20), "cpu")
    try:
        with pytest.raises(MemoryError):
            tc.ones(1 << 22).eval()
    finally:
        tc.set_memory_limit(0, "cpu")
    tc.empty_cache()
    tc.reset_peak("cpu")
    stats = tc.memory_stats("cpu")
    assert stats["cached"] == 0 and stats["peak"] == stats["allocated"] and tc.is_available("cpu") and not tc.is_available("cuda:99")
    assert tc.device_count("cpu") == 1 and tc.default_device() == "cpu:0"
    side = tc.Stream("sim:0")
    with tc.stream(side), tc.device("sim:0"):
        assert (tc.ones(2) + 1).sum().item() == 4
    side.synchronize()
    assert side.query() and tc.current_stream("sim:0").device == "sim:0"
    with pytest.raises(TypeError, match="a Stream is expected, not str"):
        with tc.stream("cpu"):
            pass
    tc.set_device("sim:0")
    try:
        assert tc.residence(tc.ones(2) + 1) == "sim:0"
    finally:
        tc.set_device(None)


def test_schedules_and_compilations_are_kept(tmp_path):
    program = f"""
import tensorc as tc, os
folder = {str(tmp_path)!r}
tc.set_disk_cache(folder + "/cache")
assert tc.disk_cache_folder() == folder + "/cache"
made = tc.tune(lambda x: x * 2 + 1, tc.ones(5000), seconds=0.05, path=folder + "/a.tctune")
assert made["kernels"] == 1 and os.path.exists(folder + "/a.tctune"), made
tc.set_tuning(folder + "/a.tctune")
assert (tc.ones(3) * 2 + 1).tolist() == [3, 3, 3]
tc.set_tuning(None)
try:
    tc.set_tuning(folder + "/nothing")
except ValueError:
    print("refused")
"""
    made = subprocess.run([sys.executable, "-c", program], check=True, cwd=pathlib.Path(tc.__file__).parents[1], stdout=subprocess.PIPE, text=True)
    assert made.stdout == "refused\n"


def test_copies_by_dlpack_can_be_written_to():
    x = tc.arange(4).eval()
    shared, own = np.from_dlpack(x), np.from_dlpack(x, copy=True)
    assert not shared.flags.writeable and own.flags.writeable
    own += 1
    assert x.tolist() == shared.tolist() == [0, 1, 2, 3] and own.tolist() == [1, 2, 3, 4]
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0), copy=True)) and '"dltensor"' in repr(x.__dlpack__())
    with pytest.raises(BufferError, match="nothing says that memory is read-only"):
        x.__dlpack__(copy=False)


@pytest.mark.parametrize("key, value", [
    (False, np.zeros((0, 2, 3))), (True, np.ones((1, 2, 3))), (True, np.ones((2, 3))), (np.array(False), np.zeros(3)), (np.array(True), np.arange(3.0)),
    ((slice(None), True), np.arange(6.0).reshape(2, 1, 3)), ((0, True), np.arange(3.0)), ((0, False), np.zeros((0, 3))), (False, 7.0), (True, 7.0),
    (((),), np.zeros((0, 3))), (((), ()), 1.0), ((np.array([True, False]), np.array([2])), -1.0), ((np.array([True, True]), [1, 2]), [7.0, 8.0]),
])  # fmt: skip
def test_single_booleans_and_empty_tuples_as_indices(key, value):
    x = np.arange(6.0).reshape(2, 3)
    ours = tc.asarray(x)
    assert np.array_equal(ours[key].numpy(), x[key]) and ours[key].shape == x[key].shape
    x[key] = value
    ours[key] = tc.asarray(value)
    assert np.array_equal(ours.numpy(), x)


def test_single_booleans_that_do_not_fit():
    x, point = tc.ones((2, 3)), tc.asarray(1.0)
    point[tc.asarray(False)] = tc.zeros(0)
    assert point.item() == 1
    with pytest.raises(ValueError):
        x[False] = np.zeros((0, 4))
    for key in ((True, [0, 1]), (True, True), (True, tc.asarray([True, False]))):
        with pytest.raises(IndexError, match="one single boolean"):
            x[key] = tc.ones((2, 3))


def test_to_takes_what_pytorch_s_does():
    x = tc.arange(3)
    other = tc.ones(1, dtype=tc.float16, device="sim:0")
    for y, dtype, device in [
        (x.to(tc.float32), "float32", "cpu:0"), (x.to("sim:0"), "int64", "sim:0"), (x.to("sim:0", tc.float64), "float64", "sim:0"),
        (x.to(tc.device("sim:0"), np.float32), "float32", "sim:0"), (x.to(other), "float16", "sim:0"), (x.to(None, "int8"), "int8", "cpu:0"),
    ]:  # fmt: skip
        assert y.dtype == dtype and y.device == tc.device(device) and y.tolist() == [0, 1, 2]
    assert x.get_device() == -1 and other.get_device() == 0 and not x.is_cuda and not other.is_cuda
    assert tc.device("sim:0").type == "sim"


@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float32", "int64", "uint8"])
def test_view_of_complex_numbers(dtype):
    for x in (np.arange(12.0).reshape(3, 4), (np.arange(12) + 1j).reshape(3, 4), np.arange(12, dtype=np.complex64).reshape(3, 4) * 1j):
        np.testing.assert_array_equal(tc.asarray(x).view(dtype).numpy(), x.view(dtype))


@pytest.mark.parametrize("device", ["cpu", "sim:0"])
def test_numpy_operands_are_moved_to_the_device_of_the_array(device):
    x = tc.ones(2, device=device)
    ones = np.ones(2, "float32")
    for result in (
        np.float32(1) * x, ones * x, np.eye(2, dtype="float32") @ x, np.multiply(x, ones), np.maximum(x, [1.0, 0.0]),
        tc.where(x > 0, ones, x), tc.where(ones > 0, x, ones), tc.where([True, False], x, 1.0), tc.where(x > 0, 1.0, 2.0),
    ):  # fmt: skip
        assert result.device == x.device and result.dtype == tc.float32 and result.tolist() == [1.0, 1.0]
    assert (ones < x).device == x.device
