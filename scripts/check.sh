#!/usr/bin/env bash
# Runs the checks that a change must pass before it is committed, in a few minutes:
# format, lints, the build, and the tests of the changed folders. All tests:
# scripts/test.sh
#   check.sh [--lints] [BASE]
# BASE (default: origin/main if there is one, else HEAD) is the commit to compare with;
# uncommitted and new files count. --lints: runs neither the build nor the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

lints_only=
if [ "${1:-}" = --lints ]; then
  lints_only=1
  shift
fi
base=${1:-$(git rev-parse -q --verify origin/main || git rev-parse HEAD)}
base=$(git merge-base "$base" HEAD)
mapfile -t changed < <({ git diff --name-only --diff-filter=d "$base"
  git ls-files --others --exclude-standard; } | sort -u)
if [ ${#changed[@]} -eq 0 ]; then
  echo "check: nothing changed since $(git rev-parse --short "$base")"
  exit 0
fi
matching() { printf '%s\n' "${changed[@]}" | grep -E "$1" || true; }

failed=()
for lint in check_format.sh tools/lint/check_*.py; do
  lint=tools/lint/${lint#tools/lint/}
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

  # lit: the folders of tests/ that correspond to changed sources, and changed tests.
  lits=()
  for file in "${changed[@]}"; do
    case $file in
      tests/*.mlir | tests/*.test) lits+=("build/$file") ;;
      tests/*) ;;
      */*)
        folder=$(dirname "$file")
        while [ "$folder" != . ] && [ ! -d "tests/$folder" ]; do folder=$(dirname "$folder"); done
        [ "$folder" = . ] || lits+=("build/tests/$folder")
        ;;
    esac
  done
  if [ ${#lits[@]} -gt 0 ]; then
    mapfile -t lits < <(printf '%s\n' "${lits[@]}" | sort -u)
    /usr/lib/llvm-22/bin/lit -q --allow-empty-runs "${lits[@]}" || failed+=(lit)
  fi

  # CTest: the test programs of the changed folders.
  entries=()
  add() { [ -z "$(matching "$1")" ] || entries+=("$2"); }
  add '^runtime/' 'gtest\.rt|tensorc_rt_exports'
  add '^ir/(shape|text|tx)/' 'gtest\.(shape|text|ir_tx)'
  add '^codegen/' 'gtest\.codegen'
  add '^compiler/(graph|session)/' 'gtest\.(api|graph|complex)\.cpu|gtest\.grad'
  add '^compiler/output/package/' 'gtest\.package'
  add '^compiler/(api|include)/' 'exports\.'
  add '^python/' 'pytest'
  add '^(docs|examples)/.*\.(md|cpp)$' 'docs\.snippets'
  if [ ${#entries[@]} -gt 0 ]; then
    regex=$(IFS='|'; echo "^(${entries[*]})")
    ctest --test-dir build --output-on-failure --parallel "$(nproc)" --no-tests=ignore -R "$regex" || failed+=(ctest)
  fi
fi

if [ ${#failed[@]} -gt 0 ]; then
  echo "check: failed: ${failed[*]}" >&2
  exit 1
fi
echo "check: ok (${#changed[@]} files changed since $(git rev-parse --short "$base"))"
