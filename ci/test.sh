#!/usr/bin/env bash
# ci/test.sh [--quick]: builds and runs the tests, as users build it and then under AddressSanitizer and
# UndefinedBehaviorSanitizer. What takes longest, label slow, is the stage slow of ci/check.sh; what is slow in the second
# build alone, the night's asan-slow. tests/CMakeLists.txt says why a test is slow. --quick: the first build alone,
# without whole models, files from outside, devices and tests of some seconds. Ends with CTest's own summary.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"

left_out='^slow$'
case "${1:-}" in
'') presets=(release asan) ;;
--quick)
    presets=(release)
    left_out='^(slow|seconds|model|device|external|bench)$'
    ;;
*)
    echo "usage: ci/test.sh [--quick]" >&2
    exit 2
    ;;
esac

for preset in "${presets[@]}"; do
    build_and_test "$preset" --label-exclude "$left_out"
done
