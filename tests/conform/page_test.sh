#!/usr/bin/env bash
# page_test.sh INFERNO FAULTY_PLUGIN: a report's page in Chromium, at two widths, light and dark: nothing is
# said on its console, and page_driver.js finds links, filters, folding, sorting and copying at work. Exits with
# 77 where there is no Chromium.
set -euo pipefail
inferno=$1 plugin=$2 here=$(cd "$(dirname "$0")" && pwd)
chromium=$(type -P chromium || type -P chromium-browser || true)
[ -n "$chromium" ] || { echo "chromium: not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# 1: there are failures.
cp "$plugin" faulty.so
"$inferno" conform --backend scalar --backend ./faulty.so=tail --op matmul --op add --cases 40 \
    --quiet --html page.html >out.txt || [ $? -eq 1 ]
{
    sed 's|</body></html>||' page.html
    echo '<script>'
    cat "$here/page_driver.js"
    echo '</script></body></html>'
} >driven.html

browse() { # OPTION...
    timeout 240 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
        --enable-logging=stderr --virtual-time-budget=20000 "$@" --dump-dom "file://$scratch/driven.html" \
        >dom.html 2>log.txt
}

for width in 360 1920; do
    for theme in 0 1; do # dark, light
        browse --window-size="$width,1000" --blink-settings="preferredColorScheme=$theme"
        if grep CONSOLE log.txt; then
            echo "$width pixels, theme $theme: found words on the console, expected none"
            exit 1
        fi
        if ! grep -q '<title>all is well</title>' dom.html; then
            echo "$width pixels, theme $theme: found $(sed -n 's/.*<title>\(wrong[^<]*\).*/\1/p' dom.html), expected all is well"
            exit 1
        fi
    done
done
