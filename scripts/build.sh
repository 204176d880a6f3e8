#!/usr/bin/env bash
# Builds a preset: release (default, into build/), debug, asan or tsan. After it,
# the targets to build instead of all:  scripts/build.sh release tensorc
# TENSORC_UNITY=ON or OFF chooses whether sources are compiled in batches, instead
# of the preset's choice.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
targets=()
[ $# -lt 2 ] || targets=(--target "${@:2}")
cmake --preset "$preset" ${TENSORC_UNITY:+-DTENSORC_UNITY="$TENSORC_UNITY"}
cmake --build --preset "$preset" "${targets[@]}"
