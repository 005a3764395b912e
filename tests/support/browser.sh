# shellcheck shell=bash disable=SC2154 # scratch
# Sourced by tests of pages: headless Chromium, driven by its WebDriver. They have $scratch, a folder, and fail().
# `open_browser` begins, `close_browser` ends it, in a trap at the latest.
driver='' session='' wd=''

open_browser() {
    local i port=''
    : >"$scratch/driver"
    chromedriver --port=0 >"$scratch/driver" 2>&1 &
    driver=$!
    for ((i = 0; i < 600; i++)); do
        port=$(grep -oP 'started successfully on port \K[0-9]+' "$scratch/driver" || true)
        [ -z "$port" ] || break
        sleep 0.1
    done
    wd=http://127.0.0.1:$port
    local options='{"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]}}}}'
    session=$(drive POST /session "$options" | grep -oP '"sessionId":"\K[^"]*') || fail "no session: $(cat "$scratch/driver")"
    wd=$wd/session/$session
}
close_browser() {
    [ -z "$session" ] || curl -s -X DELETE "$wd" >/dev/null || true
    [ -z "$driver" ] || kill "$driver" 2>/dev/null || true
}

# drive METHOD PATH [JSON]
drive() { curl -sS --max-time 120 -X "$1" "$wd$2" ${3:+-H 'Content-Type: application/json' -d "$3"}; }
# cdp COMMAND PARAMETERS
cdp() { drive POST /goog/cdp/execute "{\"cmd\": \"$1\", \"params\": $2}" >/dev/null; }
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
# picture NAME: left in $pictures, a folder, where there is one
picture() { [ -z "${pictures:-}" ] || drive GET /screenshot | sed 's/^{"value":"//; s/"}$//' | base64 -d >"$pictures/$1.png"; }

visit() { drive POST /url "{\"url\": \"$1\"}" >/dev/null; }
# theme light|dark
theme() { cdp Emulation.setEmulatedMedia "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$1\"}]}"; }
wide() { cdp Emulation.setDeviceMetricsOverride '{"width": 1920, "height": 1000, "deviceScaleFactor": 1, "mobile": false}'; }
narrow() { cdp Emulation.setDeviceMetricsOverride '{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true}'; }

# silent: not a word was said on the console
silent() {
    local said
    said=$(drive POST /se/log '{"type": "browser"}')
    [ "$said" = '{"value":[]}' ] || fail "on the console: $said"
}
