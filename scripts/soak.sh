#!/usr/bin/env bash
# Runs all randomized tests for the given number of minutes: random programs,
# random bytes, injected faults, threads, memory. Prints one table.
#   scripts/soak.sh MINUTES [BUILD] [--state=FOLDER] [--only=PART;...] [--forget]
# BUILD (default: build) is a folder that was built. The progress is stored in
# FOLDER (default BUILD/soak), and a later run continues from it, so 150 minutes
# can be five runs of 30. tests/fuzz/README.md describes the parts.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?usage: scripts/soak.sh MINUTES [BUILD] [options]}
shift
build=build
if [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; then
  build=$1
  shift
fi
python=.venv/bin/python3
[ -x "$python" ] || python=python3
exec "$python" tests/fuzz/soak.py "$build" "$minutes" "$@"
