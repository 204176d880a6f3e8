#!/usr/bin/env bash
# Builds a preset: release (default, into build/), debug, asan or tsan. After it,
# the targets to build instead of all:  scripts/build.sh release tensorc
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
targets=()
[ $# -lt 2 ] || targets=(--target "${@:2}")
cmake --preset "$preset"
cmake --build --preset "$preset" "${targets[@]}"
