#!/usr/bin/env bash
# Tests and measures a GPU with the bundle that contains this file (made by
# pack-gpu-tests.sh), in at most 8 minutes, and prints one table.
#   ./run-gpu-tests.sh [--device=cuda:0] [--out=FOLDER] [--limit=SECONDS of all]
#                      [--suites=cts,ops,programs,races,kernels,tuning,dispatch]
#                      [--filter=REGEX of ops] [--kernels=REGEX] [--programs=200]
#                      [--tiny] [--jobs=N]
# The script writes results.json and results.html to the folder, even if the run
# fails or is interrupted (docs/devices.md describes both files).
exec python3 "$(dirname "$0")/gpu_tests.py" "$@"
