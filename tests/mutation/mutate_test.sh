#!/usr/bin/env bash
# mutate_test.sh MUTATE: its command line, and what it says to a wrong one.
set -euo pipefail
mutate=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf 'int f(int a, int b)\n{\n    return a < b;\n}\n' >"$dir/a.c"
printf 'int g(int a)\n{\n    return a && 1;\n}\n' >"$dir/b.c"

expect() {
    [ "$2" = "$3" ] || { printf '%s:\n%s\nexpected\n%s\n' "$1" "$2" "$3" >&2; exit 1; }
}
refused() {
    local status=0
    "$mutate" "${@:2}" >"$dir/out" 2>"$dir/err" || status=$?
    expect "status of mutate ${*:2}" "$status" 2
    expect "mutate ${*:2}" "$(head -1 "$dir/err")" "$1"
}

expect list "$("$mutate" "$dir/a.c" --list)" \
    "$(printf '0\tboundary\t3\tf\treturn a < b;\treturn a <= b;\n1\toperator\t3\tf\treturn a < b;\treturn a > b;')"
expect apply "$("$mutate" "$dir/a.c" --apply 1)" "$(sed 's/</>/' "$dir/a.c")"
expect "sample of all" "$("$mutate" --sample 99 --seed 1 "$dir/a.c" "$dir/b.c" | sort)" \
    "$(printf "$dir/%s\n" $'a.c\t0' $'a.c\t1' $'b.c\t0' $'b.c\t1' $'b.c\t2')"
expect "sample of two" "$("$mutate" --sample 2 --seed 1 "$dir/a.c" "$dir/b.c" | cut -f1 | sort)" \
    "$(printf "$dir/%s\n" a.c b.c)"

refused "mutate: file: found '$dir/c.c', expected one that can be read" "$dir/c.c" --list
refused "mutate: file: found '$dir', expected one that can be read" "$dir" --list
refused "mutate: file: found '$dir/c.c', expected one that can be read" --sample 1 --seed 1 "$dir/c.c"
refused "mutate: --apply: found '2', expected the number of a mutant" "$dir/a.c" --apply 2
refused "mutate: --apply: found '-1', expected the number of a mutant" "$dir/a.c" --apply -1
refused "mutate: --sample: found 'x', expected a number" --sample x --seed 1 "$dir/a.c"
refused "mutate: --seed: found '1x', expected a number" --sample 1 --seed 1x "$dir/a.c"
refused "usage: mutate FILE --list"
