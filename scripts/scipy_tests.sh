#!/usr/bin/env bash
# Runs the array API tests of an installed SciPy over the Python package:
#   scipy_tests.sh [scipy.fft scipy.signal.tests.test_windows ...] [-k EXPRESSION ...]
# PYTHON (.venv/bin/python3) has scipy, pytest and hypothesis, none of which the tree's environment needs; PYTHONPATH names the
# package (build/python). SAMPLE=6 keeps one of six tests, BACKEND=torch runs PyTorch instead. docs/conformance.md has the counts.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-$root/.venv/bin/python3}
export PYTHONPATH=${PYTHONPATH:-$root/build/python}:$root/tests/python
"$python" -m pytest -q -p no:cacheprovider -p scipy_backend -m array_api_backends --tb=short --pyargs "$@"
