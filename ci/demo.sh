#!/usr/bin/env bash
# ci/demo.sh [PROMPT]: builds what users build, continues a story on every backend there is, and has
# each of them judged by the smoke profile of the conformance run.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"
prompt=${1:-Once upon a time}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build release inferno_program >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
inferno=build/release/src/cli/inferno

# The shipped model ends its stories by itself. Without it, a small one from outside the project
# will do.
model=()
shown=fixtures/gguf/little-world-f16.gguf
if [ ! -r "$shown" ]; then
    shown=stories260K.gguf
    model=("$external/models/$shown" -n 60)
    [ -r "${model[0]}" ] || { echo "demo: no model: ${model[0]} cannot be read" >&2; exit 1; }
fi

# Leaves that run here, then the default where it is more than one of them.
json=$("$inferno" backends --json)
mapfile -t backends < <(grep -oE '"name": "[^"]*", "summary": "[^"]*", "wrapper": false, "problem": null' \
    <<<"$json" | cut -d'"' -f4)
default=$(sed -n 's/.*"default": "\([^"]*\)".*/\1/p' <<<"$json")
[[ " ${backends[*]} " == *" $default "* ]] || backends+=("$default")

echo "model: $shown"
echo "prompt: \"$prompt\""
for backend in "${backends[@]}"; do
    printf '\nbackend: %s\n%s' "$backend" "$prompt"
    "$inferno" generate "${model[@]}" -p "$prompt" --backend "$backend" --metrics --quiet \
        2>"$scratch/metrics" || { cat "$scratch/metrics" >&2; exit 1; }
    printf '\n'
    sed -n 's/ *decode_tokens_per_second: \(.*\)/(\1 tokens per second)/p' "$scratch/metrics"
done

printf '\n'
"$inferno" conform "${backends[@]/#/--backend=}" --profile smoke
