#!/usr/bin/env bash
# examples_test.sh BIN-DIR MODEL PLUGIN: runs every example that --help shows, of every command. model.gguf,
# phi3.gguf, whose turns end with <|end|>, mine.so and report.json are there, as the examples have it.
set -euo pipefail
bin=$1 model=$2 plugin=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH=$bin:$PATH
cd "$scratch"
ln -s "$model" model.gguf
printf "Once upon a time\nThere was\n" >prompts.txt
ln -s "$plugin" mine.so
inferno synth llama phi3.gguf --type F32 --seed 1 --embedding_length 64 --vocab_size 300 --quiet
inferno conform --backend scalar --json report.json --quiet >table.txt # whole: it has a level
grep -qE "^[0-9]+ cases, 0 failed, .*: conformant$" table.txt # as the README shows it

# examples COMMAND...: those its --help shows
examples() { "$@" --help | sed -n '/^examples:$/,$s/^  //p'; }

# What judge is to be shown are the outputs of a backend: those of the truth will do.
answer() {
    local truth
    for truth in cases/*/*.truth.npy; do
        [ -e "$truth" ] || { echo "export has written no truth" >&2; exit 1; }
        cp "$truth" "${truth%.truth.npy}.got.npy"
    done
}

# Without the libraries that it needs, serve says so at once.
can_serve=true
case $(inferno serve --port 0 --max-memory 1 2>&1) in *'was built without'*) can_serve=false ;; esac

# serve LINE: it is up, and ends when it is asked to; at another port, as that one may be taken.
serve() {
    local i
    : >served
    bash -c "exec ${1/ --port 8081/} --port 0" 2>served &
    for ((i = 0; i < 600; i++)); do
        ! grep -q ' at http://' served || break
        sleep 0.1
    done
    if ! kill -TERM $! || ! wait $!; then
        cat served >&2
        echo "failed: $1" >&2
        exit 1
    fi
    run=$((run + 1))
}

run=0
try() {
    local line
    while read -r line; do
        case $line in
        "inferno conform judge"*) answer ;;
        "inferno serve"*)
            ! "$can_serve" || serve "$line"
            continue
            ;;
        esac
        if ! bash -c "$line" >out 2>err </dev/null; then
            cat out err >&2
            echo "failed: $line" >&2
            exit 1
        fi
        run=$((run + 1))
    done < <(examples "$@")
}

try inferno
try model-generate
mapfile -t commands < <(inferno --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ "${#commands[@]}" -ge 14 ] || { echo "${#commands[@]} commands in the help" >&2; exit 1; }
for command in "${commands[@]}"; do
    before=$run
    try inferno "$command"
    "$can_serve" || [ "$command" != serve ] || continue
    [ "$run" -gt "$before" ] || { echo "$command: no example" >&2; exit 1; }
done
for verb in merge level export judge; do
    try inferno conform "$verb"
done
echo "$run examples"
