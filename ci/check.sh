#!/usr/bin/env bash
# ci/check.sh [STAGE...]: everything a reviewer would run, in order; stops at the first failure and
# prints what was run and how long it took. `ci/check.sh asan` runs one stage alone.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"

default=(style layers release symbols headers asan clang)
extra=(tidy tsan valgrind)

style() { ci/check-style.sh; }
layers() { ci/check-layers.sh; }
release() { build_and_test release; }
symbols() { build release inferno && ci/check-symbols.sh build/release/src/libinferno.a; }
headers() { build release && ctest --preset release --tests-regex '^meta/headers/' --no-tests=error; }
asan() { build_and_test asan; }
clang() { needs clang && build_and_test clang; }
tidy() { needs clang-tidy-14 && build release && lint; }
tsan() { build_and_test tsan; }
valgrind() { needs valgrind && build_and_test valgrind; }

# What is compiled here, other machines' kernels left out.
lint() {
    sed -n 's|^ *"file": "\(.*/src/.*\.c\)".*|\1|p' build/release/compile_commands.json | sort -u |
        xargs -P "$jobs" -n 4 clang-tidy-14 --quiet -p build/release 2>/dev/null
}

# What a stage needs beyond the packages of setup.sh; a stage that cannot run is not a failure here.
not_run=77
needs() {
    local tool
    for tool in "$@"; do
        type -P "$tool" >/dev/null || { echo "$tool: not installed"; return "$not_run"; }
    done
}

table=
print_table() { [ -z "$table" ] || printf '\n%-10s %-8s %8s\n%s' stage result seconds "$table"; }
trap print_table EXIT

# run STAGE
run() {
    local start=$SECONDS status=0 result=passed
    printf '\n== %s\n' "$1"
    ("$1") || status=$?
    case $status in
    0) ;;
    "$not_run") result='not run' ;;
    *) result=FAILED ;;
    esac
    printf -v table '%s%-10s %-8s %8d\n' "$table" "$1" "$result" $((SECONDS - start))
    [ "$result" != FAILED ]
}

stages=("$@")
[ $# -gt 0 ] || stages=("${default[@]}")
for stage in "${stages[@]}"; do
    case " ${default[*]} ${extra[*]} " in
    *" $stage "*) ;;
    *)
        echo "check: no stage named $stage; there are ${default[*]} ${extra[*]}" >&2
        exit 2
        ;;
    esac
done
for stage in "${stages[@]}"; do
    run "$stage"
done
