#!/usr/bin/env bash
# contributing_test.sh [TREE]: each file that CONTRIBUTING.md lists for an addition is there and has the example of
# the list's title in it or in its name; and each file that is named after the example stands in the list.
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 77
failed=0
complain() {
    echo "CONTRIBUTING.md: $*" >&2
    failed=1
}

# plain: letters and digits, as AVX-512 VNNI and avx512vnni have the same
plain() { tr -cd '[:alnum:]' | tr '[:upper:]' '[:lower:]'; }

check_files() {
    local file wanted
    wanted=$(plain <<<"$1")
    for file in "${@:2}"; do
        if [ ! -f "$file" ]; then
            complain "$1: $file is not there"
        elif [[ $(plain <<<"$file") != *"$wanted"* ]] && ! plain <"$file" | grep -q "$wanted"; then
            complain "$1: $file has nothing of it"
        fi
    done
}

check_names() {
    local file
    while read -r file; do
        case " ${*:2} " in *" $file "*) ;; *) complain "$1: $file is not in the list" ;; esac
    done < <(git ls-files include src spec tests ':!spec/generate' ':!tests/fuzz/corpus' |
        grep -E "(/|_)$1(_[a-z_]*)?\.[a-z]+\$")
}

tick='`' lists=0
while read -r example; do
    mapfile -t files < <(sed -n "/^### .*: $tick$example$tick\$/,/^##* /p" CONTRIBUTING.md | grep -v '^#' |
        grep -oE "$tick([a-zA-Z_0-9]+(/[a-zA-Z_0-9.]+)+|README\.md)$tick" | tr -d "$tick")
    [ "${#files[@]}" -ge 3 ] || complain "$example: ${#files[@]} files"
    check_files "$example" "${files[@]}"
    check_names "$example" "${files[@]}"
    lists=$((lists + 1))
done < <(sed -n "s/^### .*: $tick\(.*\)$tick\$/\1/p" CONTRIBUTING.md)
[ "$lists" -eq 6 ] || complain "$lists lists, expected 6"
exit "$failed"
