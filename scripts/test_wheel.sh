#!/usr/bin/env bash
# Makes a wheel of a build (default: build), prints its size, installs it into an
# empty environment, and tests it there.
#   test_wheel.sh [BUILD [pip's options...]]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The build stays as it was configured for the project.
.venv/bin/pip wheel -q . --no-build-isolation --no-deps -C build-dir="$build" "$@" -w "$scratch"
wheel=$(echo "$scratch"/*.whl)
echo "$(basename "$wheel"): $(($(stat -c %s "$wheel") / 1000000)) MB"
.venv/bin/python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q "$wheel" pytest
cp -r tests/python "$scratch/tests"
cd "$scratch"
venv/bin/python -c 'import ctypes, pathlib, tensorc
ctypes.CDLL(str(pathlib.Path(tensorc.__file__).parent / "lib" / "libtensorc_pjrt.so")).GetPjrtApi
import jax_plugins.tensorc'
# CTest runs all of them with the same libraries.
venv/bin/python -m pytest -q -p no:cacheprovider tests/test_array.py
