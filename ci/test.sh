#!/usr/bin/env bash
# ci/test.sh [--quick]: builds and runs every test, as users build it and then under AddressSanitizer
# and UndefinedBehaviorSanitizer (not with --quick). Ends with CTest's own summary.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"

case "${1:-}" in
'') presets=(release asan) ;;
--quick) presets=(release) ;;
*)
    echo "usage: ci/test.sh [--quick]" >&2
    exit 2
    ;;
esac

for preset in "${presets[@]}"; do
    build_and_test "$preset"
done
