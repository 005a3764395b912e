# shellcheck shell=bash
# Sourced by the scripts of this folder: goes to the root of the source tree, checks for the packages,
# finds external data.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
bash ci/setup.sh

jobs=$(nproc)
if [ -z "${INFERNO_EXTERNAL_DATA:-}" ] && [ -d ../shared/data ]; then
    INFERNO_EXTERNAL_DATA=$(cd ../shared/data && pwd)
fi
external=${INFERNO_EXTERNAL_DATA:-}

# needs TOOL...: returns the status of a stage that lacks a tool, which is not a failure.
not_run=77
needs() {
    local tool
    for tool in "$@"; do
        type -P "$tool" >/dev/null || { echo "$tool: not installed"; return "$not_run"; }
    done
}

# configure PRESET
configure() { cmake --preset "$1" "-DINFERNO_EXTERNAL_DATA=$external"; }

# build PRESET [target...]
build() {
    local preset=$1
    shift
    configure "$preset" || return
    cmake --build --preset "$preset" --parallel "$jobs" ${1:+--target "$@"}
}

# build_and_test PRESET [FILTER...]: one test more at a time than there are processors, as some wait: for a limit of
# time, a browser, a server (conform/hostile takes 16 seconds of the processor in 45).
build_and_test() {
    build "$1" && ctest --preset "$1" --parallel $((jobs + 1)) --no-tests=error "${@:2}"
}

# build_cross ARCH PRESET FOLDER [argument of the build...]: for another of Debian's architectures.
build_cross() {
    cmake --preset "$2" -B "$3" -DCMAKE_TOOLCHAIN_FILE=ci/cross.cmake -DINFERNO_CROSS="$1" &&
        cmake --build "$3" --parallel "$jobs" "${@:4}"
}
