#!/usr/bin/env bash
# ci/demo.sh [PROMPT]: builds what users install, continues a story on every backend there is, and has
# each of them judged by the smoke profile of the conformance run. What it prints fits in 80 columns.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"
prompt=${1:-Once upon a time}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Shows a build's progress: at a terminal in one line that changes, elsewhere in one line for each tenth.
show_progress() {
    local line percent tenths=-1
    while IFS= read -r line; do
        [[ $line =~ ^\[\ *([0-9]+)%\] ]] || continue
        percent=${BASH_REMATCH[1]}
        if [ -t 2 ]; then
            printf '\r\033[K%.79s' "$line" >&2
        elif ((percent / 10 > tenths)); then
            tenths=$((percent / 10))
            echo "building: $percent %" >&2
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

build release programs 2>&1 | tee "$scratch/log" | show_progress || { cat "$scratch/log" >&2; exit 1; }
inferno=build/release/src/cli/inferno
fold_lines() { fold -s -w 80 | sed 's/ $//'; }

# The shipped model ends its stories by itself. Without it, a small one from outside the project
# will do.
model=()
shown=fixtures/gguf/little-world-f16.gguf
if [ ! -r "$shown" ]; then
    shown=stories260K.gguf
    model=("$external/models/$shown" -n 60)
    [ -r "${model[0]}" ] || { echo "demo: no model: ${model[0]} cannot be read" >&2; exit 1; }
fi

# The leaves that this processor can run, then the default backend if that is more than a leaf.
json=$("$inferno" backends --json)
mapfile -t backends < <(grep -oE '"name": "[^"]*", "summary": "[^"]*", "wrapper": false, "problem": null' \
    <<<"$json" | cut -d'"' -f4)
default=$(sed -n 's/.*"default": "\([^"]*\)".*/\1/p' <<<"$json")
[[ " ${backends[*]} " == *" $default "* ]] || backends+=("$default")

echo "model: $shown"
echo "prompt: \"$prompt\""
for backend in "${backends[@]}"; do
    printf '\nbackend: %s\n' "$backend"
    { printf '%s' "$prompt" && "$inferno" generate "${model[@]}" -p "$prompt" --backend "$backend" --metrics \
        --quiet 2>"$scratch/metrics"; } | fold_lines || { cat "$scratch/metrics" >&2; exit 1; }
    printf '\n'
    sed -n 's/ *decode_tokens_per_second: \(.*\)/(\1 tokens per second)/p' "$scratch/metrics"
done

# The tables are wide; the verdicts stand below them, or what failed.
printf '\n'
status=0
"$inferno" conform "${backends[@]/#/--backend=}" --profile smoke >"$scratch/report" || status=$?
if [ "$status" -eq 0 ]; then
    sed -n '/: reach of /,$p' "$scratch/report" | fold_lines
else
    cat "$scratch/report"
fi
exit "$status"
