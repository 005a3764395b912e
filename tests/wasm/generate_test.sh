#!/usr/bin/env bash
# generate_test.sh WASM INFERNO: WebAssembly gives the ids that this machine gives, with floats and with 8-bit codes, of
# its vectors and of scalar; and what it has not (threads, processes, plugins) is done without or refused in a line.
# Exits with 77 where there is no node, or no build.
set -euo pipefail
# shellcheck source=tests/wasm/wasm_common.sh
. "$(dirname "$0")/wasm_common.sh"
inferno=$2
need node
need_program
"$inferno" quantize "$source/fixtures/gguf/little-world-f16.gguf" "$scratch/q8_0.gguf" Q8_0 --quiet >/dev/null

# story COMMAND...: ids and text
story() { "$@" -p 'Once upon a time' -n 60 --json --quiet | grep -o '"ids": .*, "steps"'; }
for model in "$source/fixtures/gguf/little-world-f16.gguf" "$scratch/q8_0.gguf"; do
    expected=$(story "$inferno" generate "$model" --backend scalar)
    for backend in scalar simd parallel=4:simd; do
        found=$(story in_node generate "$model" --backend "$backend" 2>"$scratch/said")
        [ "$found" = "$expected" ] || fail "$model, $backend: found $found, expected $expected"
    done
done

# expect LINE COMMAND...: refused with status 2 or 1, in one line that has this
expect() {
    local status=0
    in_node "${@:2}" >"$scratch/out" 2>"$scratch/said" || status=$?
    [ "$status" -eq 1 ] || [ "$status" -eq 2 ] || fail "${*:2}: status $status"
    if [ "$(wc -l <"$scratch/said")" -ne 1 ] || ! grep -q "$1" "$scratch/said"; then
        fail "${*:2}: $(cat "$scratch/said")"
    fi
}
expect 'WebAssembly has no shared objects' generate --backend ./mine.so -p Hello
expect 'simd=avx2: not a level' generate --backend simd=avx2 -p Hello
expect 'no processes, expected --in-process' conform --backend scalar --op add
