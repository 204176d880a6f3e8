#!/usr/bin/env bash
# Puts Debian's oneTBB for aarch64 and the headers of FlatBuffers into .arm64, for cross-building the runtime
# (docs/embedding.md). The system's list of architectures is not changed.
set -euo pipefail
cd "$(dirname "$0")/.."
[ ! -e .arm64/usr/lib/aarch64-linux-gnu/libtbb.so.12 ] || exit 0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/{lists,cache/archives}/partial
apt=(apt-get -qq -o "Dir::State::lists=$scratch/lists" -o "Dir::Cache=$scratch/cache"
  -o APT::Architecture=amd64 -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$scratch" && "${apt[@]}" download libtbb12:arm64 libtbb-dev:arm64 libtbbbind-2-5:arm64 libtbbmalloc2:arm64)
rm -rf .arm64 .arm64.part
for package in "$scratch"/*.deb; do
  dpkg-deb -x "$package" .arm64.part
done
cp -r /usr/include/flatbuffers .arm64.part/usr/include/
mv .arm64.part .arm64
