#!/usr/bin/env bash
# Builds a site of the documents, BUILD/site/index.html, which can be read without a network. Broken links and
# anchors are errors. If BUILD has the Python package and the generated headers, the site also has pages of the
# interfaces; those of C++ need Doxygen. The exit status is 77 if MkDocs cannot be installed.
#   build_docs.sh [BUILD]      (default: build)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
list=tools/docs/site/requirements.txt
if ! cmp -s $list .venv-docs/installed.txt; then
  if ! python3 -m venv .venv-docs || ! .venv-docs/bin/pip install -q -r $list; then
    echo "build_docs: MkDocs cannot be installed" >&2
    exit 77
  fi
  cp $list .venv-docs/installed.txt
fi
# The Python package needs NumPy, which is installed in the tests' environment.
python=.venv/bin/python3
[ -x $python ] || python=python3
$python tools/docs/site/site.py "$build" "$build/docs-site"
cd "$build/docs-site"
NO_MKDOCS_2_WARNING=1 "$OLDPWD/.venv-docs/bin/mkdocs" build -q --strict
if grep -rlE '(src|href)="https?://[^"]*\.(js|css)' site --include='*.html'; then
  echo "build_docs: these pages load something from a network" >&2
  exit 1
fi
rm -rf ../site
mv site ../site
echo "$build/site/index.html: $(find ../site -name '*.html' | wc -l) pages"
