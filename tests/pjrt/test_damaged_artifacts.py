"""Damaged portable artifacts: each is refused or read, and none ends the process."""

import ctypes
import os
import random
import subprocess
import sys

import pytest

if "tensorc" not in os.environ.get("JAX_PLATFORMS", ""):
    pytest.skip("JAX_PLATFORMS does not name tensorc", allow_module_level=True)
jax = pytest.importorskip("jax", reason="no jax: see scripts/install-deps.sh")
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402

FUNCTIONS = [
    (lambda x: jax.lax.fori_loop(0, 4, lambda i, s: jnp.where(s > i, s, i), x), np.ones(3, np.float32)),
    (lambda x: jnp.sort(x @ x.T), np.ones((3, 4), np.float32)),
    (lambda x: x.at[np.array([0, 2])].add(x[:2]), np.ones((5, 3), np.float32)),
]


def artifacts():
    for function, argument in FUNCTIONS:
        module = jax.jit(function).lower(argument).compiler_ir("stablehlo")
        yield stablehlo.serialize_portable_artifact_str(str(module), "1.13.0")


def read(library, data):
    """The message of a refusal, or None."""
    program = ctypes.c_void_p()
    status = library.tensorc_program_read_artifact(data, ctypes.c_size_t(len(data)), b"jit", ctypes.byref(program))
    if status:
        return library.tensorc_status_message(ctypes.c_void_p(status)).decode(errors="replace")
    library.tensorc_program_release(program)


def open_library():
    library = ctypes.CDLL(os.environ["TENSORC_PJRT_LIBRARY"])  # which links libtensorc
    library.tensorc_program_read_artifact.restype = ctypes.c_void_p
    library.tensorc_status_message.restype = ctypes.c_char_p
    return library


def damage(data, draw):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 4])):
        data[draw.randrange(4, len(data))] = draw.randrange(256)
    return bytes(data)


def test_damaged():
    subprocess.run([sys.executable, __file__], check=True, timeout=3600)  # only a hang takes as long


@pytest.mark.parametrize("size", [4, 5, 20, 100, 300, -1])
def test_a_part_is_refused(size):
    data = next(artifacts())
    assert read(open_library(), data) is None
    assert read(open_library(), data[:size]).startswith("read: ")


if __name__ == "__main__":
    draw, library, whole = random.Random(7), open_library(), list(artifacts())
    refused = sum(read(library, damage(draw.choice(whole), draw)) is not None for _ in range(200))
    assert refused > 100, refused
