# shellcheck shell=bash
# Sourced by tests of `inferno serve`: starts one and ends it. The first argument is the built program.
inferno=$1
scratch=$(mktemp -d)
server='' log=$scratch/log
trap '[ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true; rm -rf "$scratch"' EXIT

fail() {
    echo "$*" >&2
    cat "$log" >&2
    exit 1
}

# need TOOL...: without it the test is not run.
need() {
    local tool
    for tool in "$@"; do
        type -P "$tool" >/dev/null || { echo "$tool: not installed"; exit 77; }
    done
}

# make_model: $model, whose turns end with <|end|>, as those of Phi do.
make_model() {
    model=$scratch/tiny.gguf
    "$inferno" synth llama "$model" --type F32 --seed 1 --embedding_length 64 --vocab_size 300 --quiet
}

# start ARGUMENT...: $url is where it listens, $server the process.
start() {
    local i
    : >"$log"
    set -m # else the shell has it ignore SIGINT
    "$inferno" serve --port 0 "$@" 2>"$log" &
    server=$!
    set +m
    for ((i = 0; i < 600; i++)); do
        if grep -q ' at http://' "$log"; then
            # shellcheck disable=SC2034 # for those who source this
            url=$(sed -n 's/^inferno: serve: .* at //p' "$log")
            return
        fi
        if ! kill -0 "$server" 2>/dev/null; then
            if grep -q 'was built without' "$log"; then
                cat "$log"
                exit 77
            fi
            fail "serve has ended"
        fi
        sleep 0.1
    done
    fail "serve does not listen"
}

# stop SIGNAL STATUS: sends it and waits for the end.
stop() {
    local status=0
    kill "-$1" "$server"
    wait "$server" || status=$?
    server=''
    [ "$status" -eq "$2" ] || fail "serve: ended by $1 with $status, expected $2"
}
