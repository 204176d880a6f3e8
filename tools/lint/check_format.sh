#!/usr/bin/env bash
# Checks that every C and C++ source is formatted by clang-format, and that banners have the full
# width.
#   check_format.sh [--fix] [ROOT]
set -euo pipefail
mode=(--dry-run --Werror)
if [ "${1:-}" = --fix ]; then
  mode=(-i)
  shift
fi
cd "${1:-$(dirname "$0")/../..}"

mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.h' '*.c' '*.cpp')
existing=()
for source in "${sources[@]}"; do
  [ -f "$source" ] && existing+=("$source")
done
if [ ${#existing[@]} -gt 0 ] && ! clang-format-22 "${mode[@]}" "${existing[@]}"; then
  echo "check_format: run tools/lint/check_format.sh --fix"
  exit 1
fi
# A banner is 80 columns wide. clang-format does not check that.
banners=$(git ls-files --cached --others --exclude-standard '*.h' '*.hpp' '*.c' '*.cpp' '*.td' '*.def' | xargs awk \
  'FNR == 1 && /^\/\/===- .*===\/\/$/ && length($0) != 80 { print FILENAME }')
if [ -n "$banners" ]; then
  echo "check_format: the first line is not 80 columns wide:"
  echo "$banners"
  exit 1
fi
echo "check_format: ok"
