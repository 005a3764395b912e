# shellcheck shell=bash
# To be sourced by the tests of a plugin's author: an installed copy of BUILD in an empty directory, and how to
# look at what its programs do.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
inferno=$prefix/bin/inferno
cd "$scratch" || exit
quietly() { "$@" >log 2>&1 || { cat log >&2; echo "failed: $*" >&2; return 1; }; }
# same WHAT FOUND EXPECTED
same() {
    [ "$2" = "$3" ] && return
    printf '%s: found "%s", expected "%s"\n' "$@" >&2
    exit 1
}

quietly cmake --install "$1" --prefix "$prefix"
quietly "$inferno" synth llama:tiny model.gguf --quiet
# continue_on BACKEND [OPTION...]: the ids of a continuation
continue_on() {
    "$inferno" generate model.gguf --ids 1,2,3 -n 8 --ignore-eos --json --backend "$@" |
        sed -n 's/.*"ids": \(\[[0-9, ]*\]\).*/\1/p'
}
