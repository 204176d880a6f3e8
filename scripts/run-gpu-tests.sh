#!/usr/bin/env bash
# Tests and measures a GPU with the bundle that this file lies in
# (pack-gpu-tests.sh makes it), and prints one table.
#   ./run-gpu-tests.sh [--device=cuda:0] [--out=FOLDER] [--json=FILE]
#                      [--suites=cts,ops,programs,benchmarks] [--limit=SECONDS of each]
#                      [--filter=REGEX of ops] [--programs=200] [--tiny] [--jobs=N]
exec python3 "$(dirname "$0")/gpu_tests.py" "$@"
