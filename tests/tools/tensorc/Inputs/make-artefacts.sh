#!/bin/sh
# make-artefacts.sh TENSORC IN FOLDER: one artefact of each kind.
set -eu
tensorc=$1 in=$2 out=$3
"$tensorc" compile "$in"
"$tensorc" compile "$in" --emit=header -o "$out/model.h"
"$tensorc" compile "$in" --emit=object
"$tensorc" compile "$in" --emit=shared
"$tensorc" compile "$in" --emit=asm -o "$out/model.s"
"$tensorc" compile "$in" --emit=llvm -o "$out/kernels.ll"
"$tensorc" compile "$in" --target=cpu:x86-64-v2,cpu:aarch64 --constants=model.bin -o "$out/split.tcpkg"
for stage in import tensor fuse emit lower; do
  "$tensorc" compile "$in" --stop-after=$stage -o "$out/$stage.mlir"
done
