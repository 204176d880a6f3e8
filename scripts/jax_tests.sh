#!/usr/bin/env bash
# Runs tests of JAX on the plugin, file by file, and prints how many passed:
#
#   scripts/jax_tests.sh CHECKOUT [FILE ...]
#
# CHECKOUT is a checkout of JAX at the version that is installed in .venv-jax, or for
# PYTHON. pytest-timeout, hypothesis, mpmath, cloudpickle, portpicker, scipy and absl-py
# must be installed as well. FILE is a test in the checkout's folder tests, without the
# suffix (default: the tests listed in docs/jax.md). SAMPLE=n runs one case in n, chosen by
# a hash of its name. DEVICE_UNDER_TEST=cpu also runs the cases that JAX skips on platforms
# other than its CPU backend. JAX_PLATFORMS=cpu runs all on that backend. Failures are listed
# in the folder RESULTS (default: build/jax-tests), with one file per test file.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=${1:?usage: scripts/jax_tests.sh CHECKOUT [FILE ...]}
shift
root=$PWD
python=${PYTHON:-$root/.venv-jax/bin/python}
results=${RESULTS:-$root/build/jax-tests}
files=("$@")
if [ ${#files[@]} = 0 ]; then
  files=(lax_test lax_numpy_test lax_numpy_indexing_test lax_numpy_reducers_test lax_numpy_operators_test
    lax_numpy_ufuncs_test nn_test random_test fft_test lax_control_flow_test lax_autodiff_test api_test linalg_test)
fi
mkdir -p "$results"
export JAX_PLATFORMS=${JAX_PLATFORMS:-tensorc}
export TENSORC_PJRT_LIBRARY=${TENSORC_PJRT_LIBRARY:-$root/build/lib/libtensorc_pjrt.so}
export PYTHONPATH=$root/build/python:$root/scripts/jax_sample:$checkout
for file in "${files[@]}"; do
  log=$results/$file.txt
  (cd "$checkout" && "$python" -m pytest -q -p sample -p no:cacheprovider --timeout 120 --tb=line "tests/$file.py") >"$log" 2>&1 || true
  echo "$file: $(tail -n 1 "$log")"
done
