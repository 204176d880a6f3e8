"""What a program of JAX meets besides the numbers: devices, arrays, donation, errors, callbacks, the cache."""

import contextlib
import ctypes
import functools
import os
import subprocess
import sys
import threading

import pytest

if "tensorc" not in os.environ.get("JAX_PLATFORMS", ""):
    pytest.skip("JAX_PLATFORMS does not name tensorc", allow_module_level=True)
jax = pytest.importorskip("jax", reason="no jax: see scripts/install-deps.sh")
import jax.numpy as jnp  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax.experimental import io_callback  # noqa: E402


def test_copies_have_their_own_memory():
    x = jnp.arange(10.0)
    forwards = jax.jit(lambda x: (x + 1, x))
    for copy in (jnp.array(x), jnp.copy(x), jax.jit(jnp.asarray)(x), forwards(x)[1], forwards(x)[1]):
        assert copy.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()
        np.testing.assert_array_equal(copy, x)
    # Which argument a result is may depend on values.
    choose = jax.jit(lambda p, x: jax.lax.cond(p, lambda x: x, lambda x: jnp.flip(x), x))
    for p in (False, True):
        chosen = choose(p, x)
        assert chosen.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()
        np.testing.assert_array_equal(chosen, x if p else np.flip(x))


def test_devices():
    (device,) = jax.devices()
    assert device.platform == "tensorc" and device.device_kind == "cpu"
    assert jax.device_count() == 1 and device.default_memory().kind == "device"
    assert device.memory_stats()["peak_bytes_in_use"] >= 0
    assert "cpu:0" in repr(device)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint16", "uint32", "float16", "float64", "complex64", "complex128",
                                   "bfloat16", "int4", "uint4", "float8_e5m2", "float8_e4m3fn"])  # fmt: skip
def test_arrays_come_back(dtype):
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    with jax.enable_x64(True):
        given = np.arange(15).reshape(3, 5).astype(dtype)
        for x in (given, given.T, given[::-1, ::2], given[1], given[:, :0], given[2, 3]):
            made = np.asarray(jax.device_put(x))
            assert made.dtype == dtype and made.shape == x.shape and (made == x).all()


def test_bools_of_any_byte():
    x = np.array([0, 1, 96, 255], np.uint8).view(bool)
    assert np.asarray(jax.device_put(x)).tobytes() == bytes([0, 1, 1, 1])


def test_large_arrays_are_read_in_place():
    x = jax.device_put(np.arange(1 << 16, dtype=np.float32))
    assert np.asarray(x).ctypes.data == x.unsafe_buffer_pointer()


def test_the_host_array_is_kept():
    def put():
        x = np.arange(1 << 16, dtype=np.float32)
        return jax.device_put(x)

    y = put()
    np.full(1 << 16, 7, np.float32)  # would lie where x was
    assert float(y[-1]) == (1 << 16) - 1


def test_donation():
    add = jax.jit(lambda x, y: x + y, donate_argnums=0)
    x, y = jnp.ones(1 << 16), jnp.ones(1 << 16)
    place = x.unsafe_buffer_pointer()
    z = add(x, y)
    assert x.is_deleted() and not y.is_deleted() and float(z[5]) == 2
    assert z.unsafe_buffer_pointer() == place
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(x)


def test_a_donated_array_that_numpy_reads_keeps_its_memory():
    x = jnp.ones(1 << 16)
    view = np.asarray(x)
    jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert view.min() == view.max() == 1


@pytest.mark.parametrize("offset", [0, 4, 16])  # from an address that kernels need for donated arguments
def test_arrays_of_numpy_are_donated(offset):
    raw = np.zeros((1 << 16) + 128, np.uint8)
    given = raw[-raw.ctypes.data % 64 + offset :][: 1 << 16].view(np.float32)
    f = jax.jit(lambda x: x + 1, donate_argnums=0)
    for add in (f, f.lower(given).compile()):
        x = jax.device_put(given)
        y = add(x)
        assert x.is_deleted() and float(y[-1]) == 1 and not given.any()


def test_deletion():
    x = jnp.ones(3)
    x.delete()
    assert x.is_deleted()
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(x)


def test_a_refusal_names_the_line():
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"app_missing.*test_plugin.py:\d+"):
        jax.jit(lambda x: jax.ffi.ffi_call("app_missing", jax.ShapeDtypeStruct((), np.float32))(x))(1.0)


def test_compiled_ahead():
    compiled = jax.jit(lambda x: x * 2).lower(np.ones((4, 4), np.float32)).compile()
    assert np.asarray(compiled(np.ones((4, 4), np.float32))).tolist() == [[2.0] * 4] * 4
    memory = compiled.memory_analysis()
    assert memory.output_size_in_bytes == memory.argument_size_in_bytes == 64
    assert memory.host_argument_size_in_bytes == memory.host_temp_size_in_bytes == 0
    assert "f32[4,4]{1,0} multiply(" in compiled.as_text()
    (inputs, _), output = compiled.input_formats, compiled.output_formats
    assert inputs[0].layout.major_to_minor == output.layout.major_to_minor == (0, 1)


def test_hosts_do_not_parse_programs():
    """Without the extensions a host parses each compiled program for the layouts and shardings."""
    library = ctypes.CDLL(os.environ["TENSORC_PJRT_LIBRARY"])
    library.GetPjrtApi.restype = ctypes.c_void_p
    optimized_program = 40 + 48 * 8  # its position in the table
    entry = ctypes.c_void_p.from_address(library.GetPjrtApi() + optimized_program)
    function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
    former, calls = function(entry.value), []
    counting = function(lambda arguments: calls.append(arguments) or former(arguments))
    address, entry.value = entry.value, ctypes.cast(counting, ctypes.c_void_p).value
    try:
        compiled = jax.jit(lambda x: x - 0.125).lower(np.ones((4, 4), np.float32)).compile()
        compiled(np.ones((4, 4), np.float32))
        assert not calls
        compiled.as_text()
        assert calls
    finally:
        entry.value = address


def test_compiler_options():
    lowered = jax.jit(lambda x: x + 1).lower(1.0)
    for accepted in ({"xla_embed_ir_in_executable": True}, {"xla_embed_ir_in_executable": "false"}, {"xla_dump_to": ""}):
        assert lowered.compile(compiler_options=accepted)(1.0) == 2
    for refused, message in (
        ({"fast": True}, "No such compile option: 'fast'"),
        ({"xla_embed_ir_in_executable": "yes"}, "xla_embed_ir_in_executable, 'yes' is not a valid bool"),
        ({"xla_embed_ir_in_executable": -3}, "'-3' is not a valid bool"),
    ):
        with pytest.raises(jax.errors.JaxRuntimeError, match=message):
            lowered.compile(compiler_options=refused)


DELAYED = """
import time
import jax
import numpy as np

seconds = 0.3  # of each launch
for donated in ((), 0):
    f = jax.jit(lambda x: x * 2, donate_argnums=donated)
    x = f(jax.device_put(np.ones(8, np.float32))).block_until_ready()
    x = f(x).block_until_ready()
    start = time.monotonic()
    for _ in range(3):
        x = f(x)
    assert not x.is_ready()
    x.block_until_ready()
    assert time.monotonic() - start > 2.5 * seconds
    assert np.asarray(x).tolist() == [32] * 8
"""


def test_results_of_an_asynchronous_device_are_ready_when_its_work_is_done():
    environment = dict(
        os.environ, JAX_PLATFORMS="tensorc", TENSORC_JAX_DEVICES="sim:0", TENSORC_SIM_DELAY="300000"
    )
    subprocess.run([sys.executable, "-c", DELAYED], env=environment, check=True)


def test_long_calls_return_before_their_results_are_there():
    f = jax.jit(lambda x: x @ x / 800)
    x = jnp.ones((800, 800))
    for _ in range(3):  # a program whose last run was short runs at once
        f(x).block_until_ready()
    assert not all(f(x).is_ready() for _ in range(50))
    y = f(f(x))
    assert np.asarray(y).tolist() == np.ones((800, 800)).tolist()


def test_an_error_of_a_run_belongs_to_its_results():
    import tensorc as tc

    f = jax.jit(lambda x: x @ x / 800)
    x = jnp.ones((800, 800))
    for _ in range(3):
        f(x).block_until_ready()
    np.asarray(x)
    tc.set_memory_limit(tc.memory_stats()["allocated"] + 1000)
    try:
        # A run that starts at once, because the last one was short, fails in the call, and a later one in its results.
        for run in (lambda: f(x), lambda: f(f(x))):
            with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match="limit"):
                run().block_until_ready()
    finally:
        tc.set_memory_limit(0)
    assert float(f(x)[0, 0]) == 1


def test_tridiagonal_solve_perturbs_singular_systems():
    solve = jax.lax.linalg.tridiagonal_solve
    lower, diagonal, upper, b = np.float32([[0, 2, -2, 3], [1, 4, 1, -1], [2, -1, 1, 0], [1, 2, 3, 4]])
    np.testing.assert_allclose(solve(lower, diagonal, upper, b[:, None])[:, 0], [8, -3.5, 0, -4], rtol=1e-5)
    if jax.__version_info__ < (0, 10):
        return
    perturbed = jax.jit(functools.partial(solve, perturb_singular=True))
    batch = [np.stack([x, x]) for x in (lower, diagonal, upper, b[:, None])]
    np.testing.assert_allclose(perturbed(*batch)[..., 0], [[8, -3.5, 0, -4]] * 2, rtol=1e-5)
    for singular in (np.zeros((3, 3), np.float32), np.float32([[0, 1], [1, 3], [3, 0]])):
        x = np.asarray(perturbed(*singular, np.ones((singular.shape[1], 1), np.float32) + np.arange(singular.shape[1])[:, None]))
        assert np.isfinite(x).all() and (np.abs(x) > 1e6).all()


def test_dlpack():
    x = jnp.arange(6.0).reshape(2, 3)
    y = np.from_dlpack(x)
    assert y.ctypes.data == x.unsafe_buffer_pointer() and x.__dlpack_device__() == (1, 0)
    del x
    np.testing.assert_array_equal(y, np.arange(6.0).reshape(2, 3))
    x = jnp.ones(3, "int8")
    assert np.from_dlpack(x, copy=True).ctypes.data != x.unsafe_buffer_pointer()
    # An array that another library reads is not overwritten.
    y = np.from_dlpack(x)
    z = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert y.tolist() == [1, 1, 1] and z.tolist() == [2, 2, 2]
    x = jnp.from_dlpack(y, device=jax.devices()[0])
    assert x.devices() == set(jax.devices()) and x.tolist() == [1, 1, 1]
    on_the_cpu = jax.device_put(y, jax.devices("cpu")[0])
    assert np.from_dlpack(on_the_cpu).tolist() == [1, 1, 1]
    with pytest.raises(BufferError):
        jnp.ones(3, "bfloat16").__dlpack__()


def test_export():
    exported = jax.export.export(jax.jit(jnp.sin), platforms=["tensorc"])(np.ones(3, np.float32))
    np.testing.assert_allclose(exported.call(np.ones(3, np.float32)), np.sin(np.ones(3)), rtol=1e-6)


def test_pure_callback():
    def sine(x):
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential")

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_allclose(jax.jit(sine)(x), np.sin(x), rtol=1e-6)
    np.testing.assert_allclose(jax.jit(jax.vmap(sine))(x), np.sin(x), rtol=1e-6)


def test_effects_happen_once_and_in_order():
    seen = []

    @jax.jit
    def f(x):
        io_callback(lambda: seen.append("first"), None, ordered=True)

        def body(i, s):
            jax.debug.callback(lambda i: seen.append(int(i)), i)
            jax.debug.callback(lambda: seen.append("same"))
            return s + i

        y = jax.lax.fori_loop(0, 3, body, x)
        doubled = io_callback(lambda v: np.float32(2 * v), jax.ShapeDtypeStruct((), np.float32), y, ordered=True)
        io_callback(lambda: seen.append("last"), None, ordered=True)
        return doubled

    assert float(f(1.0)) == 8
    jax.effects_barrier()
    assert seen == ["first", 0, "same", 1, "same", 2, "same", "last"]


def test_effects_without_results():
    seen = []

    @jax.jit
    def f(x):
        jax.debug.callback(lambda: seen.append("first"))
        jax.lax.cond(x > 0, lambda: jax.debug.callback(lambda: seen.append("positive")), lambda: None)
        jax.lax.fori_loop(0, 2, lambda i, _: (jax.debug.callback(lambda i: seen.append(int(i)), i), _)[1], None)

    for x in (1.0, -1.0):
        assert f(x) is None
        jax.effects_barrier()
    assert seen == ["first", "positive", 0, 1, "first", 0, 1]


def test_costs():
    costs = jax.jit(lambda x: x @ x).lower(np.ones((64, 64), np.float32)).compile().cost_analysis()
    assert costs["flops"] == 2 * 64**3 and costs["bytes accessed"] >= 2 * 4 * 64 * 64 and costs["kernels"] >= 1


def test_an_exception_of_a_callback():
    def bad(x):
        raise ValueError("not this one")

    with pytest.raises(jax.errors.JaxRuntimeError, match="ValueError: not this one"):
        jax.jit(lambda x: jax.pure_callback(bad, jax.ShapeDtypeStruct((), np.float32), x))(1.0)


def test_threads():
    f = jax.jit(lambda x: jnp.tanh(x @ x).sum())
    x = np.eye(16, dtype=np.float32)
    results = []

    def work():
        for _ in range(50):
            results.append(float(f(x)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 200 and len(set(results)) == 1


def test_serialized_executables():
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: jnp.sort(x) * 2).lower(np.ones(5, np.float32)).compile()
    loaded = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    x = np.array([3, 1, 2, 5, 4], np.float32)
    assert np.asarray(loaded(x)).tolist() == [2, 4, 6, 8, 10]


@contextlib.contextmanager
def _cache_in(folder):
    """JAX's disk cache, for every program."""
    from jax.experimental.compilation_cache import compilation_cache

    names = {"jax_compilation_cache_dir": str(folder), "jax_persistent_cache_min_compile_time_secs": 0.0,
             "jax_persistent_cache_min_entry_size_bytes": -1}  # fmt: skip
    before = {name: getattr(jax.config, name) for name in names}
    for name, value in names.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()
    yield
    for name, value in before.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()


def test_the_disk_cache(tmp_path):
    events = []
    jax.monitoring.register_event_listener(lambda name, **_: events.append(name))
    with _cache_in(tmp_path):
        for _ in range(2):
            assert np.asarray(jax.jit(lambda x: jnp.cumsum(x) + 5)(np.ones(3, np.float32))).tolist() == [6, 7, 8]
            jax.clear_caches()
    assert "/jax/compilation_cache/cache_hits" in events and any(tmp_path.iterdir())


def test_other_platforms_load_nothing_of_it():
    program = "import jax; assert jax.devices()[0].platform == 'cpu'; assert 'tensorc' not in open('/proc/self/maps').read()"
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    subprocess.run([sys.executable, "-W", "error", "-c", program], env=environment, check=True)
