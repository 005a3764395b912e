#!/usr/bin/env bash
# classes_test.sh SOURCE [REPORT]: classes.txt names at least three faults of each class, and nothing that is not there. With
# the report of a museum: what kills a fault of a class of sizes is of such a size.
set -euo pipefail
cd "$1"
report=${2:-}
list=tests/museum/classes.txt
failed=0

complain() {
    echo "$list: $*" >&2
    failed=1
}

is_there() { # a name as classes.txt has it
    case $1 in
    hostile/*) grep -qF "{\"${1#*/}\", " tests/conform/plugins/hostile_rows.h ;;
    honest/*) grep -qF "{\"${1#*/}\", " tests/plugins/honest/styles.c ;;
    */*) grep -qE "^(TEST(ED)?\(${1#*/}[,)]|static void ${1#*/}\(void \*\*state\))" "tests/conform/${1%%/*}_test.c" ;;
    *) grep -qE "^    X\($1, " tests/museum/museum_faults*.h ;;
    esac
}

# The cases that kill a fault, one a line, as "dim=size dim=size"; "far=1" for a call past 2^31 bytes, which is larger than its case.
sizes_of() {
    awk -v fault="\"fault\": \"$1\"" 'index($0, fault ",") {
        while (match($0, /"family": "[^"]*", "case": "[^"]*"/)) {
            split(substr($0, RSTART, RLENGTH), quoted, "\"")
            split(quoted[8], word, "/")
            gsub(",", " ", word[3])
            print quoted[4] == "far" ? "far=1" : word[3]
            $0 = substr($0, RSTART + RLENGTH)
        }
    }' "$report"
}

is_beyond() { # fault, "dim|dim", edge: a case that kills it has such a size
    sizes_of "$1" | tr ' ' '\n' | awk -F= -v dims="|$2|" -v edge="$3" \
        '$1 == "far" || (index(dims, "|" $1 "|") && $2 > edge) { found = 1 } END { exit !found }'
}

class='' n=0 classes=0 seen=" "
declare -A of_section=([sizes]=0 [regimes]=0 [behaviour]=0 [honest]=0 [verdicts]=0 [author]=0 [reach]=0)

end_class() {
    if [ -n "$class" ] && [ "$n" -lt 3 ]; then
        complain "$class: found $n faults, expected 3 or more"
    fi
}

while IFS= read -r line; do
    case $line in
    '' | '#'*) continue ;;
    ' '*)
        for name in $line; do
            n=$((n + 1))
            if [[ $seen == *" $name "* ]]; then
                complain "$class: '$name' stands there twice"
            elif ! is_there "$name" 2>/dev/null; then
                complain "$class: found '$name', expected a fault, a test or a row that there is"
            elif [ -n "$report" ] && [ -n "$edge" ] && [[ $name != */* ]] && ! is_beyond "$name" "$dims" "$edge"; then
                complain "$class: '$name' is killed by $(sizes_of "$name" | head -1), expected $dims > $edge"
            fi
            seen+="$name "
        done
        ;;
    *)
        end_class
        class=${line%%:*} n=0 seen=" " dims='' edge=''
        classes=$((classes + 1))
        if [[ $line =~ \;\ ([a-z_|]+)\ \>\ ([0-9]+)$ ]]; then
            dims=${BASH_REMATCH[1]} edge=${BASH_REMATCH[2]}
        fi
        if [[ ! $line =~ ^([a-z]+)/[^:]+:\ [a-z0-9-] ]] || [ -z "${of_section[${BASH_REMATCH[1]}]:-}" ]; then
            complain "found '$line', expected one of ${!of_section[*]}, a slash, a name, a colon and what the class is"
        else
            of_section[${BASH_REMATCH[1]}]=$((of_section[${BASH_REMATCH[1]}] + 1))
        fi
        ;;
    esac
done <"$list"
end_class
for section in "${!of_section[@]}"; do
    [ "${of_section[$section]}" -gt 0 ] || complain "no class of $section"
done
[ "$classes" -ge 50 ] || complain "found $classes classes, expected 50 or more"
exit $failed
