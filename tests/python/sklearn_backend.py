"""A pytest plugin that runs scikit-learn's array API tests over tensorc: `pytest -p sklearn_backend -k tensorc --pyargs sklearn`.

Each test that scikit-learn runs for all namespaces runs once, with tensorc as the only one. BACKEND=torch runs the same tests
with PyTorch's CPU instead, to compare.
"""

import os

os.environ["SCIPY_ARRAY_API"] = "1"
BACKEND = os.environ.get("BACKEND", "tensorc")


def pytest_configure(config):
    from sklearn.utils import _array_api

    def namespaces(include_numpy_namespaces=True):
        yield BACKEND

    def combinations(include_numpy_namespaces=True):
        yield BACKEND, "cpu", "float64"

    _array_api.yield_namespaces = namespaces
    _array_api.yield_namespace_device_dtype_combinations = combinations
    if BACKEND == "tensorc":
        import tensorc

        tensorc.set_default_dtype(tensorc.float64)
