#!/usr/bin/env bash
# torch_test.sh PROGRAM SCRIPT: torch's products of f32 matrices, judged under what they are and under finer declarations.
# INFERNO_PYTHON is the interpreter that has torch; skipped where none has.
set -euo pipefail
program=$1 script=$2
python=${INFERNO_PYTHON:-python3}
"$python" -c 'import numpy, torch' 2>/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# judged PRECISION WORDS...: the last line of the verdict on what torch makes of cases that were exported with WORDS.
judged() {
    local precision=$1
    shift
    rm -rf "$dir/cases"
    "$program" conform export "$dir/cases" --op matmul --cases 60 "$@" >"$dir/log"
    "$python" "$script" "$dir/cases" "$precision"
    { "$program" conform judge "$dir/cases" || [ $? -eq 1 ]; } >"$dir/verdict"
    tail -1 "$dir/verdict"
}

expect() {
    local pattern=$1 found
    shift
    found=$(judged "$@")
    echo "$*: $found"
    [[ $found =~ $pattern ]] || {
        echo "torch_test.sh: found '$found', expected '$pattern'"
        exit 1
    }
}

passes=' 0 failed, 0 not run: conformant'
fails=' [1-9][0-9]* failed, 0 not run: NOT conformant'
expect "$passes" highest
expect "$passes" tf32 --products tf32
expect "$fails" tf32
# Where the processor has no products in bf16, medium is f32.
if "$python" - <<'E2'
import sys, torch
torch.set_float32_matmul_precision("medium")
one = torch.full((64, 64), 1 + 2**-10)
sys.exit(float((one @ one)[0, 0]) != 64.0)
E2
then
    expect "$passes" medium --products bf16 --ftz
    expect "$fails" medium
    expect "$fails" medium --products tf32 --ftz
fi
