#!/usr/bin/env bash
# pages_test.sh SOURCE BUILD: the pages of docs/ say what is so: their commands are run in an empty directory with an
# installed copy, their excerpts are those of the source, and the table of formats is that of dtype.h.
# pages_test.sh SOURCE BUILD --write: renews the excerpts and line numbers.
set -euo pipefail
source=$1 build=$2
pages=("$source"/docs/pages/*.md)
left_out=
awk_page() { awk -v ROOT="$source" -v LEFT_OUT="$left_out" -v MODE="$1" -f "$source/tests/docs/pages.awk" "$2"; }
leave_out() { left_out=$left_out${left_out:+|}$1; }
bad=0
complain() { echo "$*" >&2 && bad=1; }

for page in "${pages[@]}"; do
    if [ "${3:-}" = --write ]; then
        awk_page excerpts "$page" >"$page.new" && mv "$page.new" "$page"
    else
        awk_page excerpts "$page" | diff -u "$page" - >&2 ||
            complain "$page: not as the source is; tests/docs/pages_test.sh . BUILD --write renews it"
    fi
done
[ "${3:-}" = --write ] && exit

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
export INFERNO=$source PATH=$scratch/prefix/bin:$PATH CMAKE_PREFIX_PATH=$scratch/prefix
[ -n "${DOCS_NIGHTLY:-}" ] || leave_out nightly
inferno generate "$source/fixtures/gguf/little-world-f16.gguf" -p Once -n 1 --backend opencl >/dev/null || leave_out opencl

# run WHERE STATUS COMMAND: called by what awk makes of a page
# shellcheck disable=SC2317
run() {
    local status=0
    bash -c "$3" >"$scratch/log" 2>&1 </dev/null || status=$?
    [ "$status" -eq "$2" ] && return
    cat "$scratch/log" >&2
    complain "$1: '$3' exits with $status, expected $2"
}
for page in "${pages[@]}"; do
    mkdir "$scratch/$(basename "$page" .md)"
    cd "$scratch/$(basename "$page" .md)"
    # shellcheck disable=SC1090
    . <(awk_page commands "$page")
done

# | Q4_K | 256 | 144 | 4.5 | ... |
while IFS='|' read -r _ name weights bytes bits _; do
    read -r name weights bytes bits <<<"$name $weights $bytes $bits"
    right=$(awk "BEGIN { print $bytes * 8 / $weights }")
    if ! grep -Eq "X\($name, +[A-Z_0-9]+, +$weights, +$bytes\)" "$source/include/inferno/dtype.h" || [ "$bits" != "$right" ]; then
        complain "numbers.md: $name has $weights weights, $bytes bytes, $bits bits per weight: not so in dtype.h"
    fi
done < <(grep -E '^\| [A-Z0-9_]+ \| [0-9]+ \| [0-9]+ \| [0-9.]+ \|' "$source/docs/pages/numbers.md")
exit "$bad"
