#!/usr/bin/env bash
# ci/docs.sh [DIR]: builds the site of docs/ into DIR (build/site), with the public headers as pages under api/. Needs
# Debian's mkdocs and doxygen; exits with 77 where one is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-build/site}
for tool in mkdocs doxygen; do
    command -v "$tool" >/dev/null || { echo "docs: $tool is missing (Debian: $tool)" >&2; exit 77; }
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
mkdocs build --quiet --strict --config-file docs/mkdocs.yml --site-dir "$out"
{
    cat docs/Doxyfile
    echo "OUTPUT_DIRECTORY = $out"
} | doxygen - >/dev/null
echo "$out/index.html, $out/api/index.html"
