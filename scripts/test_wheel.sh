#!/usr/bin/env bash
# Makes a wheel from a build (default: build), tags it for the oldest glibc with which it runs, installs it into an
# empty environment, and tests it there. With WHEELS=FOLDER the wheel is kept in this folder, with its checksum in
# SHA256SUMS.
#   test_wheel.sh [BUILD [pip's options...]]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true
max_megabytes=40
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The configuration of the project's build is not changed.
.venv/bin/pip wheel -q . --no-build-isolation --no-deps -C build-dir="$build" "$@" -w "$scratch"
wheel=$(.venv/bin/python3 scripts/tag_wheel.py "$scratch"/*.whl)
megabytes=$(($(stat -c %s "$wheel") / 1000000))
echo "$(basename "$wheel"): $megabytes MB"
if [ $megabytes -gt $max_megabytes ]; then
  echo "the wheel is larger than $max_megabytes MB" >&2
  exit 1
fi
.venv/bin/python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q "$wheel" pytest
cp -r tests/python "$scratch/tests"
sed -n '/^```python$/,/^```$/{/^```/!p}' README.md >"$scratch/readme.py"
if [ -n "${WHEELS:-}" ]; then
  mkdir -p "$WHEELS"
  cp "$wheel" "$WHEELS"
  (cd "$WHEELS" && sha256sum -- *.whl >SHA256SUMS)
fi
cd "$scratch"
venv/bin/python readme.py
venv/bin/python -c 'import ctypes, pathlib, tensorc
ctypes.CDLL(str(pathlib.Path(tensorc.__file__).parent / "lib" / "libtensorc_pjrt.so")).GetPjrtApi
import jax_plugins.tensorc'
# CTest runs all of these tests with the same libraries.
venv/bin/python -m pytest -q -p no:cacheprovider tests/test_array.py
