#!/usr/bin/env bash
# compile.sh COMPILER LANGUAGE STANDARD INCLUDE-DIR...: every public header compiles alone, twice in
# a row, without a warning.
set -euo pipefail
compiler=$1 language=$2 standard=$3
shift 3

headers=$(find "$@" -name '*.h' -path '*/inferno/*' -printf '%P\n' | sort)
[ -n "$headers" ] || { echo "no headers below $*" >&2; exit 1; }
bad=0
for header in $headers; do
    printf '#include <%s>\n#include <%s>\nextern int not_empty;\n' "$header" "$header" |
        "$compiler" -x "$language" -std="$standard" -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow \
            -Wundef -Werror "${@/#/-I}" - || { echo "$header: not clean as $standard" >&2; bad=1; }
done
exit "$bad"
