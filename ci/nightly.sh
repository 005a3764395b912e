#!/usr/bin/env bash
# ci/nightly.sh [STAGE...]: runs the checks that take too long for every change, one after the other. Goes on
# after a failure and prints a table at the end. Exits with 77 if every stage lacked something that it needs.
# FUZZ_SECONDS says how long each fuzzer looks, 600 unless set.
set -uo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=ci/stages.sh
. ci/stages.sh

# nightly_tests FILTER...
# shellcheck disable=SC2317 # run calls it, by the next two
nightly_tests() {
    build release && ctest --preset release --build-config nightly --label-regex '^nightly$' --no-tests=error "$@"
}
# The museum's lone killers, every value of an op, ...
# shellcheck disable=SC2317
long() { nightly_tests --exclude-regex '^mutation/'; }
# The whole sample of mutants.
# shellcheck disable=SC2317
mutation() { nightly_tests --tests-regex '^mutation/'; }

stages=("$@")
[ $# -gt 0 ] || stages=("${night_stages[@]}")
failed=0
for stage in "${stages[@]}"; do
    case $stage in
    check) command=(ci/check.sh) ;;
    long | mutation) command=("$stage") ;;
    fuzz) command=(ci/fuzz.sh "${FUZZ_SECONDS:-600}") ;;
    coverage) command=(coverage/report.sh) ;;
    coverage-*) command=(coverage/report.sh "${stage#*-}") ;;
    deletions) command=(ci/deletions.sh) ;;
    *) command=(ci/check.sh "$stage") ;;
    esac
    run "$stage" "${command[@]}" || failed=1
done
[ "$failed" -ne 0 ] || $any_ran || exit "$not_run"
exit "$failed"
