#!/usr/bin/env bash
# ci/mutation.sh [--shard i/n] [--seed S] [--count N] [--jobs J] [--these FILE] [--build DIR]
#
# Mutates the scalar and simd sources one operator at a time, rebuilds what includes the changed file,
# links a plugin and has `inferno conform` judge the ops it serves: smoke, then ci, up to the first
# failure. tests/mutation/README.md says what counts. Fails below 95 percent, and when a survivor is
# not in tests/mutation/equivalent.txt.
#   --jobs J      runs J mutants at a time (default: as many as there are processors)
#   --these FILE  the mutants of a list in the form of equivalent.txt, with what becomes of each in place of
#                 a proof, instead of a sample
#   --build DIR   a Release build of this tree that is there already (default: build/release)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
here=$root/tests/mutation
shard=0 shards=1 seed=1 count=300 workers=$(nproc) these='' build=''

usage() {
    sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || usage
    case $1 in
    --shard) shard=${2%/*} shards=${2#*/} ;;
    --seed) seed=$2 ;;
    --count) count=$2 ;;
    --jobs) workers=$2 ;;
    --these) these=$2 ;;
    --build) build=$2 ;;
    *) usage ;;
    esac
    shift 2
done
for number in "$shard" "$shards" "$seed" "$count" "$workers"; do
    [[ $number =~ ^[0-9]+$ ]] || usage
done
[ "$shard" -lt "$shards" ] || usage
[ "$workers" -gt 0 ] || usage

if [ -z "$build" ]; then
    # shellcheck source=ci/common.sh
    . "$root/ci/common.sh"
    build release inferno_program mutate
    build=$root/build/release
fi
build=$(cd "$build" && pwd)
inferno=$build/src/cli/inferno
mutate=$build/tests/mutation/mutate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -c 0
# shellcheck source=tests/mutation/rebuild.sh
. "$here/rebuild.sh"
# shellcheck source=tests/mutation/judge.sh
. "$here/judge.sh"

prepare_tree
find_levels
# the compiler, without a launcher before it
read -r -a compiler < <(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
read_recipes
read_records "$here/equivalent.txt" >"$work/equivalent"
list_mutants >"$work/mutants"
check_records "$here/equivalent.txt" "$work/equivalent"

if [ -n "$these" ]; then
    read_records "$these" >"$work/these"
    check_records "$these" "$work/these"
    select_these "$work/these" >"$work/sample"
else
    (cd "$tree" && "$mutate" --sample "$count" --seed "$seed" "${sources[@]}") >"$work/sample"
fi
awk -v i="$shard" -v n="$shards" '(NR - 1) % n == i' "$work/sample" >"$work/todo"
total=$(wc -l <"$work/todo")
[ "$total" -gt 0 ] || { echo "mutation: no mutant to try" >&2; exit 2; }
echo "mutation: $total of $(wc -l <"$work/mutants") mutants; levels of simd: ${levels[*]}"

# run_job J: runs the mutants that no other job has taken. A job takes a mutant by creating its directory.
run_job() {
    local n=0 file number taken=$work/taken
    move_to "$work/job$1"
    : >"$work/results"
    while IFS=$'\t' read -r file number <&3; do
        n=$((n + 1))
        mkdir "$taken/$n" 2>/dev/null || continue
        try_mutant "$file" "$number" "$n of $total"
    done 3<"$work/../todo"
}

mkdir "$work/taken"
pids=()
for ((j = 0; j < workers; j++)); do
    run_job "$j" &
    pids+=($!)
done
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
for pid in "${pids[@]}"; do
    wait "$pid" || stop "a job has ended early"
done
cat "$work"/job*/results >"$work/results"
[ -z "$these" ] || compare_fates "$work/these"
printf '\nin %d min %02d s\n' $((SECONDS / 60)) $((SECONDS % 60))
summarise
