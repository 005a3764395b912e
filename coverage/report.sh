#!/usr/bin/env bash
# coverage/report.sh: builds with gcov counters, runs every test, prints the share of lines reached in
# each layer and writes a browsable report. Fails where a layer is below its line of floor.txt.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/../ci/common.sh"
out=build/coverage/report
command -v lcov >/dev/null || { echo "coverage: lcov is not installed" >&2; exit 1; }

build coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage --parallel "$jobs" --no-tests=error

mkdir -p "$out"
lcov --config-file coverage/lcovrc --quiet --capture --directory build/coverage \
    --base-directory "$PWD" --output-file "$out/all.info"
lcov --config-file coverage/lcovrc --quiet --extract "$out/all.info" "$PWD/src/*" \
    --output-file "$out/src.info"
mapfile -t excluded < <(sed 's/#.*//; s/[[:space:]]*$//; /^$/d' coverage/exclude.txt)
if [ ${#excluded[@]} -gt 0 ]; then
    lcov --config-file coverage/lcovrc --quiet --remove "$out/src.info" "${excluded[@]/#/$PWD/}" \
        --output-file "$out/src.info"
fi
genhtml --config-file coverage/lcovrc --quiet --prefix "$PWD" --output-directory "$out" "$out/src.info"

awk -v root="$PWD/src/" '
FNR == NR { sub(/#.*/, ""); if (NF) floor[$1] = $2; next }
/^SF:/ { layer = substr($0, 4 + length(root)); sub(/\/[^\/]*$/, "", layer) }
/^LF:/ { lines[layer] += substr($0, 4) }
/^LH:/ { hit[layer] += substr($0, 4) }
END {
    print "layer                 lines    reached   percent     floor"
    for (layer in lines) {
        percent = 100 * hit[layer] / lines[layer]
        below = layer in floor && percent < floor[layer]
        printf "%-20s %6d %10d %8.1f%% %9s%s\n", layer, lines[layer], hit[layer], percent,
            floor[layer], below ? "  BELOW" : "" | "sort"
        bad = bad || below
    }
    close("sort")
    exit bad
}' coverage/floor.txt "$out/src.info"
echo "report: $out/index.html"
