#!/usr/bin/env bash
# Installs what is missing, builds, and reads handwritten digits twice: with
# examples/digits as a C++ program, and as digits.mlir under the tool.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh
scripts/build.sh release
