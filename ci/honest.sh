#!/usr/bin/env bash
# ci/honest.sh [-s SEED] [-n SEEDS] [-p PROFILE] [-k STYLES] [-o LOG] [OP...]: judges the honest backends of
# tests/plugins, each by the ops in which it differs from `plain`, and writes a line for every run: op, seed, styles,
# comparisons, verdict. The ci profile, seeds SEED (1) to SEED + SEEDS - 1 (3 of them); STYLES: those whose name
# the expression matches. A run that stands in the log already is not repeated, so that what was interrupted goes on.
# INFERNO and HONEST name another program and plugin than build/release has.
# Exits with 1 if a style failed, which is a false alarm.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"

first=1 seeds=3 profile=ci kept=. log=build/honest.log
while getopts s:n:p:k:o: option; do
    case $option in
    s) first=$OPTARG ;;
    n) seeds=$OPTARG ;;
    p) profile=$OPTARG ;;
    k) kept=$OPTARG ;;
    o) log=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
inferno=${INFERNO:-build/release/src/cli/inferno}
plugin=${HONEST:-build/release/tests/plugins/honest.so}
at_once=14 # what one run takes; they share inputs and truth
ops=("$@")
[ $# -gt 0 ] || ops=(matmul sum_squares_axis silu rsqrt_elem softmax_rows apply_rope apply_rope_single_row linear
    linear_q8 rms_norm swiglu attention)

# One line for each style: its name, and which ops it changes.
changes() {
    awk '
    /^static const style styles/ { inside = 1 }
    /^};/ { inside = 0 }
    inside && /^    {"/ { say(); text = "" }
    inside { text = text $0 }
    END { say() }
    function has(field) { return text ~ ("\\." field " = ") }
    function say(  name, sums) {
        if (!match(text, /"[a-z0-9_]+"/))
            return
        name = substr(text, RSTART + 1, RLENGTH - 2)
        sums = text !~ /FORWARD\(1\)/ || has("fma") || has("masked")
        if (name == "plain" || has("threads") || has("overread") || has("ftz")) {
            print name, "all"
            return
        }
        if (sums)
            name = name " matmul sum_squares_axis softmax_rows linear linear_q8 rms_norm attention"
        if (has("fma"))
            name = name " apply_rope apply_rope_single_row"
        if (has("exp"))
            name = name " silu softmax_rows swiglu attention"
        if (has("left"))
            name = name " silu rsqrt_elem softmax_rows swiglu rms_norm apply_rope apply_rope_single_row"
        if (has("silu"))
            name = name " silu swiglu"
        if (has("norm") || has("inverse_n"))
            name = name " rms_norm"
        if (has("norm"))
            name = name " rsqrt_elem"
        if (has("softmax"))
            name = name " softmax_rows"
        if (has("attention") || has("tile") || has("divides_late") || has("scales_q") ||
            has("codes_first"))
            name = name " attention"
        if (has("linear") || has("bias_first"))
            name = name " linear linear_q8"
        print name
    }' tests/plugins/honest/styles.c
}

# of_op OP: the styles that change it.
of_op() {
    changes | awk -v op="$1" '{ for (i = 2; i <= NF; i++) if ($i == op || $i == "all") { print $1; break } }' |
        grep -E -- "$kept" || true
}

# judge OP SEED STYLE...
judge() {
    local op=$1 seed=$2 backends=() style names text compared status=0 verdict='none accused'
    shift 2
    names=$(IFS=,; echo "$*")
    if grep -qF "$op $seed $profile $names " "$log"; then
        return 0
    fi
    for style in "$@"; do
        backends+=(--backend "$plugin=$style")
    done
    text=$("$inferno" conform "${backends[@]}" --op "$op" --profile "$profile" --seed "$seed" --quiet \
        --json "$log.json" 2>&1) || status=$?
    case $status in
    0) ;;
    1) verdict=ACCUSED ;;
    *) echo "$text" >&2 && exit "$status" ;; # nothing was judged
    esac
    compared=$(grep -o '"compared": *[0-9]*' "$log.json" | awk '{ sum += $2 } END { printf "%.0f", sum }')
    printf '%s %s %s %s %s: %s compared, %s\n' "$op" "$seed" "$profile" "$names" "$verdict" "$compared" \
        "$(grep -E '^[0-9]+ cases' <<<"$text" || tail -n 1 <<<"$text")" | tee -a "$log"
    [ "$verdict" = ACCUSED ] || return 0
    printf '%s\n' "$text" >>"$log.accused"
    return 1
}

mkdir -p "$(dirname "$log")"
touch "$log"
failed=0
for ((seed = first; seed < first + seeds; seed++)); do
    for op in "${ops[@]}"; do
        mapfile -t styles < <(of_op "$op")
        for ((i = 0; i < ${#styles[@]}; i += at_once)); do
            judge "$op" "$seed" "${styles[@]:i:at_once}" || failed=1
        done
    done
done
exit "$failed"
