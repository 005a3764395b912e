#!/usr/bin/env bash
# ci/test.sh [--quick]: builds and runs the tests, as users build it and then under AddressSanitizer and
# UndefinedBehaviorSanitizer. Those that take minutes, label slow, are a stage of ci/check.sh. --quick: the first
# build alone, without whole models and what takes a processor ten seconds and more (label long). Ends with CTest's
# own summary.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"

left_out='^slow$'
case "${1:-}" in
'') presets=(release asan) ;;
--quick)
    presets=(release)
    left_out='^(slow|long|model|external|bench)$'
    ;;
*)
    echo "usage: ci/test.sh [--quick]" >&2
    exit 2
    ;;
esac

for preset in "${presets[@]}"; do
    build_and_test "$preset" --label-exclude "$left_out"
done
