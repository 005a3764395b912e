#!/usr/bin/env bash
# readme_figures_test.sh INFERNO README [--write | TABLE]: the number of cases that the README shows is that of a
# run, on three backends as there. --write puts the number in its place. TABLE is what such a run has printed, where
# there has been one: cli/examples has it.
set -euo pipefail
inferno=$1 readme=$2
run() { "$inferno" conform --backend scalar --profile smoke --quiet; }
count=$(case ${3:---write} in --write) run ;; *) cat "$3" ;; esac | sed -n 's/^\([0-9]*\) cases, 0 failed.*/\1/p')
[ -n "$count" ] || { echo "the smoke profile fails on scalar" >&2; exit 1; }
expected=$((3 * count)) # the backends of one run share their cases
found=$(sed -n 's/^    \([0-9]*\) cases, 0 failed.*conformant$/\1/p' "$readme")
if [ "${3:-}" = --write ]; then
    sed -i "s/^    $found cases, 0 failed/    $expected cases, 0 failed/" "$readme"
elif [ "$found" != "$expected" ]; then
    echo "README.md: $found cases, expected $expected: bash $0 $inferno $readme --write" >&2
    exit 1
fi
