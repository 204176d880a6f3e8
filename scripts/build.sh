#!/usr/bin/env bash
# Builds a preset: release (default, into build/), debug, asan or tsan. Further
# arguments are the targets to build instead of all:  scripts/build.sh release
# tensorc TENSORC_UNITY=ON or OFF overrides the preset's choice whether sources
# are compiled in batches.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
targets=()
[ $# -lt 2 ] || targets=(--target "${@:2}")
cmake --preset "$preset" ${TENSORC_UNITY:+-DTENSORC_UNITY="$TENSORC_UNITY"}
cmake --build --preset "$preset" "${targets[@]}"
