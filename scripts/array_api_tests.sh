#!/usr/bin/env bash
# Runs the array API consortium's suite (https://github.com/data-apis/array-api-tests)
# on the Python package:
#   array_api_tests.sh SUITE [--max-examples N ...]
# SUITE is a checkout, which is copied. PYTHON (default .venv/bin/python3) must have pytest. Requirements of the suite
# that it lacks are installed into a temporary environment. PYTHONPATH names the package (build/python).
# tests/python/array_api_xfails.txt lists the failing tests with the reasons.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
suite=$(cd "$1" && pwd)
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$suite" "$scratch/suite"
python=${PYTHON:-$root/.venv/bin/python3}
export PYTHONPATH=${PYTHONPATH:-$root/build/python} ARRAY_API_TESTS_MODULE=tensorc
if ! "$python" -c 'import hypothesis, ndindex, pytest_jsonreport' 2>/dev/null; then
  "$python" -m venv --system-site-packages "$scratch/venv"
  "$scratch/venv/bin/pip" install -q -r "$suite/requirements.txt" numpy
  python=$scratch/venv/bin/python3
fi
cd "$scratch/suite"
"$python" -m pytest -q -p no:cacheprovider --disable-deadline --xfails-file "$root/tests/python/array_api_xfails.txt" \
  array_api_tests "$@"
