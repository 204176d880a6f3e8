#!/usr/bin/env bash
# Installs what is missing, builds a preset (default: release) and runs every
# test. The last line counts single lit and GoogleTest tests; before it stands
# which of them took the time.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
build=build
[ "$preset" = release ] || build=build-$preset
# Tests see no driver of OpenCL or Vulkan of this machine but those that they name.
export OCL_ICD_VENDORS=/dev/null VK_ICD_FILENAMES=/dev/null

scripts/install-deps.sh
scripts/build.sh "$preset"
rm -rf "$build"/tests/results/*
ctest --preset "$preset" --parallel "$(nproc)" \
  --output-junit "$PWD/$build/tests/results/ctest.xml" || true
.venv/bin/python3 scripts/count_tests.py "$build/tests/results"
