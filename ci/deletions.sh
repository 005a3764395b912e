#!/usr/bin/env bash
# ci/deletions.sh [FILE-PATTERN]: deletes one guard of deletions.txt at a time (with a pattern, only those in
# files that match), rebuilds the test named there under AddressSanitizer, and prints whether it failed.
# Fails if a test passes with and without a guard: then no test would notice that the guard is gone.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
pattern=${1:-.}
work=$root/build/deletions
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tests/mutation/judge.sh
. "$root/tests/mutation/judge.sh" # read_records

stop() {
    echo "deletions: $*" >&2
    exit 2
}

# The guards are deleted in a copy of the tree. Files that have not changed keep their time, and so their objects.
copy_tree() {
    mkdir -p "$work/tree"
    (cd "$root" && git ls-files --cached --others --exclude-standard) |
        while IFS= read -r file; do
            cmp -s "$root/$file" "$work/tree/$file" && continue
            mkdir -p "$work/tree/$(dirname "$file")"
            cp "$root/$file" "$work/tree/$file"
        done
}

# take_away FILE FUNCTION BEFORE AFTER: replaces the first such line at or after the function's own.
take_away() {
    BEFORE=$3 AFTER=$4 awk -v function_name="$2" '
    { line = $0; sub(/^ +/, "", line); sub(/ *\\$/, "", line) }
    index($0, function_name "(") && !/^ / { inside = 1 }
    inside && !done && line == ENVIRON["BEFORE"] {
        at = index($0, line)
        $0 = substr($0, 1, at - 1) ENVIRON["AFTER"] substr($0, at + length(line))
        done = 1
    }
    { print }
    END { exit !done }' "$root/$1" >"$scratch/changed" || stop "$1: $2: no such line: $3"
}

# The program of a test, or of the tests of its folder, has the name of its target.
target_of() {
    grep -rhF --include=CTestTestfile.cmake "add_test([=[$1]=] " build/deletions/tests |
        sed -n 's|.*/\([a-z0-9_]*_tests\{0,1\}\)".*|\1|p' | grep . || stop "$1: no such test"
}

make_targets() { cmake --build --preset deletions --parallel "$jobs" --target "$@" >"$scratch/log" 2>&1; }
passes() { ctest --preset deletions --tests-regex "^$1\$" --no-tests=error --timeout 300 >"$scratch/log" 2>&1; }

read_records "$root/ci/deletions.txt" | awk -F'\t' -v p="$pattern" '$1 ~ p' >"$scratch/todo"
total=$(wc -l <"$scratch/todo")
[ "$total" -gt 0 ] || stop "nothing to take away from '$pattern'"
copy_tree
# shellcheck source=ci/common.sh
. "$work/tree/ci/common.sh"
configure deletions >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; stop "the tree cannot be configured"; }
cut -f5 "$scratch/todo" | sort -u >"$scratch/tests"
while read -r test; do target_of "$test"; done <"$scratch/tests" >"$scratch/targets"
mapfile -t targets <"$scratch/targets"
make_targets "${targets[@]}" || { cat "$scratch/log" >&2; stop "the tree cannot be built"; }
while read -r test; do
    passes "$test" || { cat "$scratch/log" >&2; stop "$test: fails with all guards in place"; }
done <"$scratch/tests"

unnoticed=0
while IFS=$'\t' read -r file name before after test <&3; do
    take_away "$file" "$name" "$before" "$after"
    cp "$scratch/changed" "$file"
    result=noticed
    make_targets "$(target_of "$test")" || result=invalid
    [ "$result" = invalid ] || ! passes "$test" || result=UNNOTICED
    cp "$root/$file" "$file"
    [ "$result" = noticed ] || unnoticed=$((unnoticed + 1))
    printf '%-10s %-22s %s: %s: %s\n' "$result" "$test" "$file" "$name" "$before"
done 3<"$scratch/todo"
echo "$total guards taken away, $unnoticed of them unnoticed or not to be built"
[ "$unnoticed" -eq 0 ]
