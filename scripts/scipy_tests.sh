#!/usr/bin/env bash
# Runs the array API tests of an installed SciPy on the Python package:
#   scipy_tests.sh [scipy.fft scipy.signal.tests.test_windows ...] [-k EXPRESSION ...]
# PYTHON (default .venv/bin/python3) must have scipy, pytest and hypothesis, which the project's environment does not
# include. PYTHONPATH names the package (build/python). SAMPLE=6 runs one of six tests. BACKEND=torch tests PyTorch
# instead. docs/conformance.md has the results.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-$root/.venv/bin/python3}
export PYTHONPATH=${PYTHONPATH:-$root/build/python}:$root/tests/python
"$python" -m pytest -q -p no:cacheprovider -p scipy_backend -m array_api_backends --tb=short --pyargs "$@"
