#!/usr/bin/env bash
# Installs what is missing, builds the compiler, and reads handwritten digits
# twice: with examples/digits as a C++ program, and as digits.mlir under the tool.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh
# Linear algebra is not built: it takes a third as long as everything else, and
# is not called here.
cmake --preset release -DTENSORC_LINALG=OFF
cmake --build --preset release --target tensorc digits

step() { printf '\n=== %s\n' "$*"; }
# Shows eight elements of a long list, and the last three.
abridge() { sed -E 's/\[(([^],]*, ){8})([^],]*, )+(([^],]*, ){2}[^],]*)\]/[\1..., \4]/'; }
# Prints the number that follows `accuracy:`, on that line or on the next.
accuracy() { grep -A1 '^accuracy:' "$1" | grep -o '[0-9]\.[0-9]*' | head -1; }

data=examples/digits/data weights=examples/digits/weights
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

step "digits, a C++ program on the lazy interface"
build/bin/digits | tee "$results/program" | abridge

step "digits.mlir, under tensorc run"
build/bin/tensorc run examples/digits/digits.mlir --verbose \
  --input=images=$data/test_images.npy --input=labels=$data/test_labels.npy \
  --input=w1=$weights/w1.npy --input=b1=$weights/b1.npy \
  --input=w2=$weights/w2.npy --input=b2=$weights/b2.npy 2>&1 | tee "$results/tool" | abridge

program=$(accuracy "$results/program" || true)
tool=$(accuracy "$results/tool" || true)
if awk "BEGIN { exit !(\"$program\" + 0 >= 0.95 && \"$tool\" + 0 >= 0.95) }"; then
  printf '\ndemo: ok, both read the digits (accuracy %s and %s)\n' "$program" "$tool"
else
  printf '\ndemo: FAILED, accuracy %s and %s\n' "${program:-none}" "${tool:-none}" >&2
  exit 1
fi
