"""Memory of arrays that other libraries write to."""

import ctypes

import numpy as np
import pytest

import tensorc as tc


def test_what_is_written_is_the_value():
    x = tc.zeros((2, 3), dtype=tc.float64)
    memory = x.numpy(writable=True)
    assert memory.flags.writeable and memory.dtype == np.float64 and memory.shape == (2, 3)
    memory[1, 2] = 5
    assert x[1, 2].item() == 5 and (x + 1).sum().item() == 11
    memory += 1
    assert x.sum().item() == 11  # not a copy that was made once
    assert np.shares_memory(memory, np.asarray(x))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float32", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
def test_dtypes_and_shapes(dtype, shape):
    x = tc.zeros(shape, dtype=dtype)
    memory = x.numpy(writable=True)
    memory[...] = 1
    assert x.dtype.name == dtype and x.shape == shape
    np.testing.assert_array_equal(x.numpy(), np.ones(shape, dtype))


def test_others_keep_the_former_value():
    x = tc.asarray([1.0, 2.0, 3.0])
    view, copy, reshaped, same = x[1:], x.copy(), x.reshape(3, 1), x
    recorded = x + 1  # evaluated later
    read = x.numpy()
    captured = tc.jit(lambda: x * 2)
    grid = tc.jit(lambda v: v + reshaped)
    assert captured().tolist() == [2, 4, 6]
    memory = x.numpy(writable=True)
    memory[:] = 0
    assert x.tolist() == same.tolist() == [0, 0, 0]
    assert view.tolist() == [2, 3] and copy.tolist() == [1, 2, 3] and reshaped.tolist() == [[1], [2], [3]]
    assert recorded.tolist() == [2, 3, 4] and read.tolist() == [1, 2, 3]
    assert captured().tolist() == [2, 4, 6]
    assert grid(tc.zeros((3, 1))).tolist() == [[1], [2], [3]]


def test_cached_programs_read_what_is_written():
    x = tc.zeros(3)
    memory = x.numpy(writable=True)
    double = tc.jit(lambda v: v * 2)
    for i in range(4):
        memory[:] = i
        assert double(x).tolist() == (x * 2).tolist() == [2 * i] * 3


def test_evaluated_results_do_not_change():
    x = tc.zeros(3)
    memory = x.numpy(writable=True)
    y = (x + 1).eval()
    z = x.reshape(1, 3).eval()
    memory[:] = 7
    assert y.tolist() == [1, 1, 1] and x.tolist() == [7, 7, 7]
    del x
    assert z.shape == (1, 3) and memory.tolist() == [7, 7, 7]


def test_programs_do_not_write_to_it():
    x = tc.zeros(1000)
    memory = x.numpy(writable=True)
    x = x + 1  # could take over the memory of x, were that its own
    x.eval()
    assert not memory.any()


def test_the_second_time():
    x = tc.zeros(2)
    x.numpy(writable=True)[0] = 1
    x.numpy(writable=True)[1] = 2
    assert x.tolist() == [1, 2]


def test_refusals():
    with pytest.raises(ValueError, match=r"on sim:0: .*x\.cpu\(\)"):
        tc.ones(2).to("sim:0").numpy(writable=True)
    with pytest.raises(TypeError, match="no bfloat16 to write to"):
        tc.ones(2).astype(tc.bfloat16).numpy(writable=True)
    with pytest.raises(ValueError, match="while jit traces"):
        tc.jit(lambda x: tc.asarray(x.numpy(writable=True)))(tc.ones(2))
    with pytest.raises(BufferError, match=r"x.numpy\(writable=True\)"):
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(tc.ones(2)), ctypes.create_string_buffer(256), 1)  # PyBUF_WRITABLE
    with pytest.raises(ValueError, match="read-only"):
        tc.ones(2).numpy()[0] = 1


def test_ufuncs_write_to_arrays():
    out = tc.zeros(3)
    assert np.add(np.ones(3, np.float32), 1, out=out) is out and out.tolist() == [2, 2, 2]
    assert np.multiply(tc.asarray([1.0, 2.0, 3.0]), out, out=out) is out and out.tolist() == [2, 4, 6]
    assert np.add.reduce(np.ones((2, 3), np.float32), axis=0, out=out) is out and out.tolist() == [2, 2, 2]
    fraction, whole = np.modf(np.array([1.5], np.float32), out=(tc.zeros(1), None))
    assert isinstance(fraction, tc.Array) and fraction.tolist() == [0.5] and whole.tolist() == [1]
    np.add.at(out, [0, 0, 2], 1)
    assert out.tolist() == [4, 2, 3]
    with pytest.raises(TypeError, match="same_kind"):
        np.add(np.ones(3), 1, out=tc.zeros(3, dtype=tc.int32))
    theirs = np.zeros(3, np.float32)
    theirs += tc.ones(3)
    assert theirs.tolist() == [1, 1, 1]
    np.exp(tc.zeros(3), out=theirs, where=tc.asarray([True, False, True]))
    assert theirs.tolist() == [1, 1, 1]


def test_reductions_write_to_arrays():
    x = tc.asarray([[1.0, 2.0], [3.0, 4.0]])
    out, theirs = tc.zeros(2), np.zeros(2)
    assert x.sum(axis=0, out=out) is out and out.tolist() == [4, 6]
    assert np.sum(x, axis=1, out=theirs) is theirs and theirs.tolist() == [3, 7]
    assert np.max(x, axis=1, out=out) is out and out.tolist() == [2, 4]
    with pytest.raises(ValueError, match=r"sum: out has the shape \(2,\), and the result \(\)"):
        x.sum(out=out)


def test_scipy_fills_arrays():
    ndimage = pytest.importorskip("scipy.ndimage")
    n = np.arange(25.0).reshape(5, 5)
    out = tc.zeros((5, 5), dtype=tc.float64)
    ndimage.gaussian_filter(tc.asarray(n, dtype=tc.float64).numpy(), 1, output=out.numpy(writable=True))
    np.testing.assert_allclose(out.numpy(), ndimage.gaussian_filter(n, 1))
