"""Portable artifacts of StableHLO, as jaxlib writes them: the same program as their text."""

import concurrent.futures
import ctypes

import numpy as np
import pytest
import tensorc as tc

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402


def floats(*shape):
    return np.ones(shape, np.float32)


ints = np.zeros((4,), np.int32)
CASES = {
    "dot_general": (lambda a, b: jnp.einsum("bij,bjk->bik", a, b), [floats(2, 3, 4), floats(2, 4, 5)]),
    "convolution": (lambda x, k: lax.conv(x, k, (2, 2), "SAME"), [floats(1, 3, 8, 8), floats(4, 3, 3, 3)]),
    "gather, scatter": (lambda x, i: x.at[i].add(x[i]), [floats(5, 3), ints]),
    "batched gather": (lambda x, i: jnp.take_along_axis(x, i, 1), [floats(4, 3), ints[:, None]]),
    "while, call": (lambda x: lax.fori_loop(0, 4, lambda i, s: jnp.where(s > i, s, i), x), [floats(3)]),
    "case": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos], x), [np.int32(1), floats(3)]),
    "sort": (jnp.sort, [floats(7)]),
    "reduce_window": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 2), "SAME"), [floats(4, 4)]),
    "packed constants": (lambda x: jnp.where(np.arange(10) % 3 == 0, x, 0), [floats(10)]),
    "fft": (jnp.fft.rfft, [floats(8)]),
    "algorithm": (lambda a, b: lax.dot(a, b, precision=lax.DotAlgorithmPreset.TF32_TF32_F32), [floats(3, 4), floats(4, 2)]),
}


@pytest.fixture(scope="module")
def library():
    return ctypes.CDLL(tc._core.__file__)  # which links libtensorc


def read(library, function, data):
    """The program's tx module, or the message."""
    program, text = ctypes.c_void_p(), ctypes.c_char_p()
    library.tensorc_status_message.restype = ctypes.c_char_p
    library.tensorc_program_to_mlir.restype = ctypes.c_void_p
    call = getattr(library, function)
    call.restype = ctypes.c_void_p
    status = call(data, ctypes.c_size_t(len(data)), b"jit", ctypes.byref(program))
    if status:
        return "refused: " + library.tensorc_status_message(ctypes.c_void_p(status)).decode()
    assert not library.tensorc_program_to_mlir(program, ctypes.byref(text))
    library.tensorc_program_release(program)
    return text.value.decode()


def lowered(name):
    function, arguments = CASES[name]
    # JAX refuses algorithms on its CPU backend.
    platform = "cuda" if name == "algorithm" else "cpu"
    return jax.jit(function).trace(*arguments).lower(lowering_platforms=(platform,)).compiler_ir("stablehlo")


@pytest.mark.parametrize("version", ["1.9.0", "1.15.0"])
@pytest.mark.parametrize("name", CASES)
def test_artifact_is_its_text(library, name, version):
    module = lowered(name)
    text = module.operation.get_asm(print_generic_op_form=True, large_elements_limit=None)
    text = text.replace("jax.result_info", "jax.ignored").encode()
    artifact = stablehlo.serialize_portable_artifact_str(str(module), version)
    expected = read(library, "tensorc_program_read", text)
    assert expected.startswith("module")
    assert read(library, "tensorc_program_read_artifact", artifact) == expected
    assert read(library, "tensorc_program_read", artifact).startswith("refused")


def test_programs_that_share_a_context_do_not_depend_on_each_other(library):
    """Small artifacts are read into one MLIR context: some programs are released while others are read by other threads."""
    library.tensorc_program_to_mlir.restype = ctypes.c_void_p

    def artifact(i):
        text = f"func.func public @main(%a: tensor<{i + 1}xf32>) -> tensor<{i + 1}xf32> {{ return %a : tensor<{i + 1}xf32> }}"
        return stablehlo.serialize_portable_artifact_str(text, "1.15.0")

    artifacts = [artifact(i) for i in range(120)]

    def use(first):
        programs = {}
        for i in range(first, len(artifacts), 3):
            programs[i] = ctypes.c_void_p()
            data = artifacts[i]
            assert read(library, "tensorc_program_read_artifact", data[:-9]).startswith("refused")
            assert not library.tensorc_program_read_artifact(data, ctypes.c_size_t(len(data)), b"f", ctypes.byref(programs[i]))
            if i % 2:
                library.tensorc_program_release(programs.pop(i))
        for i, program in programs.items():
            text = ctypes.c_char_p()
            assert not library.tensorc_program_to_mlir(program, ctypes.byref(text))
            assert f"tensor<{i + 1}xf32>" in text.value.decode()
            library.tensorc_program_release(program)
        return len(programs)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(use, range(3))) == 60


def test_donation_is_told(library):
    donating = jax.jit(lambda x, y: x + y, donate_argnums=1).lower(floats(3), floats(3)).compiler_ir("stablehlo")
    artifact = stablehlo.serialize_portable_artifact_str(str(donating), "1.15.0")
    program = ctypes.c_void_p()
    assert not library.tensorc_program_read_artifact(artifact, ctypes.c_size_t(len(artifact)), None, ctypes.byref(program))
    assert [library.tensorc_program_donates(program, i) for i in range(-1, 3)] == [0, 0, 1, 0]
    library.tensorc_program_release(program)


@pytest.mark.parametrize("size", [4, 5, 20, 100, 300, -1])
def test_a_part_of_an_artifact_is_refused(library, size):
    artifact = stablehlo.serialize_portable_artifact_str(str(lowered("sort")), "1.15.0")
    assert read(library, "tensorc_program_read_artifact", artifact[:size]).startswith("refused: read: ")


@pytest.mark.parametrize("dtype", ["f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E4M3", "f8E8M0FNU", "f4E2M1FN",
                                   "f6E2M3FN", "f6E3M2FN", "tf32"])  # fmt: skip
def test_a_dtype_without_values_is_named(library, dtype):
    text = f"func.func public @main(%a: tensor<4x{dtype}>) -> tensor<4x{dtype}> {{ return %a : tensor<4x{dtype}> }}"
    artifact = stablehlo.serialize_portable_artifact_str(text, "1.15.0")
    assert f"'tensor<4x{dtype}>'" in read(library, "tensorc_program_read_artifact", artifact)
