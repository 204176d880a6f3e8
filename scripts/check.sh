#!/usr/bin/env bash
# Runs the checks that a change must pass before it is committed, in a few minutes:
# format, lints, the build, and the tests of the changed folders. All tests:
# scripts/test.sh
#   check.sh [--lints] [--list] [BASE]
# BASE (default: origin/main if there is one, else HEAD) is the commit to compare with;
# uncommitted and new files count. --lints: runs neither the build nor the tests. --list:
# runs nothing, and prints the tests that would run.
set -euo pipefail
cd "$(dirname "$0")/.."

usage="usage: check.sh [--lints] [--list] [BASE]"
fail() {
  printf 'check: %s\n%s\n' "$1" "$usage" >&2
  exit 2
}
lints_only='' list='' base=''
for argument in "$@"; do
  case $argument in
    --lints) lints_only=1 ;;
    --list) list=1 ;;
    -h | --help)
      echo "$usage"
      sed -n '2,/^set /s/^# \?//p' scripts/check.sh
      exit
      ;;
    -*) fail "unknown option '$argument'" ;;
    *)
      [ -z "$base" ] || fail "two commits to compare with: '$base' and '$argument'"
      base=$argument
      ;;
  esac
done
base=${base:-$(git rev-parse -q --verify origin/main || git rev-parse HEAD)}
git rev-parse -q --verify "$base^{commit}" >/dev/null || fail "'$base' is not a commit"
ancestor=$(git merge-base "$base" HEAD) || fail "'$base' has no common ancestor with HEAD"
base=$ancestor
mapfile -t changed < <({ git diff --name-only --diff-filter=d "$base"
  git ls-files --others --exclude-standard; } | sort -u)
if [ ${#changed[@]} -eq 0 ]; then
  echo "check: nothing changed since $(git rev-parse --short "$base")"
  exit 0
fi
matching() { printf '%s\n' "${changed[@]}" | grep -E "$1" || true; }

if [ -n "$list" ]; then
  [ -f build/build.ninja ] || fail "--list needs a configured build: cmake --preset release"
  printf '%s\n' "${changed[@]}" | scripts/changed_tests.py --list build
  exit
fi

failed=()
for lint in tools/lint/check_*; do # as .ci/run
  "$lint" || failed+=("$lint")
done

# This tool is optional: neither the build nor the tests need it.
tidy=$(command -v clang-tidy-22 || true)
mapfile -t sources < <(matching '^(runtime|ir|codegen|compiler|tools|python)/.*\.cpp$')
if [ -z "$lints_only" ] && [ -n "$tidy" ] && [ ${#sources[@]} -gt 0 ] && [ -f build/compile_commands.json ]; then
  printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 "$tidy" -p build --quiet || failed+=(clang-tidy)
fi

if [ -z "$lints_only" ]; then
  [ -f build/build.ninja ] || cmake --preset release
  cmake --build build || exit 1
  printf '%s\n' "${changed[@]}" | scripts/changed_tests.py build || failed+=(tests)
fi

if [ ${#failed[@]} -gt 0 ]; then
  echo "check: failed: ${failed[*]}" >&2
  exit 1
fi
echo "check: ok (${#changed[@]} files changed since $(git rev-parse --short "$base"))"
