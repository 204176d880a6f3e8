#!/usr/bin/env bash
# Installs the packages that the build and the tests need. Takes little time if none is missing.
# --optional: also installs packages for additional tests (aarch64 code under qemu, an older JAX,
# shells, lintian). Debian 12: LLVM 22 is in bookworm-security, which is enabled by default.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  g++ cmake ninja-build ccache git
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools liblld-22-dev lld-22
  clang-22 clang-format-22 libclang-rt-22-dev
  libtbb-dev libflatbuffers-dev flatbuffers-compiler zlib1g-dev libzstd-dev
  libgtest-dev libbenchmark-dev libmpfr-dev libeigen3-dev
  # Both kinds of MPI. The project is compiled and tested with each of them
  # (docs/distributed.md).
  libopenmpi-dev openmpi-bin libmpich-dev mpich
  python3-venv python3-dev python3-psutil pkgconf gdb
  # OpenCL's loader and a driver without SPIR-V; Vulkan's loader and a driver that runs on the
  # CPU.
  ocl-icd-libopencl1 pocl-opencl-icd
  libvulkan1 mesa-vulkan-drivers vulkan-validationlayers spirv-tools
  # A browser, in which tests open reports, and Node.js, in which tests run WebAssembly.
  chromium chromium-driver nodejs
  # Reads the C++ headers for the site of the documents.
  doxygen
)

if [ "${1:-}" = --optional ]; then
  packages+=(qemu-user-static g++-aarch64-linux-gnu libc6-dev-arm64-cross lintian mandoc zsh fish)
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  echo "install-deps: installing ${missing[*]}"
  sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

# environment FOLDER LIST: creates a virtual environment with the packages of a list. If it cannot be created, tests
# that need it are skipped.
environment() {
  cmp -s "$2" "$1/installed.txt" && return
  rm -rf "$1"
  if python3 -m venv "$1" && "$1/bin/pip" install -q -r "$2"; then
    cp "$2" "$1/installed.txt"
  else
    rm -rf "$1"
    echo "install-deps: $2 is not installed"
  fi
}
[ "${1:-}" != --optional ] || scripts/arm64_sysroot.sh || echo "install-deps: no libraries for aarch64"

# The environments are installed in parallel, because each of them mostly waits for the network.

# MkDocs, for the site of the documents.
environment .venv-docs tools/docs/site/requirements.txt &
# Intel's OpenCL driver for CPUs, in a separate folder. It has a different licence, and releases do not contain it. Its
# own file for the loader contains a path that does not exist.
opencl=.venv-opencl
environment $opencl tests/opencl-requirements.txt &
# JAX, which uses the PJRT plugin, in .venv-jax, and with --optional an older version in .venv-jax-VERSION.
lists=(tests/pjrt/requirements.txt)
[ "${1:-}" != --optional ] || lists=(tests/pjrt/requirements*.txt)
for list in "${lists[@]}"; do
  environment ".venv-jax$(basename "$list" .txt | sed s/requirements//)" "$list" &
done
# The tests' Python packages, reinstalled when the list changes.
[ -x .venv/bin/pip ] || python3 -m venv .venv
if ! cmp -s tests/requirements.txt .venv/installed.txt; then
  .venv/bin/pip install -q -r tests/requirements.txt
  cp tests/requirements.txt .venv/installed.txt
fi
# ml_dtypes provides f8 and 4-bit integers. Without it, tests skip these.
.venv/bin/python -c 'import ml_dtypes' 2>/dev/null ||
  .venv/bin/pip install -q ml_dtypes || echo "install-deps: no ml_dtypes"
wait
if [ -d $opencl ] && [ ! -e $opencl/vendors/intel.icd ]; then
  mkdir -p $opencl/vendors
  echo "$PWD/$opencl/lib/libintelocl.so" >$opencl/vendors/intel.icd
fi
echo "install-deps: everything is installed"
