#!/usr/bin/env bash
# serve_page_test.sh INFERNO [PICTURES]: the page of `inferno serve` in headless Chromium, driven by its WebDriver:
# typed, sent, stopped and begun anew by keyboard; narrow and wide, light and dark; not a word on the console.
# With PICTURES, a folder, it leaves a picture of each there. Exits with 77 without chromedriver or curl.
set -euo pipefail
pictures=${2:-}
# shellcheck source=tests/cli/serve_common.sh
. "$(dirname "$0")/serve_common.sh"
need curl chromedriver chromium
make_model
start "$model" --chat-template phi3

port=0 driver=''
: >"$scratch/driver"
chromedriver --port=0 >"$scratch/driver" 2>&1 &
driver=$!
# shellcheck disable=SC2317 # the trap calls it
end() {
    [ -z "$session" ] || curl -s -X DELETE "$wd" >/dev/null || true
    kill "$driver" 2>/dev/null || true
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap end EXIT
session='' wd=''
for ((i = 0; i < 600; i++)); do
    port=$(grep -oP 'started successfully on port \K[0-9]+' "$scratch/driver" || true)
    [ -z "$port" ] || break
    sleep 0.1
done

# drive METHOD PATH [JSON]
drive() { curl -sS --max-time 120 -X "$1" "$wd$2" ${3:+-H 'Content-Type: application/json' -d "$3"}; }
# js EXPRESSION: its value, as text
js() { drive POST /execute/sync "{\"script\": \"return String($1)\", \"args\": []}" | sed 's/^{"value":"\(.*\)"}$/\1/'; }
# expect WHAT EXPRESSION: becomes true within a minute
expect() {
    local i value=''
    for ((i = 0; i < 600; i++)); do
        value=$(js "$2")
        [ "$value" != true ] || return 0
        sleep 0.1
    done
    fail "$1: $2 is $value; the page: $(js 'document.body.innerText')"
}
# keys TEXT: typed where the focus is; \uE007 is Enter, \uE00C Esc, \uE00A Alt, which holds until \uE000
keys() {
    local focus
    focus=$(drive GET /element/active | grep -oP '"element-[^"]*":"\K[^"]*')
    drive POST "/element/$focus/value" "{\"text\": \"$1\"}" >/dev/null
}
picture() { [ -z "$pictures" ] || drive GET /screenshot | sed 's/^{"value":"//; s/"}$//' | base64 -d >"$pictures/$1.png"; }

wd=http://127.0.0.1:$port
# shellcheck disable=SC2089
options='{"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]}}}}'
session=$(drive POST /session "$options" | grep -oP '"sessionId":"\K[^"]*') || fail "no session: $(cat "$scratch/driver")"
wd=$wd/session/$session

dark() {
    drive POST /goog/cdp/execute "{\"cmd\": \"Emulation.setEmulatedMedia\", \"params\": {\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$1\"}]}}" >/dev/null
}
drive POST /window/rect '{"width": 1920, "height": 1000}' >/dev/null
drive POST /url "{\"url\": \"$url/\"}" >/dev/null
expect "the model's name" "document.getElementById('model').textContent == 'tiny, phi3'"
expect "focus" "document.activeElement.id == 'text'"
light=$(js "getComputedStyle(document.body).backgroundColor")

# The same short answers each time.
[ "$(js "['seed', 'max_tokens'].map(id => document.getElementById(id).value = 20)")" = 20,20 ] || fail "no settings"
keys 'Hello there'
keys '\uE007'
expect "an answer" "document.querySelectorAll('#said .assistant').length == 1 && document.getElementById('state').textContent.includes('written in')"
[ "$(js "document.querySelector('#said .user').textContent")" = "Hello there" ] || fail "what was said is not shown"
keys 'And then?'
keys '\uE007'
expect "a second answer" "document.querySelectorAll('#said .assistant').length == 2 && !document.getElementById('send').disabled"
[ "$(js "document.querySelectorAll('#said .error').length")" = 0 ] || fail "an error on the page"
picture wide-light
dark dark
expect "dark" "getComputedStyle(document.body).backgroundColor != '$light'"
picture wide-dark
drive POST /goog/cdp/execute '{"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true}}' >/dev/null
expect "360 pixels" "innerWidth == 360 && document.documentElement.scrollWidth <= 360"
picture narrow-dark
dark light
picture narrow-light

# Mark-up that is said stays text.
keys '<img src=x onerror=document.title=1>'
keys '\uE007'
expect "text" "document.querySelectorAll('#said .user').length == 3 && document.querySelectorAll('#said img').length == 0"
expect "a third answer" "!document.getElementById('send').disabled"
keys '\uE00An\uE000'
expect "a new conversation" "document.querySelectorAll('#said p').length == 0"

said=$(drive POST /se/log '{"type": "browser"}')
[ "$said" = '{"value":[]}' ] || fail "on the console: $said"
stop TERM 0

# A slow answer stops at Esc, and the page goes on.
start "$model" --chat-template phi3 --kv off --graph primitive --backend scalar
drive POST /url "{\"url\": \"$url/\"}" >/dev/null
expect "the model's name" "document.getElementById('model').textContent == 'tiny, phi3'"
# With this seed it goes on to the end of the context, seconds away; with most it ends by itself before Esc comes.
[ "$(js "[['seed', 5], ['max_tokens', 1000]].map(([id, n]) => document.getElementById(id).value = n)")" = 5,1000 ] || fail "no settings"
keys 'Hello'
keys '\uE007'
expect "words" "document.querySelector('#said .assistant')?.textContent.length > 0"
keys '\uE00C'
expect "stopped" "document.getElementById('state').textContent == 'stopped' && !document.getElementById('send').disabled"
expect "nobody waits" "document.activeElement.id == 'text'"
stop TERM 0
echo "serve: the page was typed on, at 1920 and 360 pixels, in light and dark"
