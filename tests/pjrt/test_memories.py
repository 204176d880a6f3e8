"""Arrays in the memories of a device and of its host: on the CPU, and on a simulated device, whose memory the host cannot read."""

import os
import subprocess
import sys

import pytest

if "tensorc" not in os.environ.get("JAX_PLATFORMS", ""):
    pytest.skip("JAX_PLATFORMS does not name tensorc", allow_module_level=True)
jax = pytest.importorskip("jax", reason="no jax: see scripts/install-deps.sh")
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import SingleDeviceSharding  # noqa: E402

IS_SIM = os.environ.get("TENSORC_JAX_DEVICES") == "sim:0"
HOSTS = ["pinned_host", "unpinned_host"]
X = np.arange(1 << 14, dtype=np.float32)

if not IS_SIM:

    def test_on_a_simulated_device():
        environment = dict(os.environ, TENSORC_JAX_DEVICES="sim:0")
        subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__], env=environment, check=True)


def memory(kind="device"):
    return SingleDeviceSharding(jax.devices()[0], memory_kind=kind)


def check(x, expected, kind):
    assert x.sharding.memory_kind == kind
    np.testing.assert_array_equal(x, expected)


def used():
    return jax.devices()[0].memory_stats()["bytes_in_use"]


def test_kinds():
    device = jax.devices()[0]
    kinds = [(m.kind, [d.id for d in m.addressable_by_devices()]) for m in device.addressable_memories()]
    assert kinds == [(kind, [device.id]) for kind in ("device", *HOSTS)]
    assert device.default_memory().kind == "device" and device.memory("pinned_host").kind == "pinned_host"
    with pytest.raises(ValueError, match="Could not find memory"):
        memory("hbm")


@pytest.mark.parametrize("kind", HOSTS)
def test_arrays_move(kind):
    from_host = jax.device_put(X, memory(kind))
    check(from_host, X, kind)
    on_device = jax.device_put(from_host, memory())
    check(on_device, X, "device")
    check(jax.device_put(on_device, on_device.sharding.with_memory_kind(kind)), X, kind)
    for dtype in ("bool", "int4", "complex64"):  # those that differ between memories
        given = (np.arange(15) % 3).reshape(3, 5).astype(getattr(jnp, dtype))
        back = jax.device_put(jax.device_put(given.T, memory(kind)), memory())
        assert back.dtype == given.dtype and (np.asarray(back) == given.T).all()


@pytest.mark.skipif(not IS_SIM, reason="the memory of a CPU is the host's")
def test_the_device_does_not_hold_what_is_on_the_host():
    before = used()
    x = jax.device_put(X, memory("pinned_host"))
    assert used() == before
    y = jax.device_put(x, memory())
    assert used() == before + X.nbytes
    z = jax.device_put(y, memory("pinned_host"))
    y.delete()
    assert used() == before and np.asarray(z).ctypes.data == z.unsafe_buffer_pointer()


def test_dlpack():
    x = jax.device_put(X, memory("pinned_host"))
    assert np.from_dlpack(x).ctypes.data == x.unsafe_buffer_pointer()
    if IS_SIM:
        with pytest.raises((BufferError, jax.errors.JaxRuntimeError), match="DLPack|only supported for CPU and GPU"):
            np.from_dlpack(jax.device_put(x, memory()))


def test_computations():
    host = memory("pinned_host")

    def step(state, gradient):
        state, gradient = jax.device_put((state, gradient), memory())
        state = 0.5 * state + gradient
        return state, jnp.sum(state)

    f = jax.jit(step, out_shardings=(host, memory()))
    state = jax.device_put(X, host)
    compiled = f.lower(state, X).compile()
    assert [s.memory_kind for s in compiled.output_shardings] == ["pinned_host", "device"]
    expected = X
    for gradient in (X, X + 1, X + 2):
        state, total = f(state, gradient)
        expected = np.float32(0.5) * expected + gradient
        check(state, expected, "pinned_host")
        assert total.sharding.memory_kind == "device" and float(total) == pytest.approx(float(expected.sum()), rel=1e-4)
    # Arguments may be in another memory than the program was compiled for.
    assert float(jax.jit(jnp.sum)(jax.device_put(X, host))) == pytest.approx(float(X.sum()), rel=1e-4)


def test_donation():
    host = memory("pinned_host")
    on_host = jax.device_put(X, host)
    add = jax.jit(lambda x, y: jax.device_put(x, memory()) + y, donate_argnums=0)
    check(add(on_host, X), 2 * X, "device")
    assert on_host.is_deleted()
    # A copy in another memory keeps its value when the original is donated.
    x = jax.device_put(X, memory())
    copies = [jax.device_put(x, host), jax.device_put(x, jax.devices()[0], may_alias=False)]
    check(jax.jit(lambda x: x + 1, donate_argnums=0)(x), X + 1, "device")
    assert x.is_deleted()
    check(copies[0], X, "pinned_host")
    check(copies[1], X, "device")


def test_serialized_executables_keep_memories():
    from jax.experimental import serialize_executable

    host = memory("pinned_host")
    f = jax.jit(lambda x: jax.device_put(x, memory()) * 2, out_shardings=host)
    compiled = f.lower(jax.device_put(X, host)).compile()
    loaded = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    for run in (compiled, loaded):
        check(run(jax.device_put(X, host)), 2 * X, "pinned_host")


def test_asynchronous_results():
    size = 64 if IS_SIM else 800
    f = jax.jit(lambda x: x @ x / size, out_shardings=memory("pinned_host"))
    g = jax.jit(lambda x: jax.device_put(x, memory()) @ jnp.eye(size))
    x = jnp.ones((size, size))
    for _ in range(3):
        y = g(f(x))
    check(y, np.ones((size, size)), "device")
