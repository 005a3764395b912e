#!/usr/bin/env bash
# ci/fuzz.sh [SECONDS [NAME...]]: runs every fuzzer of tests/fuzz (or those named) for SECONDS (60), starting
# from its corpus. Stops at the first finding and says where the input is; once the bug is fixed, the input
# goes into the corpus as finding-<what>.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"

needs clang || exit
seconds=${1:-60}
names=("${@:2}")
if [ $# -lt 2 ]; then
    for folder in tests/fuzz/corpus/*/; do
        names+=("$(basename "$folder")")
    done
fi

tree=build/fuzz
build fuzz fuzzers

export INFERNO_SOURCE_DIR=$PWD
for name in "${names[@]}"; do
    found=$tree/found/$name
    mkdir -p "$found"
    log=$found.log
    # New inputs stay in the build tree; what the code under test prints goes nowhere.
    if ! "$tree/tests/fuzz/${name}_fuzz" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=4096 \
        -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$found-" \
        "$found" "tests/fuzz/corpus/$name" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        echo "fuzz: $name: a finding; the input is named above, the whole log is $log" >&2
        exit 1
    fi
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, no finding"
done
