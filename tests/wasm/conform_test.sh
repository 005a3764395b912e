#!/usr/bin/env bash
# conform_test.sh WASM: the smoke profile over scalar and the 128-bit vectors, in node: both are conformant, and all
# that the suite cannot see there is said. Exits with 77 where there is no node, or no build.
set -euo pipefail
# shellcheck source=tests/wasm/wasm_common.sh
. "$(dirname "$0")/wasm_common.sh"
need node
need_program
in_node conform --backend scalar --backend simd=wasm128 --profile smoke --in-process >"$scratch/report" ||
    { cat "$scratch/report" && fail "conform has failed"; }
for line in '^scalar: no level; Bronze: needs worker processes' '^simd=wasm128: no level, .*: needs worker processes' \
    '^memory was not guarded' ' cases, 0 failed, .*: conformant'; do
    grep -q "$line" "$scratch/report" || { cat "$scratch/report" && fail "no line with $line"; }
done
tail -n 1 "$scratch/report"
