#!/usr/bin/env bash
# make.sh PROGRAM.wasm MODEL.gguf PAGE: one page with all it needs, which opens from a file, too.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
trap 'rm -f "$3.new"' EXIT
while IFS= read -r line; do
    case $line in
    @worker@) cat "$here/worker.js" ;;
    @page@) cat "$here/page.js" ;;
    @program@) base64 -w 0 "$1" && echo ;;
    @model@) base64 -w 0 "$2" && echo ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$here/page.html" >"$3.new"
mv "$3.new" "$3"
