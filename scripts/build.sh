#!/usr/bin/env bash
# Builds a preset: release (default, into build/), debug, asan or tsan. Further
# arguments are the targets to build instead of all:
#   scripts/build.sh release tensorc
# TENSORC_UNITY=ON or OFF overrides the preset's choice whether sources are
# compiled in batches. TENSORC_LINES=OFF builds a preset without debug information.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
targets=()
[ $# -lt 2 ] || targets=(--target "${@:2}")
options=(${TENSORC_UNITY:+-DTENSORC_UNITY="$TENSORC_UNITY"})
[ "${TENSORC_LINES:-}" != OFF ] || [ "$preset" = release ] || options+=("-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g0")
cmake --preset "$preset" "${options[@]}"
cmake --build --preset "$preset" "${targets[@]}"
