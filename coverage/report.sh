#!/usr/bin/env bash
# coverage/report.sh [--again]: builds with gcov counters, runs the conformance cases and then every
# other test, and prints what each layer and each level of simd has reached: lines and branches, and what
# the cases alone reach. Writes a report to browse. Fails below a floor of floor.txt, and at a kernel that
# no case reaches. README.md says what counts. --again: from the counters of the run before.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/../ci/common.sh"
tree=build/coverage
out=$tree/report
type -P lcov >/dev/null || { echo "coverage: lcov is not installed" >&2; exit 77; }

lcov_quietly() { lcov --config-file coverage/lcovrc --quiet "$@" 2>>"$out/lcov.log"; }

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
    capture "$1" all "$tree/src"
    for level in "${levels[@]}"; do
        capture "$1" "backends/simd=$level" "$tree/src/backends/simd/CMakeFiles/ifn_simd_$level.dir"
    done
}

# Where a program may write nowhere, gcov cannot write its counters either, and says so.
run_tests() {
    ctest --preset coverage --parallel "$jobs" --no-tests=error --exclude-regex '^cli/unwritable$' "$@"
}

mkdir -p "$out"
: >"$out/lcov.log"
mapfile -t excluded < <(sed 's/#.*//; s/[[:space:]]*$//; /^$/d; /^kernel /d' coverage/exclude.txt)
[ "${1:-}" = --again ] || build coverage
backends=$("$tree/src/cli/inferno" backends)
levels=()
missing=() # on another processor their kernels do not run
for level in $(sed -n 's/^ *X(\([a-z0-9_]*\)).*/\1/p' "$tree/src/backends/simd/simd_levels.h"); do
    if grep -qx " *$level *yes" <<<"$backends"; then
        levels+=("$level")
    else
        missing+=("$level")
    fi
done
if [ "${1:-}" != --again ]; then
    rm -rf "$out/cases" "$out/tests"
    find "$tree" -name '*.gcda' -delete
    run_tests --label-regex '^smoke$'
    mkdir -p "$out/cases/backends" "$out/tests/backends"
    capture_all cases
    run_tests --label-exclude '^smoke$'
    capture_all tests
fi
genhtml --config-file coverage/lcovrc --quiet --prefix "$PWD" --output-directory "$out" "$out/tests/all.info"

infos=()
for phase in cases tests; do
    infos+=("$out/$phase/all.info")
    for level in "${levels[@]}"; do
        infos+=("$out/$phase/backends/simd=$level.info")
    done
done
status=0
awk -v root="$PWD/src/" -v out="$out/" -v missing="${missing[*]}" -f coverage/table.awk \
    ci/layers.txt coverage/exclude.txt coverage/floor.txt "${infos[@]}" || status=$?
[ ${#missing[@]} -eq 0 ] || echo "not counted, this processor lacks them: ${missing[*]}"
echo "report: $out/index.html"
exit "$status"
