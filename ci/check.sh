#!/usr/bin/env bash
# ci/check.sh [STAGE...]: runs all checks in order, stops at the first failure, and prints which stages
# ran and how long they took. `ci/check.sh asan` runs one stage alone. Exits with 77 if every stage lacked
# something that it needs, so that nothing was run.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=ci/stages.sh
. ci/stages.sh

default=(style format layers scripts cppcheck release symbols headers bench neon asan slow clang)
extra=("${slow_stages[@]}")

style() { ci/check-style.sh text; }
format() { ci/check-style.sh format; }
layers() { ci/check-layers.sh && ci/check-circles.sh; }
scripts() {
    needs shellcheck && find ci coverage fixtures src tests -name '*.sh' -print0 | xargs -0 shellcheck -x .ci/run
}
cppcheck() { needs cppcheck && configure release && cppcheck_sources; }
release() { build_and_test release --label-exclude '^slow$'; }
symbols() { build release inferno && ci/check-symbols.sh build/release/src/libinferno.a; }
headers() { build release && ctest --preset release --tests-regex '^meta/headers/' --no-tests=error; }
# Shares of ceilings measured in the same run: a kernel that lost its vectors, on a busy machine, too.
bench() { needs python3 && build release inferno_program && ci/check-speed; }
# What every change must compile and compute for the other kind of processor; stage aarch64 runs the rest.
neon() {
    build_for arm64 aarch64-linux-gnu-gcc qemu-aarch64-static \
        --target backends_tests registry_simd_search_test &&
        tests_of arm64 --tests-regex '^registry/simd_'
}
asan() { build_and_test asan --label-exclude '^slow$'; }
# The museum, every order of summation, a driver's kernels, WebAssembly, the pages, what is installed: all that is slow,
# as tests/CMakeLists.txt says. Under sanitizers it is more, and the night's.
slow() { build_and_test release --label-regex '^slow$'; }
asan-slow() { build_and_test asan --label-regex '^slow$'; }
clang() { needs clang && build_and_test clang; }
tidy() { needs clang-tidy-14 && build release && lint; }
# Stage valgrind runs Helgrind on the pool (tests/base/helgrind); ThreadSanitizer sees more.
tsan() { build_and_test tsan; }
msan() { needs clang apt-get && ci/msan-deps.sh && build_and_test msan; }

# The preset leaves out the runs of conform and of what is installed, which Valgrind would not watch; one run
# of conform follows, watched with all its processes. Valgrind shows programs a processor without AVX-512.
valgrind() {
    needs valgrind && build_and_test valgrind && memcheck --trace-children=yes \
        build/valgrind/src/cli/inferno conform --backend scalar --backend simd=avx2 --profile smoke --patience 600
}
memcheck() { command valgrind --quiet --error-exitcode=99 --leak-check=full "$@"; }

# A processor without SSE4.1 and AVX: no code may use these before it has asked whether the processor has them.
baseline() {
    needs qemu-x86_64-static && build release || return
    local before_avx=(qemu-x86_64-static -cpu core2duo) program name status
    for program in build/release/tests/{base,backends}/*_test{,s}; do
        while read -r name <&3; do
            case $program/$name in
            *_bench* | */huge_pages) continue ;; # take time; qemu tells of mappings in its own words
            esac
            status=0
            "${before_avx[@]}" "$program" ${name:+"$name"} || status=$?
            [ "$status" -eq 0 ] || [ "$status" -eq "$not_run" ] || return "$status" # kernels for other processors
        done 3< <(case $program in *_tests) "$program" ;; *) echo ;; esac)
    done
    "${before_avx[@]}" build/release/src/cli/inferno conform --backend simd --profile smoke --patience 600
}

# Runs the tests on qemu's own processor, then conform on processors without its matrix products and dot products.
aarch64() {
    on_qemu arm64 aarch64-linux-gnu-gcc qemu-aarch64-static '^(unit|ops|smoke)$' || return
    local cpu
    for cpu in neoverse-n1 cortex-a53; do
        qemu-aarch64-static -cpu "$cpu" -L build/sysroot/arm64 build/arm64/src/cli/inferno conform \
            --backend simd --profile smoke --patience 600 || return
    done
}
armhf() { on_qemu armhf arm-linux-gnueabihf-gcc qemu-arm-static '^unit$'; }
ppc64el() { on_qemu ppc64el powerpc64le-linux-gnu-gcc qemu-ppc64le-static '^unit$'; }
s390x() { on_qemu s390x s390x-linux-gnu-gcc qemu-s390x-static '^unit$'; }

# build_for ARCH COMPILER EMULATOR [argument of the build...]: builds for another of Debian's architectures.
build_for() {
    needs "$2" "$3" apt-get dpkg && ci/sysroot.sh "$1" && build_cross "$1" release "build/$1" "${@:4}"
}
# tests_of ARCH FILTER...: runs the tests by the emulator.
tests_of() {
    ctest --test-dir "build/$1" --parallel "$jobs" --no-tests=error --output-on-failure "${@:2}"
}
# on_qemu ARCH COMPILER EMULATOR LABELS
on_qemu() { build_for "$1" "$2" "$3" && tests_of "$1" --label-regex "$4"; }

# Debian 12 has no archive of it, so what needs no other library is compiled.
riscv64() {
    needs riscv64-linux-gnu-gcc &&
        build_cross riscv64 release build/riscv64 --target ifn_base ifn_quant ifn_ops ifn_gguf \
            ifn_scalar ifn_simd ifn_parallel ifn_trace ifn_check ifn_registry ifn_model ifn_weights ifn_context
}

# clang-tidy on all files that this machine's build compiles. Assertions are on, as the analyser makes use of them.
lint() {
    mkdir -p build/tidy
    one_level <build/release/compile_commands.json >build/tidy/compile_commands.json
    sed -n 's|^ *"file": "\(.*/src/.*\.c\)".*|\1|p' build/tidy/compile_commands.json | sort -u |
        xargs -P "$jobs" -n 4 clang-tidy-14 --quiet --extra-arg=-UNDEBUG -p build/tidy 2>/dev/null
}
# Each source once, though simd compiles most for several levels; those that are short and include what
# each level has of its own (vec.h, dot.h, transpose.h), for all.
one_level() {
    awk '
        BEGIN { print "[" }
        /^[{]/ { entry = "" }
        /^  "file"/ { wanted = /\/(weight_panels|quantize_rows_simd)\.c"/ || !seen[$2]++ }
        { entry = entry $0 "\n" }
        /^}/ && wanted { sub(/},?\n$/, "}", entry); printf "%s%s", comma, entry; comma = ",\n" }
        END { print "\n]" }'
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
$any_ran || exit "$not_run"
