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

# shellcheck source=tests/support/browser.sh
. "$(dirname "$0")/../support/browser.sh"
# shellcheck disable=SC2317 # the trap calls it
end() {
    close_browser
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap end EXIT
open_browser

wide
visit "$url/"
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
theme dark
expect "dark" "getComputedStyle(document.body).backgroundColor != '$light'"
picture wide-dark
narrow
expect "360 pixels" "innerWidth == 360 && document.documentElement.scrollWidth <= 360"
picture narrow-dark
theme light
picture narrow-light

# Mark-up that is said stays text.
keys '<img src=x onerror=document.title=1>'
keys '\uE007'
expect "text" "document.querySelectorAll('#said .user').length == 3 && document.querySelectorAll('#said img').length == 0"
expect "a third answer" "!document.getElementById('send').disabled"
keys '\uE00An\uE000'
expect "a new conversation" "document.querySelectorAll('#said p').length == 0"

silent
stop TERM 0

# A slow answer stops at Esc, and the page goes on.
start "$model" --chat-template phi3 --kv off --graph primitive --backend scalar
visit "$url/"
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
