#!/usr/bin/env bash
# ci/check-style.sh [text|format]: checks every tracked text file for faults of form (text), and C files by
# clang-format-14 (format); both unless one is named. Exits with 77 if clang-format-14 is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    echo "check-style: not a git work tree" >&2
    exit 77
fi

bad=0 missing=0
# none WHAT GREP-ARGUMENTS...: reports every line that matches
none() {
    local what=$1
    shift
    if git grep --line-number -I "$@"; then
        echo "check-style: ^ $what" >&2
        bad=1
    fi
}

check_text() {
    local file everything=(. ':!fixtures' ':!tests/fuzz/corpus')
    none "trailing space" '[[:blank:]]$' -- "${everything[@]}"
    none "machine path" -E '(^|[^[:alnum:]_.-])/(home|root|work|farm)/[[:alnum:]_.]' -- "${everything[@]}" ':!ci/check-style.sh'
    none "unfinished mark" -wE 'TODO|FIXME|XXX|HACK' -- "${everything[@]}" ':!ci/check-style.sh'
    none "call that hides errors or overruns" \
        -E '(^|[^[:alnum:]_])(sprintf|vsprintf|strcpy|strcat|strtok|atoi|atol|atof|sscanf|strerror|gets)[[:space:]]*\(' -- src include
    none "tab" "$(printf '\t')" -- '*.c' '*.h' '*.in' '*.cmake' '*CMakeLists.txt'
    # Invisible and look-alike characters: odd spaces, directional marks, curly quotes, dashes.
    LC_ALL=C.UTF-8 none "odd Unicode" -P '[\x{00a0}\x{00ad}\x{2000}-\x{206f}\x{fe00}-\x{fe0f}\x{feff}\x{fffd}]' \
        -- "${everything[@]}" ':!spec/tokenize' ':!tests/tokenizer'

    while read -r file; do
        if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then
            echo "$file: no newline at the end" >&2
            bad=1
        fi
    done < <(git grep -I --files-with-matches '' -- "${everything[@]}")
}

check_format() {
    if ! command -v clang-format-14 >/dev/null; then
        echo "check-style: clang-format-14: not installed, the formatting was not checked" >&2
        missing=77
        return
    fi
    git ls-files -z '*.c' '*.h' ':!fixtures' | xargs -0 -r clang-format-14 --dry-run --Werror || bad=1
}

case "${1:-}" in
text | format) "check_$1" ;;
'')
    check_text
    check_format
    ;;
*)
    echo "usage: ci/check-style.sh [text|format]" >&2
    exit 2
    ;;
esac
[ "$bad" -eq 0 ] || exit 1
exit "$missing"
