#!/usr/bin/env bash
# Makes a wheel from a build (default: build), tags it for the oldest glibc with which it runs, installs it into an
# empty environment, and tests it there.
#   test_wheel.sh [BUILD [pip's options...]]
# PYTHON=PATH makes the wheel for another Python than that of .venv: only the extension is compiled, the libraries are
# those of the build. Python 3.12 and later make the wheel of the stable ABI. ALSO="PATH..." installs and tests the
# wheel with more Pythons. WHEELS=FOLDER keeps the wheel in this folder, with its checksum in SHA256SUMS.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true
max_megabytes=40
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
environment=.venv
options=(-C build-dir="$build")
if [ -n "${PYTHON:-}" ]; then
  environment=$scratch/environment
  "$PYTHON" -m venv "$environment"
  "$environment/bin/pip" install -q 'scikit-build-core>=0.10' 'nanobind>=2.4' 'numpy>=1.24' 'cmake>=3.26'
  for component in runtime compiler python; do
    cmake --install "$build" --prefix "$scratch/prefix" --component $component >"$scratch/log"
  done
  options=(-C build-dir="$scratch/build" -C cmake.source-dir=python -C cmake.define.TENSORC_PREFIX="$scratch/prefix"
    -C "build.targets=tensorc_python;tensorc_python_stub")
fi
"$environment/bin/pip" wheel -q . --no-build-isolation --no-deps "${options[@]}" "$@" -w "$scratch"
wheel=$("$environment/bin/python3" scripts/tag_wheel.py "$scratch"/*.whl)
megabytes=$(($(stat -c %s "$wheel") / 1000000))
echo "$(basename "$wheel"): $megabytes MB"
if [ $megabytes -gt $max_megabytes ]; then
  echo "the wheel is larger than $max_megabytes MB" >&2
  exit 1
fi
cp -r tests/python "$scratch/tests"
sed -n '/^```python$/,/^```$/{/^```/!p}' README.md >"$scratch/readme.py"
if [ -n "${WHEELS:-}" ]; then
  mkdir -p "$WHEELS"
  cp "$wheel" "$WHEELS"
  (cd "$WHEELS" && sha256sum -- *.whl >SHA256SUMS)
fi

test_with() {
  echo "with $("$1" --version)"
  "$1" -m venv --clear "$scratch/venv"
  "$scratch/venv/bin/pip" install -q "$wheel" pytest
  (
    cd "$scratch"
    venv/bin/python readme.py
    venv/bin/python -c 'import ctypes, pathlib, tensorc
ctypes.CDLL(str(pathlib.Path(tensorc.__file__).parent / "lib" / "libtensorc_pjrt.so")).GetPjrtApi
import jax_plugins.tensorc'
    # CTest runs all of these tests with the same libraries.
    venv/bin/python -m pytest -q -p no:cacheprovider tests/test_array.py
  )
}
test_with "$environment/bin/python3"
for python in ${ALSO:-}; do
  test_with "$python"
done
