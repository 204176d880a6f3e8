#!/usr/bin/env bash
# Installs what is missing, builds a preset (default: release) and runs every
# test. The last line counts individual lit and GoogleTest tests. The lines
# before it show the slowest ones.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
build=build
[ "$preset" = release ] || build=build-$preset
# Tests see only those OpenCL and Vulkan drivers of this machine that they name.
export OCL_ICD_VENDORS=/dev/null VK_ICD_FILENAMES=/dev/null

scripts/install-deps.sh
scripts/build.sh "$preset"
rm -rf "$build"/tests/results/*
ctest --preset "$preset" --parallel "$(nproc)" \
  --output-junit "$PWD/$build/tests/results/ctest.xml" || true
.venv/bin/python3 scripts/count_tests.py "$build/tests/results"
