#!/usr/bin/env bash
# Everything that searches by chance, for so many minutes: random programs, random
# bytes, injected faults, threads, memory. Prints one table.
#   scripts/soak.sh MINUTES [BUILD] [--state=FOLDER] [--only=PART;...] [--forget]
# BUILD (default: build) is a folder that was built. What was done is kept in
# FOLDER (BUILD/soak), and a later run goes on behind it: 150 minutes can be five
# times 30. tests/fuzz/README.md says what the parts are.
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
