#!/usr/bin/env bash
# page_test.sh WASM INFERNO [PICTURES]: the page that runs in the browser, in headless Chromium and from a file: it tells
# what `inferno generate` tells here, with the same ids, is stopped and begun anew by keyboard; narrow and wide, light and
# dark; not a word on the console. With PICTURES, a folder, it leaves a picture of each there. Exits with 77 without
# chromedriver, Chromium or curl, or without a build.
set -euo pipefail
# shellcheck source=tests/wasm/wasm_common.sh
. "$(dirname "$0")/wasm_common.sh"
inferno=$2 pictures=${3:-}
need curl chromedriver chromium
need_program
# shellcheck source=tests/support/browser.sh
. "$(dirname "$0")/../support/browser.sh"
trap 'close_browser; rm -rf "$scratch"' EXIT
open_browser
wide
visit "file://$wasm/src/wasm/inferno.html"
expect "the version" "document.getElementById('version').textContent.startsWith('inferno ')"
expect "focus" "document.activeElement.id == 'prompt'"
light=$(js "getComputedStyle(document.body).backgroundColor")

# here ARGUMENT: the value of a key of what this machine's program says, as an expression inside a JSON string
model=$source/fixtures/gguf/little-world-f16.gguf
"$inferno" generate "$model" -p 'Once upon a time' -n 40 --json --quiet >"$scratch/here"
here() { sed 's/.*"'"$1"'": \('"$2"'\).*/\1/; s/[\\"]/\\&/g' "$scratch/here"; }
text=$(here text '"[^"]*"') ids=$(here ids '\[[^]]*\]')

for backend in simd scalar; do
    [ "$(js "[document.getElementById('backend').value = '$backend', document.getElementById('most').value = 40]")" = "$backend,40" ] ||
        fail "no settings"
    js "document.getElementById('prompt').focus()" >/dev/null
    keys '\uE007'
    expect "a story by $backend" "document.getElementById('state').textContent.startsWith('40 tokens, ')"
    expect "the same story by $backend" "document.getElementById('story').textContent.trimEnd() == $text"
done
picture wide-light
theme dark
expect "dark" "getComputedStyle(document.body).backgroundColor != '$light'"
picture wide-dark
narrow
expect "360 pixels" "innerWidth == 360 && document.documentElement.scrollWidth <= 360"
picture narrow-dark
theme light
picture narrow-light

js "inferno('generate', 'model.gguf', '-p', 'Once upon a time', '-n', '40', '--json', '--quiet').then(r => document.body.dataset.ids = JSON.stringify(JSON.parse(r.out).ids))" >/dev/null
expect "the same ids" "document.body.dataset.ids == JSON.stringify($ids)"
js "inferno('generate', 'model.gguf', '--backend', 'nothing').then(r => document.body.dataset.refused = r.status)" >/dev/null
expect "a status" "document.body.dataset.refused == 2"

# A story without an end in sight stops at Esc, and the page goes on. Mark-up that is said stays text.
js "document.getElementById('most').value = ''" >/dev/null
js "document.getElementById('prompt').value = '<img src=x onerror=document.title=1>'" >/dev/null
keys '\uE007'
expect "words" "document.getElementById('story').textContent.length > 0 || document.getElementById('state').textContent != 'thinking'"
keys '\uE00C'
expect "stopped" "['stopped', 'tokens'].some(word => document.getElementById('state').textContent.includes(word)) && !document.getElementById('tell').disabled"
expect "text" "document.querySelectorAll('img').length == 0"
silent
echo "page: told the same at 1920 and 360 pixels, in light and dark"
