#!/usr/bin/env bash
# cpp_entry.sh COMPILER INCLUDE-DIR...: plugins in C++ compile without a warning, and export the entry by its C name: a
# leaf, and a wrapper with its flags.
set -euo pipefail
compiler=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for entry in 'IFN_BACKEND_ENTRY(' 'IFN_BACKEND_ENTRY_FLAGS(IFN_BACKEND_WRAPPER, '; do
    cat > "$work/plugin.cpp" <<EOF
#include <inferno/backend.h>
static void fill(ifn_op_table *, const ifn_backend_env *) {}
$entry.name = "mine", .summary = "nothing yet", .fill = fill)
EOF
    "$compiler" -std=gnu++20 -shared -fPIC -fvisibility=hidden -Wall -Wextra -Wno-missing-field-initializers -Werror \
        "${@/#/-I}" "$work/plugin.cpp" -o "$work/plugin.so"
    nm -D --defined-only "$work/plugin.so" | grep -q ' T ifn_backend_entry$' ||
        { echo "$entry...): the entry has no C name" >&2; exit 1; }
done
