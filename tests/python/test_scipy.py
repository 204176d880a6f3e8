"""A few of SciPy's array API tests; scripts/scipy_tests.sh runs all of them."""

import os
import subprocess
import sys

import pytest


def test_a_sample():
    pytest.importorskip("scipy", "1.15")
    pytest.importorskip("hypothesis")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *filter(None, sys.path)])}
    made = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "scipy_backend", "-m", "array_api_backends",
         "--pyargs", "scipy.fft.tests.test_helper", "scipy.signal.tests.test_ltisys"],
        env=environment, capture_output=True, text=True)  # fmt: skip
    assert made.returncode == 0, made.stdout
    assert " passed" in made.stdout
