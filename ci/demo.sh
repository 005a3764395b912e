#!/usr/bin/env bash
# ci/demo.sh [PROMPT]: builds what users build and continues a story on every backend there is.
set -euo pipefail
# shellcheck source=ci/common.sh
. "$(dirname "$0")/common.sh"
prompt=${1:-Once upon a time}
tokens=60

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build release >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
inferno=build/release/src/cli/inferno

# Without the shipped model, a small one from outside the project will do.
model=()
shown=fixtures/gguf/little-world-f16.gguf
if [ ! -r "$shown" ]; then
    shown=stories260K.gguf
    model=("$external/models/$shown")
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
    "$inferno" generate "${model[@]}" -p "$prompt" -n $tokens --backend "$backend" --metrics --quiet \
        2>"$scratch/metrics" || { cat "$scratch/metrics" >&2; exit 1; }
    printf '\n'
    sed -n 's/ *decode_tokens_per_second: \(.*\)/(\1 tokens per second)/p' "$scratch/metrics"
done
