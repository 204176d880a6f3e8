#!/usr/bin/env bash
# Builds a preset: release (default, into build/), debug, asan or tsan.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
cmake --preset "$preset"
cmake --build --preset "$preset"
