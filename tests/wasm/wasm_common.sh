# shellcheck shell=bash
# Sourced by the tests of the build for WebAssembly: WASM, the folder of that build, and the first argument.
wasm=$1 source=${INFERNO_SOURCE_DIR:?}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
program=$wasm/src/cli/inferno.wasm
fail() { echo "$*" >&2 && exit 1; }
not_run() { echo "$*" && exit 77; }

# need TOOL...: without it the test is not run
need() {
    local tool
    for tool in "$@"; do
        type -P "$tool" >/dev/null || not_run "$tool: not installed"
    done
}
# need_program: wasm/build has made it
need_program() { [ -e "$program" ] || not_run "$program is not there: see wasm/build"; }
in_node() { node --no-warnings "$source/src/wasm/run.mjs" "$program" "$@"; }
