"""A pytest plugin that runs SciPy's array API tests over tensorc: `pytest -p scipy_backend --pyargs scipy.ndimage`.

SciPy must see SCIPY_ARRAY_API=1 before it is imported. Each test that takes SciPy's fixture `xp` runs once, with tensorc in
its place. A test that SciPy skips or expects to fail for both JAX and PyTorch is skipped: it is a test of NumPy alone.
SAMPLE=6 keeps one of six tests, drawn by a hash of its name. BACKEND=torch runs the tests over PyTorch instead, which shows
what another library passes.
"""

import importlib
import os
import zlib

os.environ["SCIPY_ARRAY_API"] = "1"

import pytest  # noqa: E402

BACKEND = os.environ.get("BACKEND", "tensorc")
MODELS = ("jax.numpy", "torch")


def pytest_configure(config):
    if BACKEND == "tensorc":
        # As SciPy does with PyTorch, whose default is float32, too.
        tensorc = importlib.import_module("tensorc")
        tensorc.set_default_dtype(tensorc.float64)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc):
    """Parametrizes `xp` as a mark would, which goes before the parameters of SciPy's fixture."""
    if "xp" in metafunc.fixturenames:
        backend = pytest.param(importlib.import_module(BACKEND), id=BACKEND, marks=pytest.mark.array_api_backends)
        metafunc.definition.add_marker(pytest.mark.parametrize("xp", [backend], indirect=True))


def pytest_collection_modifyitems(config, items):
    sample = int(os.environ.get("SAMPLE", "1"))
    drawn = [item for item in items if zlib.crc32(item.nodeid.replace(BACKEND, "xp").encode()) % sample == 1 % sample]
    config.hook.pytest_deselected(items=[item for item in items if item not in drawn])
    items[:] = drawn


def pytest_collection_finish(session):
    import scipy.conftest

    reasons_of = scipy.conftest._backends_kwargs_from_request

    def reasons(request, skip_or_xfail):
        result = reasons_of(request, skip_or_xfail)
        if all(model in result for model in MODELS):
            result["tensorc"] = f"{MODELS[0]}: {result[MODELS[0]]}"
        return result

    scipy.conftest._backends_kwargs_from_request = reasons
