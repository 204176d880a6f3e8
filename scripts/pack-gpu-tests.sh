#!/usr/bin/env bash
# Packs programs that test and measure a GPU into a bundle. Its script
# run-gpu-tests.sh needs only the GPU's driver and Python 3 on a machine.
#   scripts/pack-gpu-tests.sh [--build=build] [--max-mib=60] OUT
# OUT is a folder, or an archive whose name ends in .tar.gz or .tar.xz.
# --max-mib is the maximum size of the archive.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build
max=60
out=
for argument; do
  case $argument in
    --build=*) build=$(cd "${argument#*=}" && pwd) ;;
    --max-mib=*) max=${argument#*=} ;;
    -*) echo "pack-gpu-tests: no option $argument" >&2; exit 2 ;;
    *) out=$argument ;;
  esac
done
[ -n "$out" ] || { sed -n '2,6s/^# *//p' "$0" >&2; exit 2; }
llvm=$(sed -n 's/^TENSORC_LLVM_BIN:[A-Z]*=//p' "$build/CMakeCache.txt")
llvm=${llvm:-/usr/lib/llvm-22/bin}

case $out in
  *.tar.gz | *.tar.xz) work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; bundle=$work/gpu-tests ;;
  *) bundle=$out ;;
esac
if [ -e "$bundle" ]; then
  echo "pack-gpu-tests: $bundle exists already" >&2
  exit 1
fi
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/tests"

# The programs. Only the first one is required.
missing=
for program in tensorc tensorc-fuzz tensorc_rt_cts bench-dispatch; do
  if [ -x "$build/bin/$program" ]; then
    cp -L "$build/bin/$program" "$bundle/bin/"
  else
    missing+=" $program"
  fi
done
[ -x "$bundle/bin/tensorc" ] || { echo "pack-gpu-tests: $build has no bin/tensorc" >&2; exit 1; }
[ -z "$missing" ] || echo "pack-gpu-tests: not built, left out:$missing" >&2
cp -L "$llvm/FileCheck" "$llvm/not" "$bundle/bin/"
# The linear algebra library is loaded at its first use, so it is not in any program's list
# of libraries.
[ ! -e "$build/lib/libtensorc_linalg.so" ] || cp -L "$build/lib/libtensorc_linalg.so" "$bundle/lib/"
cp -L "$build/tests/compiler/output/package/kernels.so" "$bundle/lib/test-kernels.so" 2>/dev/null || true

# The libraries of the programs, except for those of glibc, which must come from
# the machine.
glibc='/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util))\.so[^/]*$'
for program in "$bundle"/bin/*; do
  original=$build/bin/$(basename "$program")
  [ -e "$original" ] || original=$llvm/$(basename "$program")
  ldd "$original" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'
done | sort -u | grep -Ev "$glibc" | while read -r library; do
  cp -L "$library" "$bundle/lib/"
done
strip --strip-all "$bundle"/bin/*
strip --strip-unneeded "$bundle"/lib/*.so*

# The tests and lit.
cp -r "$root/tests/ops" "$bundle/tests/ops"
rm -f "$bundle"/tests/ops/*.in
cp "$root"/tests/{lit.cfg.py,lit_format.py,served.py,exits.py,write_npy.py} "$bundle/tests/"
lit=$(sed -n 's/^sys.path.insert(1, *"\(.*\)")/\1/p' "$llvm/lit")
cp -rL "${lit:-$llvm/../utils/lit}/lit" "$bundle/lib/lit"
find "$bundle" -name __pycache__ -prune -exec rm -rf {} +
cp "$root"/scripts/{run-gpu-tests.sh,gpu_tests.py,gpu_peers.py,gpu_page.py} "$root/benchmarks/gpu/kernels.mlir" "$bundle/"
git -C "$root" rev-parse --short HEAD > "$bundle/commit" 2>/dev/null || echo unknown > "$bundle/commit"
echo "pack-gpu-tests: $bundle has $(du -sm "$bundle" | cut -f1) MiB" >&2

case $out in
  *.tar.gz) tar -C "$work" -czf "$out" gpu-tests ;;
  *.tar.xz) tar -C "$work" -cf - gpu-tests | xz -T0 -6 > "$out" ;;
  *) exit 0 ;;
esac
bytes=$(stat -c %s "$out")
echo "pack-gpu-tests: $out has $((bytes >> 20)) MiB" >&2
if [ "$bytes" -gt $((max << 20)) ]; then
  echo "pack-gpu-tests: that is more than $max MiB" >&2
  exit 1
fi
