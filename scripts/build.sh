#!/usr/bin/env bash
# Builds a preset: release (default, into build/), debug, asan or tsan. After it,
# the targets to build instead of all:  scripts/build.sh release tensorc
# TENSORC_UNITY=ON or OFF chooses whether sources are compiled in batches, instead
# of the preset's choice. TENSORC_LINES=OFF: a preset with debug information is built
# without it.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
targets=()
[ $# -lt 2 ] || targets=(--target "${@:2}")
options=(${TENSORC_UNITY:+-DTENSORC_UNITY="$TENSORC_UNITY"})
[ "${TENSORC_LINES:-}" != OFF ] || [ "$preset" = release ] || options+=("-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g0")
cmake --preset "$preset" "${options[@]}"
cmake --build --preset "$preset" "${targets[@]}"
