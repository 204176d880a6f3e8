#!/usr/bin/env bash
# Tests and measures a GPU with the bundle that this file lies in
# (pack-gpu-tests.sh makes it), in at most 8 minutes, and prints one table.
#   ./run-gpu-tests.sh [--device=cuda:0] [--out=FOLDER] [--limit=SECONDS of all]
#                      [--suites=cts,ops,programs,races,kernels,tuning,dispatch]
#                      [--filter=REGEX of ops] [--kernels=REGEX] [--programs=200]
#                      [--tiny] [--jobs=N]
# The folder receives results.json and results.html, also of a run that fails
# or is interrupted (docs/devices.md describes both).
exec python3 "$(dirname "$0")/gpu_tests.py" "$@"
