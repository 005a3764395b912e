#!/usr/bin/env bash
# ci/nightly.sh [STAGE...]: what takes too long for every change, one after the other; goes on after a
# failure and prints a table at the end. FUZZ_SECONDS says how long each fuzzer looks, 600 unless set.
set -uo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=ci/stages.sh
. ci/stages.sh

all=(check "${slow_stages[@]}" long fuzz coverage deletions)

# The whole sample of mutants, the museum's lone killers, every value of an op, ...
# shellcheck disable=SC2317 # run calls it
long() { build release && ctest --preset release --build-config nightly --label-regex '^nightly$' --no-tests=error; }

stages=("$@")
[ $# -gt 0 ] || stages=("${all[@]}")
failed=0
for stage in "${stages[@]}"; do
    case $stage in
    check) command=(ci/check.sh) ;;
    long) command=(long) ;;
    fuzz) command=(ci/fuzz.sh "${FUZZ_SECONDS:-600}") ;;
    coverage) command=(coverage/report.sh) ;;
    deletions) command=(ci/deletions.sh) ;;
    *) command=(ci/check.sh "$stage") ;;
    esac
    run "$stage" "${command[@]}" || failed=1
done
exit "$failed"
