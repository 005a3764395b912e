#!/usr/bin/env bash
# declared_test.sh PROGRAM MUSEUM ROUNDING FORMAT SOURCE OP...: the museum's faults of these ops on a backend that rounds factors to
# FORMAT and declares it. Who lives is who stands in declared.txt, and the count is that of coverage/README.md.
set -euo pipefail
program=$1 museum=$2 rounding=$3 format=$4 source=$5
shift 5
options=()
for op; do
    options+=(--op "$op")
done
status=0
text=$("$program" conform --museum "$museum" --backend "$rounding=$format" "${options[@]}" --profile smoke --quiet) || status=$?
[ "$status" -le 1 ] || exit "$status"
printf '%s\n' "$text"

lives=$(awk '/ SURVIVES / { print $2, $1 }' <<<"$text" | sort)
expected=$(awk -v format="$format" -v ops=" $* " \
    '$1 == format && index(ops, " " $2 " ") { print $2, $3 }' "$source/tests/museum/declared.txt" | sort)
diff <(echo "$expected") <(echo "$lives") || {
    echo "declared.txt: found other faults of $format that live, expected those with '<'"
    exit 1
}

printf -v ops '%s, ' "$@"
count=$(sed -nE 's/^([0-9]+) faults over .*: ([0-9]+) killed by a judgement, 0 only died.*/| \1 | \2 |/p' <<<"$text")
row="^\\| ([a-z0-9]+, )*$format(, [a-z0-9]+)* \\| ${ops%, } ${count//|/\\|}"
grep -qE "$row" "$source/coverage/README.md" || {
    echo "coverage/README.md: no row '| $format | ${ops%, } $count'"
    exit 1
}
