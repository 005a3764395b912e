#!/usr/bin/env bash
# coverage/report.sh [--again] [arm64]: builds with gcov counters, runs the conformance cases and then every
# other test, and prints what each layer and each level of simd has reached: lines and branches, and what
# the cases alone reach. Writes a report to browse. Fails below a floor of floor.txt, and at a kernel that
# no case reaches. README.md says what counts. --again: from the counters of the run before. arm64: the
# levels of simd for that architecture, under qemu-user, and nothing else.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/../ci/common.sh"
again=false
if [ "${1:-}" = --again ]; then
    again=true
    shift
fi
case ${1:-} in
'')
    tree=build/coverage
    tools=(lcov)
    gcov=gcov
    launcher=()
    make_tree() { build coverage; }
    levels_alone=false
    cases=(--label-regex '^smoke$')
    tests=(--label-exclude '^smoke$')
    ;;
arm64)
    tree=build/coverage-arm64
    gcov=aarch64-linux-gnu-gcov
    launcher=(qemu-aarch64-static -L build/sysroot/arm64)
    tools=(lcov "$gcov" "${launcher[0]}" apt-get dpkg)
    make_tree() { ci/sysroot.sh arm64 && build_cross arm64 coverage "$tree"; }
    levels_alone=true
    cases=(--tests-regex '^conform/smoke/(all|parallel)\.')
    tests=(--tests-regex '^(ops|backends|registry)/' --label-exclude '^bench$')
    ;;
*)
    echo "usage: coverage/report.sh [--again] [arm64]" >&2
    exit 2
    ;;
esac
out=$tree/report
needs "${tools[@]}" || exit

lcov_quietly() { lcov --gcov-tool "$gcov" --config-file coverage/lcovrc --quiet "$@" 2>>"$out/lcov.log"; }

# capture PHASE NAME FOLDER: $out/PHASE/NAME.info, all that was compiled below the folder
capture() {
    local info=$out/$1/$2.info
    mkdir -p "$out/$1"
    lcov_quietly --capture --initial --directory "$3" --base-directory "$PWD" --output-file "$info.zero"
    lcov_quietly --capture --directory "$3" --base-directory "$PWD" --output-file "$info.run"
    lcov_quietly --add-tracefile "$info.zero" --add-tracefile "$info.run" --output-file "$info.all"
    lcov_quietly --extract "$info.all" "$PWD/src/*" --output-file "$info"
    [ ${#excluded[@]} -eq 0 ] || lcov_quietly --remove "$info" "${excluded[@]/#/$PWD/}" --output-file "$info"
    rm "$info".*
}

# The objects of a level are counted for themselves: together, one level would cover for another.
capture_all() {
    local level
    mkdir -p "$out/$1/backends"
    $levels_alone || capture "$1" all "$tree/src"
    for level in "${levels[@]}"; do
        capture "$1" "backends/simd=$level" "$tree/src/backends/simd/CMakeFiles/ifn_simd_$level.dir"
    done
}

# Where a program may write nowhere, gcov cannot write its counters either, and says so.
run_tests() {
    ctest --test-dir "$tree" --output-on-failure --parallel "$jobs" --no-tests=error \
        --exclude-regex '^cli/unwritable$' "$@"
}

mkdir -p "$out"
: >"$out/lcov.log"
mapfile -t excluded < <(sed 's/#.*//; s/[[:space:]]*$//; /^$/d; /^kernel /d' coverage/exclude.txt)
$again || make_tree
"${launcher[@]}" "$tree/src/cli/inferno" backends >"$out/backends.txt"
mapfile -t levels < <(sed -n '/^levels/,/^$/s/^ *\([a-z0-9_]*\) *yes$/\1/p' "$out/backends.txt")
mapfile -t missing < <(sed -n '/^levels/,/^$/s/^ *\([a-z0-9_]*\) *no, .*/\1/p' "$out/backends.txt")
if ! $again; then
    rm -rf "$out/cases" "$out/tests"
    find "$tree" -name '*.gcda' -delete
    run_tests "${cases[@]}"
    capture_all cases
    run_tests "${tests[@]}"
    capture_all tests
fi

parts=("${levels[@]/#/backends/simd=}")
$levels_alone || parts=(all "${parts[@]}")
infos=("${parts[@]/%/.info}")
if $levels_alone; then
    browsed=("${infos[@]/#/$out/tests/}")
else
    browsed=("$out/tests/all.info")
fi
genhtml --config-file coverage/lcovrc --quiet --prefix "$PWD" --output-directory "$out" "${browsed[@]}"
status=0
awk -v root="$PWD/src/" -v out="$out/" -v missing="${missing[*]}" -v levels_alone="$levels_alone" -f coverage/table.awk \
    ci/layers.txt coverage/exclude.txt coverage/floor.txt "${infos[@]/#/$out/cases/}" "${infos[@]/#/$out/tests/}" || status=$?
[ ${#missing[@]} -eq 0 ] || echo "not counted, this processor lacks them: ${missing[*]}"
echo "report: $out/index.html"
exit "$status"
