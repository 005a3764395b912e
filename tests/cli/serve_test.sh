#!/usr/bin/env bash
# serve_test.sh INFERNO: every address, error and stream of `inferno serve`, asked by curl; answers equal those of
# `inferno generate`. Exits with 77 without curl.
set -euo pipefail
# shellcheck source=tests/cli/serve_common.sh
. "$(dirname "$0")/serve_common.sh"
need curl
make_model
head=$scratch/head body=$scratch/body
json=(-H 'Content-Type: application/json')

# ask STATUS PATH [argument of curl...]: the answer is in $body, its headers in $head.
ask() {
    local status
    status=$(curl -sS -N --max-time 120 -D "$head" -o "$body" -w '%{http_code}' "$url$2" "${@:3}")
    [ "$status" = "$1" ] || fail "$2 ${*:3}: status $status, expected $1: $(cat "$body")"
}
post() { ask "$1" "$2" "${json[@]}" --data-binary "$3" "${@:4}"; }
has() { grep -qF -e "$1" "$body" || fail "no '$1' in: $(cat "$body")"; }
has_header() { grep -qi -e "^$1" "$head" || fail "no header '$1' in: $(cat "$head")"; }

# string KEY: the JSON strings of this key in standard input, as they are written
string() { grep -oP "\"$1\": \"\K(\\\\.|[^\"\\\\])*(?=\")" || true; }
# joined KEY: the same of all events of a stream, put together
joined() { string "$1" <"$body" | tr -d '\n'; }
generated() { "$inferno" generate "$model" --json --quiet "$@" | string text | head -n 1; }
same() { [ "$1" = "$2" ] || fail "$3: '$1', expected '$2'"; }

start "$model" --chat-template phi3 --queue 2

ask 200 /
has '<title>inferno</title>'
has_header "Content-Security-Policy: default-src 'none'"
ask 200 /health
has '"status": "ok"'
ask 200 /v1/models
has '"id": "tiny", "object": "model"'
has '"chat_template": "phi3"'
ask 200 /health --head

# Whole answers: greedy, with a stop word, drawn with a seed, from ids.
completion=/v1/completions
post 200 $completion '{"model": "tiny", "prompt": "Once", "temperature": 0}'
same "$(string text <"$body")" "$(generated -p Once -n 16)" "16 tokens"
has '"usage": {"prompt_tokens": 5, "completion_tokens": 16, "total_tokens": 21}'
has '"finish_reason": "length"'
post 200 $completion '{"prompt": ["Once"], "temperature": 0, "max_tokens": 40, "ignore_eos": true, "stop": "w"}'
same "$(string text <"$body")" "$(generated -p Once -n 40 --stop w --ignore-eos)" "a stop word"
has '"finish_reason": "stop"'
post 200 $completion '{"prompt": "a", "seed": 5, "temperature": 0.9, "top_p": 0.8, "top_k": 50, "min_p": 0.01, "max_tokens": 30, "frequency_penalty": 0.5, "presence_penalty": 0.25}'
same "$(string text <"$body")" "$(generated -p a -n 30 --seed 5 --temp 0.9 --top-p 0.8 --top-k 50 --min-p 0.01 \
    --frequency-penalty 0.5 --presence-penalty 0.25)" "a draw"
has '"seed": 5'
post 200 $completion '{"prompt": [257, 97, 98], "temperature": 0, "max_tokens": 9}'
same "$(string text <"$body")" "$(generated --ids 257,97,98 -n 9)" "ids"
post 200 $completion '{"prompt": "a", "max_tokens": 0}'
has '"text": "", '

# The same after other answers, and as a stream.
post 200 $completion '{"prompt": "Once", "temperature": 0, "stream": true}'
same "$(joined text)" "$(generated -p Once -n 16)" "a stream"
has_header 'Content-Type: text/event-stream'
has 'data: [DONE]'
! grep -q usage "$body" || fail "usage that nobody asked for"
post 200 $completion '{"prompt": "a", "seed": 3, "temperature": 1, "stream": true, "stream_options": {"include_usage": true}}'
same "$(joined text)" "$(generated -p a -n 16 --seed 3 --temp 1)" "a stream that was drawn"
has '"choices": [], "usage": {"prompt_tokens": 2, '

# Chats. A terminal's first answer is the same.
chat=/v1/chat/completions
printf 'hi\n' >"$scratch/line"
say='"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}], "temperature": 0, "max_tokens": 12'
post 200 $chat "{$say}"
has '"object": "chat.completion"'
has '"message": {"role": "assistant", "content": "'
whole=$(string content <"$body")
"$inferno" generate "$model" --chat --chat-template phi3 --system "Be brief." -n 12 --quiet <"$scratch/line" >"$scratch/said"
same "$(printf '%b' "${whole//\\u/\\u}" | iconv -f UTF-8 -t UTF-8 -c | tr -d '\357\277\275\n')" \
    "$(iconv -f UTF-8 -t UTF-8 -c <"$scratch/said" | tr -d '\357\277\275\n')" "a chat"
post 200 $chat "{$say, \"stream\": true}"
has '"delta": {"role": "assistant", "content": ""}'
has '"object": "chat.completion.chunk"'
same "$(joined content)" "$whole" "a chat's stream"

# Errors.
ask 404 /nothing
has '"type": "invalid_request_error"'
ask 405 $completion
has_header 'Allow: POST'
ask 405 /health -X POST -d ''
has_header 'Allow: GET'
ask 415 $completion -d '{"prompt": "a"}'
post 400 $completion '{"prompt": '
has 'the body is no JSON: line 1'
post 400 $completion ''
has 'the body is no JSON: line 1'
post 400 $completion '{"prompt": "a", "max_tokens": "many"}'
has '"param": "max_tokens"'
post 400 $completion '{"prompt": "a", "maxtokens": 1}'
has "did you mean 'max_tokens'"
post 404 $completion '{"prompt": "a", "model": "gpt"}'
has '"code": "model_not_found"'
post 400 $completion "{\"prompt\": \"$(printf 'a%.0s' {1..600})\"}"
has '"code": "context_length_exceeded"'
head -c 5000000 /dev/zero >"$scratch/large"
post 413 $completion "@$scratch/large"
post 413 $completion "@$scratch/large" -H 'Transfer-Encoding: chunked'


# Bytes that are no HTTP, or no request, end no server.
port=${url##*:}
throw() { { exec 3<>"/dev/tcp/127.0.0.1/$port" && head -c "$1" /dev/urandom >&3; exec 3>&-; } 2>/dev/null || true; }
for i in {1..30}; do
    throw $((i * 37))
    head -c $((i * 53)) /dev/urandom >"$scratch/noise"
    curl -s -o /dev/null --max-time 60 "${json[@]}" --data-binary "@$scratch/noise" "$url$completion" || true
    printf 'POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n{"prompt"' \
        "$completion" $((i * 1000)) 2>/dev/null >"/dev/tcp/127.0.0.1/$port" || true
done
printf '%100000s' '[' | tr ' ' '[' >"$scratch/deep"
post 400 $completion "@$scratch/deep"
ask 200 /health
stop TERM 0

# An answer of many minutes is made, two wait, and one is too many. Who goes away makes room, and ends the answer.
start "$model" --kv off --graph primitive --backend scalar --queue 2 -c 4000
long='{"prompt": "a", "temperature": 0, "max_tokens": 3900, "ignore_eos": true, "stream": true}'
held=()
hold() {
    curl -sS -N "${json[@]}" -d "$long" "$url$completion" >"$scratch/held.$1" 2>/dev/null &
    held+=($!)
}
# until_waiting N: the queue has N
until_waiting() {
    local i
    for ((i = 0; i < 600; i++)); do
        ask 200 /health
        ! grep -q "\"waiting\": $1}" "$body" || return 0
        sleep 0.1
    done
    fail "never $1 requests waiting: $(cat "$body")"
}
hold 0
for ((i = 0; i < 600; i++)); do [ ! -s "$scratch/held.0" ] || break; sleep 0.1; done
[ -s "$scratch/held.0" ] || fail "no event of an answer that goes on"
hold 1
until_waiting 1
hold 2
until_waiting 2
post 503 $completion '{"prompt": "b", "max_tokens": 1}'
has_header 'Retry-After: 1'
has '"type": "overloaded_error"'
kill "${held[1]}" "${held[2]}"
post 400 $chat "{$say}"
has 'tokenizer.chat_template'
kill "${held[0]}" # else the next is not answered in time
post 200 $completion '{"prompt": "b", "max_tokens": 1, "temperature": 0}'
same "$(string text <"$body")" "$(generated -p b -n 1)" "after those who have gone"

# Asked to end, it refuses those who wait and finishes the answer; asked twice, it cuts it short.
hold 3
for ((i = 0; i < 600; i++)); do [ ! -s "$scratch/held.3" ] || break; sleep 0.1; done
curl -sS "${json[@]}" -d '{"prompt": "b"}' "$url$completion" >"$scratch/refused" &
held+=($!)
until_waiting 1
kill -INT "$server"
sleep 0.2
stop TERM 0
wait "${held[3]}" "${held[4]}"
grep -q 'the server stops' "$scratch/refused" || fail "who waited heard: $(cat "$scratch/refused")"
grep -q 'the answer was cut short' "$scratch/held.3" || fail "the end of the answer: $(tail -n 3 "$scratch/held.3")"

# One signal, and the answer is finished.
start "$model" --kv off --graph primitive --backend scalar
post_later() { curl -sS "${json[@]}" -d "$1" "$url$completion" >"$scratch/later"; }
post_later '{"prompt": "Once", "temperature": 0, "max_tokens": 100, "ignore_eos": true}' &
later=$!
sleep 1
stop INT 0
wait "$later"
same "$(string text <"$scratch/later")" "$(generated -p Once -n 100 --ignore-eos)" "an answer at the end"

# Two at a time: who comes later and wants less is answered beside the long one; a third and a fourth wait, a fifth is one
# too many; who goes away makes room at once. Every answer is the one that generate gives.
start "$model" --batch 2 --queue 2 -c 40000
ask 200 /health
has '"batch": 2, "waiting": 0}'
long='{"prompt": "a", "temperature": 0, "max_tokens": 39000, "ignore_eos": true, "stream": true}'
held=()
hold 0
for ((i = 0; i < 600; i++)); do [ ! -s "$scratch/held.0" ] || break; sleep 0.1; done
post 200 $completion '{"prompt": "Once", "temperature": 0, "max_tokens": 20}'
same "$(string text <"$body")" "$(generated -p Once -n 20)" "beside a long answer"
! grep -qF '[DONE]' "$scratch/held.0" || fail "the long answer was over before the one beside it"
hold 1
for ((i = 0; i < 600; i++)); do [ ! -s "$scratch/held.1" ] || break; sleep 0.1; done
hold 2
until_waiting 1
hold 3
until_waiting 2
post 503 $completion '{"prompt": "b", "max_tokens": 1}'
kill "${held[1]}" "${held[2]}" "${held[3]}"
post 200 $completion '{"prompt": "b", "temperature": 0.9, "seed": 4, "max_tokens": 9}'
same "$(string text <"$body")" "$(generated -p b -n 9 --temp 0.9 --seed 4)" "in the place of who has gone"

# Asked twice to end, both that are being made are cut short.
hold 4
for ((i = 0; i < 600; i++)); do [ ! -s "$scratch/held.4" ] || break; sleep 0.1; done
kill -INT "$server"
sleep 0.2
stop TERM 0
wait "${held[0]}" "${held[4]}"
for i in 0 4; do
    grep -q 'the answer was cut short' "$scratch/held.$i" || fail "the end of answer $i: $(tail -n 3 "$scratch/held.$i")"
done

# Asked once, both are finished.
start "$model" --batch 2
post_later() { curl -sS "${json[@]}" -d "$1" "$url$completion" >"$scratch/later.$2"; }
later=()
for i in 1 2; do
    post_later "{\"prompt\": \"Once $i\", \"temperature\": 0, \"max_tokens\": 450, \"ignore_eos\": true, \"stream\": true}" $i &
    later+=($!)
done
for ((i = 0; i < 600; i++)); do [ ! -s "$scratch/later.1" ] || [ ! -s "$scratch/later.2" ] || break; sleep 0.1; done
stop INT 0
wait "${later[@]}"
for i in 1 2; do
    same "$(string text <"$scratch/later.$i" | tr -d '\n')" "$(generated -p "Once $i" -n 450 --ignore-eos)" "answer $i at the end"
done

# Where nothing is said, one at a time without a cache, and as many as half of the memory holds.
start "$model" --kv off
ask 200 /health
has '"batch": 1,'
stop TERM 0
start "$model"
ask 200 /health
has '"batch": 8,'
stop TERM 0
start "$model" --max-memory 12000000
ask 200 /health
few=$(grep -oP '"batch": \K[0-9]+' "$body")
{ [ "$few" -ge 1 ] && [ "$few" -lt 8 ]; } || fail "12 MB are for $few at a time"
stop TERM 0

# What cannot be served.
refuse() {
    local status=0
    "$inferno" serve "${@:3}" 2>"$log" || status=$?
    [ "$status" -eq "$1" ] || fail "${*:3}: $status, expected $1"
    [ "$(wc -l <"$log")" -eq 1 ] || fail "${*:3}: expected one line"
    grep -qF -e "$2" "$log" || fail "${*:3}: expected '$2'"
}
start "$model"
refuse 2 'somebody listens there already' "$model" --port "${url##*:}"
stop TERM 0
refuse 2 '--host no.such.host.invalid' "$model" --host no.such.host.invalid
refuse 2 'no.gguf' "$scratch/no.gguf"
refuse 2 'sequences without a KV cache' "$model" --batch 2 --kv off
refuse 2 '--batch' "$model" --batch 0
refuse 2 '--port' "$model" --port 70000
refuse 2 'expected at most 1000' "$model" --max-memory 1000
echo "serve: all asked and answered"
