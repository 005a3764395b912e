#!/usr/bin/env bash
# completion_test.sh bash|zsh|fish INFERNO: the shell takes the script, and completes what it should. Exits
# with 77 where the shell is missing.
set -euo pipefail
shell=$1 inferno=$2
type -P "$shell" >/dev/null || { echo "$shell: not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$inferno" completion "$shell" >"$scratch/script"
cd "$scratch"
touch a-file

# Each prints the candidates for the last of its words, one on a line.
candidates_bash() {
    bash -c '
        . ./script
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _inferno
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# zsh completes at a terminal only: what would be shown there is printed instead.
candidates_zsh() {
    zsh -f -c '
        compdef() { :; }
        compadd() { while [[ $1 == -* ]]; do shift; done; print -l -- "$@"; }
        _describe() { local list=${@[-1]}; print -l -- "${(@)${(P)list}%%:*}"; }
        _files() { print -l -- *; }
        . ./script
        words=("$@") CURRENT=$# PREFIX=${@[-1]}
        _inferno' zsh "$@" | grep -e "^${*: -1}" || true
}

candidates_fish() {
    # shellcheck disable=SC2016 # fish expands it
    fish --no-config -c 'source ./script; complete -C (string join " " -- $argv)' "$@" | cut -f1
}

# expect WORD... -- CANDIDATE: it is among those for the last word
expect() {
    local words=() found
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    found=$("candidates_$shell" "${words[@]}")
    grep -qxF -e "$2" <<<"$found" && return
    echo "${words[*]}: no '$2' among: $found" >&2
    exit 1
}

expect inferno gen -- generate
expect inferno com -- completion
expect inferno generate --th -- --threads
expect inferno generate --kv q -- q8_0
expect inferno se -- serve
expect inferno serve --po -- --port
expect inferno conform --op rms -- rms_norm
expect inferno conform --dtype Q4 -- Q4_K
expect inferno conform --profile n -- nightly
expect inferno conform --backend s -- simd
expect inferno conform m -- merge
expect inferno backend n -- new
expect inferno inspect --js -- --json
[ "$shell" = bash ] || expect inferno inspect a-f -- a-file # bash adds files by itself, at a terminal
