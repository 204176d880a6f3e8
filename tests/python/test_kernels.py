"""Kernels that a program brings, on the simulated GPU; and donated arguments."""

import gc
import inspect
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tensorc as tc

SCALE = """
gpu.module @scale {
  gpu.func @twice(%x: memref<?xf32>, %out: memref<?xf32>, %n: i32) kernel {
    %i = gpu.global_id x
    %count = arith.index_cast %n : i32 to index
    %inside = arith.cmpi ult, %i, %count : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %sum = arith.addf %v, %v : f32
      memref.store %sum, %out[%i] : memref<?xf32>
    }
    gpu.return
  }
}
"""
OPTIONS = dict(inputs=[(tc.float32, "n")], outputs=[(tc.float32, ("n",))], grid="n ceildiv 64", block=64, scalars="n")


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_a_gpu_kernel_is_an_operation(size):
    twice = tc.gpu_kernel(SCALE, "twice", **OPTIONS)
    with tc.device("sim:0"):
        x = tc.arange(size, dtype=tc.float32)
        assert (twice(x) + 1).tolist() == (np.arange(size) * 2 + 1).tolist()
        assert tc.jit(lambda x: twice(x * 3))(x).tolist() == (np.arange(size) * 6).tolist()


def test_a_kernel_has_no_derivative():
    twice = tc.gpu_kernel(SCALE, "twice", **OPTIONS)
    with tc.device("sim:0"), pytest.raises((ValueError, NotImplementedError), match="twice|kernel"):
        tc.grad(lambda x: twice(x).sum())(tc.ones(3)).eval()


def test_a_derivative_of_its_own():
    twice = tc.gpu_kernel(SCALE, "twice", **OPTIONS)
    with_derivative = tc.gpu_kernel(SCALE, "twice", **OPTIONS, derivative=lambda x, g: twice(g))
    with tc.device("sim:0"):
        x = tc.asarray([1.0, 2.0, 3.0])
        assert with_derivative(x).tolist() == [2, 4, 6]
        assert tc.grad(lambda x: (with_derivative(x) * x).sum())(x).tolist() == [4, 8, 12]
        assert tc.jit(tc.grad(lambda x: with_derivative(x * x).sum()))(x).tolist() == [4, 8, 12]
        step = tc.scan(lambda c, _: (with_derivative(c), c), x, tc.arange(2))[0]
        assert step.tolist() == [4, 8, 12]
        g = tc.grad(lambda x: tc.scan(lambda c, _: (with_derivative(c), c.sum()), x, tc.arange(3))[0].sum())(x)
        assert g.tolist() == [8, 8, 8]
        wrong = tc.gpu_kernel(SCALE, "twice", **OPTIONS, derivative=lambda x, g: (g, g))
        with pytest.raises(ValueError, match="twice: the derivative returns 2 gradients for 1 arrays"):
            wrong(x)


@pytest.mark.parametrize("size", [1, 5, 100])
def test_kernels_in_bodies(size):
    twice = tc.gpu_kernel(SCALE, "twice", **OPTIONS)
    n = np.arange(size, dtype=np.float32)
    with tc.device("sim:0"):
        x = tc.arange(size, dtype=tc.float32)
        # Loops and branches, one within the other, beside a call outside of them.
        carried, stacked = tc.scan(lambda c, _: (twice(c), twice(c) + 1), twice(x), tc.arange(3))
        assert carried.tolist() == (n * 16).tolist() and stacked[0].tolist() == (n * 4 + 1).tolist()
        assert tc.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, twice(c[1])), (tc.asarray(0), x))[1].tolist() == (n * 8).tolist()
        for up in (True, False):
            made = tc.cond(tc.asarray(up), lambda x: twice(x), lambda x: twice(twice(x)), x)
            assert made.tolist() == (n * (2 if up else 4)).tolist()
        nested = tc.fori_loop(0, 2, lambda i, c: tc.cond(i > 0, lambda c: twice(c), lambda c: c + 1, c), x)
        assert nested.tolist() == ((n + 1) * 2).tolist()
        # Examples of a batch run one after another.
        batch = tc.stack([x, x + 1, x + 2])
        assert tc.vmap(lambda x: twice(x) - x)(batch).tolist() == np.stack([n, n + 1, n + 2]).tolist()
        assert tc.vmap(lambda x: tc.scan(lambda c, _: (twice(c), c.sum()), x, tc.arange(2))[0])(batch).tolist() == (
            np.stack([n, n + 1, n + 2]) * 4).tolist()
        assert tc.jit(lambda x: tc.fori_loop(0, 4, lambda i, c: twice(c), x))(x).tolist() == (n * 16).tolist()


def test_wrong_kernels():
    here = r"test_kernels.py:\d+"
    with pytest.raises(ValueError, match=here):
        tc.gpu_kernel("gpu.module @m {", "twice", **OPTIONS)
    with pytest.raises(ValueError, match=here):
        tc.gpu_kernel(SCALE, "thrice", **OPTIONS)
    twice = tc.gpu_kernel(SCALE, "twice", **OPTIONS)
    with pytest.raises(TypeError, match="takes 1 arrays, not 2"):
        twice(tc.ones(2), tc.ones(2))
    with pytest.raises(ValueError, match=here):
        twice(tc.ones((2, 2)))
    with pytest.raises(ValueError, match="up to three"):
        tc.gpu_kernel(SCALE, "twice", **{**OPTIONS, "block": (1, 1, 1, 1)})
    with pytest.raises(TypeError):
        tc.gpu_kernel(SCALE, "twice", **{**OPTIONS, "inputs": [("nothing", "n")]})


def test_a_cuda_kernel_needs_a_cuda_device():
    source = "__global__ void twice(const float *x, float *out, int n) { int i = threadIdx.x; if (i < n) out[i] = 2 * x[i]; }"
    twice = tc.cuda_kernel(source, "twice", **OPTIONS)
    if tc.cuda.is_available():
        with tc.device("cuda:0"):
            assert twice(tc.ones(3)).tolist() == [2, 2, 2]
    else:
        with pytest.raises((ValueError, NotImplementedError, tc.DeviceError), match="twice"):
            twice(tc.ones(3)).eval()


def test_donated_arguments():
    step = tc.jit(lambda state, x: {"w": state["w"] + x}, donate_argnums=0)
    state, x = {"w": tc.zeros(1 << 16).eval()}, tc.ones(1 << 16).eval()
    for _ in range(3):
        given, state = state, step(state, x)
    assert state["w"].tolist()[:2] == [3, 3] and x.tolist()[0] == 1 and step.traces == 1
    for use in (lambda w: w + 1, lambda w: w.tolist(), lambda w: step({"w": w}, x), lambda w: w[0],
                lambda w: np.asarray(w), lambda w: tc.sum(w), lambda w: w.eval(), lambda w: w.device, lambda w: w.numpy(),
                lambda w: w.reshape(2, -1), lambda w: w.item(), lambda w: w.astype(tc.int32), lambda w: tc.matmul(w, x),
                lambda w: w.__dlpack__(), lambda w: memoryview(w), lambda w: np.from_dlpack(w), lambda w: pickle.dumps(w),
                lambda w: w.__setitem__(0, 1), lambda w: bool(w), lambda w: list(w)):  # fmt: skip
        with pytest.raises(ValueError, match="donated"):
            use(given["w"])
    line = inspect.currentframe().f_lineno
    given, state = state, step(state, x)
    with pytest.raises(ValueError, match=f"test_kernels.py:{line + 1}, .*what that call returns.*at .*test_kernels.py:{line + 3}"):
        tc.sum(given["w"])
    # The value is gone, its type is not.
    w = given["w"].__copy__()
    assert w.shape == (1 << 16,) and w.dtype == tc.float32 and w.ndim == 1 and w.size == len(w) == 1 << 16
    assert repr(w) == "array(donated, shape=(65536,), dtype=float32)"


checked = pytest.mark.skipif("TENSORC_CHECK" in os.environ, reason="TENSORC_CHECK=memory widens blocks")


@checked
def test_a_step_that_donates_is_fitted_into_a_limit():
    x = tc.asarray(np.random.default_rng(0).random((512, 64), np.float32))

    def loss(w):
        h = x
        for _ in range(4):
            h = tc.tanh(tc.matmul(h, w))
        return tc.mean(h * h)

    step = tc.jit(lambda w: w - 0.1 * tc.grad(loss)(w), donate_argnums=0)

    def train():
        w = tc.asarray(np.eye(64, dtype=np.float32)).eval()
        for _ in range(3):
            w = step(w)
        return w.tolist()

    expected, device = train(), tc.device("cpu")
    gc.collect()
    tc.empty_cache("cpu")
    tc.reset_peak("cpu")
    before = device.memory_stats()["allocated"]
    train()
    needed = device.memory_stats()["peak"] - before
    compilations = tc.compile_stats()["compilations"]
    device.set_memory_limit(before + needed * 3 // 4)
    try:
        assert train() == expected and tc.compile_stats()["compilations"] == compilations + 1 and step.traces == 1
    finally:
        device.set_memory_limit(0)


def repeated(x, w):
    """Reads the first product again at the end, so that it is in memory all the time unless it is computed again."""
    first = tc.matmul(x, w)
    h = first
    for _ in range(4):
        h = tc.matmul(tc.sigmoid(h), w)
    return tc.matmul(h * first, w)


def needs_of(run, device):
    """Returns the bytes of the device that are allocated before the call, and those that it needs."""
    gc.collect()
    tc.empty_cache(str(device))
    tc.reset_peak(str(device))
    before = device.memory_stats()["allocated"]
    run()
    return before, device.memory_stats()["peak"] - before


@checked
@pytest.mark.parametrize("make, dim", [(tc.jit, 96), (lambda f: f, 112)])
def test_programs_are_fitted_once_and_come_back(make, dim):
    random, device = np.random.default_rng(0), tc.device("cpu")
    x, w = (tc.asarray(random.random(shape, np.float32)).eval() for shape in ((512, dim), (dim, dim)))
    f = make(repeated)
    run = lambda: f(x, w).tolist()  # noqa: E731
    expected = run()
    before, needed = needs_of(run, device)

    def compilations():
        assert run() == expected
        return tc.compile_stats()["compilations"]

    whole = compilations()
    tc.reset_peak("cpu")
    try:
        # Each limit has a plan of its own, which is made once. A program for all sizes gets plans for all sizes first.
        device.set_memory_limit(before + needed * 9 // 10)
        fitted = compilations()
        assert whole < fitted <= whole + 2
        for _ in range(2):
            device.set_memory_limit(before + needed * 9 // 10)
            assert compilations() == fitted
        # The whole program comes back, and then the fitted one, without a compilation.
        device.set_memory_limit(0)
        assert compilations() == fitted and device.memory_stats()["peak"] == before + needed
        device.set_memory_limit(before + needed * 9 // 10)
        tc.reset_peak("cpu")
        assert compilations() == fitted and device.memory_stats()["peak"] < before + needed
    finally:
        device.set_memory_limit(0)


REFUSED = """
import numpy as np, pytest, tensorc as tc
from test_kernels import needs_of, repeated
device = tc.device("cpu")
x, w = (tc.asarray(np.ones(shape, np.float32)).eval() for shape in ((512, 80), (80, 80)))
for f in (tc.jit(repeated), repeated):
    run = lambda: f(x, w).tolist()
    run()
    before, needed = needs_of(run, device)
    for left in (needed // 8, needed // 8, needed // 9, needed // 9):
        device.set_memory_limit(before + left)
        with pytest.raises(MemoryError, match="limit"):
            run()
    device.set_memory_limit(0)
"""


@checked
def test_refusals_are_remembered():
    paths = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    environment = {**os.environ, "TENSORC_LOG": "compile", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", REFUSED], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    # The function and the evaluation have the same program, which is searched once.
    assert done.stderr.count("memory limit: failed") == 1, done.stderr


@checked
def test_a_batch_is_computed_in_parts_under_a_limit():
    random = np.random.default_rng(0)
    x, w, v = (tc.asarray(random.random(shape, np.float32)).eval() for shape in ((512, 64), (64, 2048), (2048, 64)))
    f = tc.jit(lambda x, w, v: tc.matmul(tc.sigmoid(tc.matmul(x, w)), v))
    expected, device = f(x, w, v).tolist(), tc.device("cpu")
    gc.collect()
    tc.empty_cache("cpu")
    tc.reset_peak("cpu")
    before = device.memory_stats()["allocated"]
    f(x, w, v).tolist()
    needed = device.memory_stats()["peak"] - before
    # Half is less than the hidden layer, which nothing but its parts can avoid.
    device.set_memory_limit(before + needed // 2)
    try:
        assert f(x, w, v).tolist() == expected
    finally:
        device.set_memory_limit(0)


def test_donated_twice_and_others():
    f = tc.jit(lambda x, y: x + y, donate_argnums=(0,))
    x = tc.ones(4)
    with pytest.raises(ValueError, match="twice"):
        f(x, x)
    y = x.__copy__()  # another holder of the value keeps it
    assert f(x, tc.ones(4)).tolist() == [2] * 4 and y.tolist() == [1] * 4
    assert f(np.ones(4, np.float32), y).tolist() == [2] * 4
    # Within another trace it is a call.
    z = tc.ones(4)
    assert tc.jit(lambda z: f(z, z * 2))(z).tolist() == [3] * 4 and z.tolist() == [1] * 4
