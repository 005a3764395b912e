#!/usr/bin/env bash
# debug_gdb_test.sh INFERNO: `conform debug --gdb` becomes a debugger that runs the same words without --gdb, and
# stops at the call of the case's op.
set -euo pipefail
inferno=$1 id=matmul/F32/m=1,n=9,p=2/T0/lattice/raw/0/7
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2016
printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' >"$scratch/gdb"
chmod +x "$scratch/gdb"

found=$(PATH=$scratch "$inferno" conform debug "$id" --gdb --backend scalar)
program=$(readlink -f "$inferno")
expected="-q
-ex
tbreak judge_tell_run
-ex
run
-ex
break enter_matmul
-ex
continue
--args
$program
conform
debug
$id
--backend
scalar"
if [ "$found" != "$expected" ]; then
    printf 'found\n%s\nexpected\n%s\n' "$found" "$expected"
    exit 1
fi
if PATH=/nowhere "$inferno" conform debug "$id" --gdb >"$scratch/out" 2>&1; then
    echo "without gdb: found success, expected a failure"
    exit 1
fi
grep -q 'gdb: not found, expected a program of that name on PATH' "$scratch/out"
