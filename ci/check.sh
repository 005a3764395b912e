#!/usr/bin/env bash
# ci/check.sh [STAGE...]: everything a reviewer would run, in order; stops at the first failure and
# prints what was run and how long it took. `ci/check.sh asan` runs one stage alone.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=ci/stages.sh
. ci/stages.sh

default=(style layers cppcheck release symbols headers asan clang)
extra=(tidy tsan valgrind aarch64)

style() { ci/check-style.sh; }
layers() { ci/check-layers.sh; }
cppcheck() { needs cppcheck && configure release && cppcheck_sources; }
release() { build_and_test release; }
symbols() { build release inferno && ci/check-symbols.sh build/release/src/libinferno.a; }
headers() { build release && ctest --preset release --tests-regex '^meta/headers/' --no-tests=error; }
asan() { build_and_test asan; }
clang() { needs clang && build_and_test clang; }
tidy() { needs clang-tidy-14 && build release && lint; }
# Helgrind takes atomics for races, and the pool is made of them: ThreadSanitizer knows better.
tsan() { build_and_test tsan; }

# Valgrind shows programs a processor without AVX-512.
valgrind() {
    needs valgrind && build_and_test valgrind && memcheck --trace-children=yes \
        build/valgrind/src/cli/inferno conform --backend scalar --backend simd=avx2 --profile smoke --patience 600
}
memcheck() { command valgrind --quiet --error-exitcode=99 --leak-check=full "$@"; }

aarch64() {
    needs aarch64-linux-gnu-gcc qemu-aarch64-static || return
    cmake -S . -B build/aarch64 -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE=ci/aarch64.cmake &&
        cmake --build build/aarch64 --parallel "$jobs" &&
        ctest --test-dir build/aarch64 --label-regex '^(unit|ops|smoke)$' --parallel "$jobs" --no-tests=error \
            --output-on-failure
}

# What is compiled here, other machines' kernels left out. The analyser heeds assertions.
lint() {
    sed -n 's|^ *"file": "\(.*/src/.*\.c\)".*|\1|p' build/release/compile_commands.json | sort -u |
        xargs -P "$jobs" -n 4 clang-tidy-14 --quiet --extra-arg=-UNDEBUG -p build/release 2>/dev/null
}

# cppcheck names what lies below the working directory as seen from there.
# Without simd, whose unrolled tiles take it minutes for each level; clang-tidy looks at them.
cppcheck_sources() {
    mkdir -p build/release/cppcheck
    command cppcheck --project=build/release/compile_commands.json --file-filter='*src/*' \
        -isrc/backends/simd -i"$PWD/src/backends/simd" -j "$jobs" \
        --cppcheck-build-dir=build/release/cppcheck --std=c11 --enable=warning,performance,portability \
        --inline-suppr --suppressions-list=ci/cppcheck.txt --quiet --error-exitcode=1 \
        --template='{file}:{line}: {severity}: {id}: {message}'
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
    run "$stage" "$stage"
done
