#!/usr/bin/env bash
# doors_test.sh ROOT: every line of the engine that copies to or from a device, waits for it, or tells it of a pass
# is one that ci/deletions.sh takes away, so that a test is known by name which fails without it.
set -euo pipefail
root=$1
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
calls='ifn_backend_(synchronize|begin|end)\(|desc->synchronize\(|ifn_copy_(in|out)\(|IFN_RUN\(self, copy_(in|out),'
calls+='|ifn_context_read\(|ifn_weights_copy_in\(|own_ops->copy_(in|out)\('

# Lines as "file<TAB>text"; what begins in the first column declares a function.
doors() {
    find "$@" -name '*.c' ! -path 'src/backends/opencl/*' -print0 | xargs -0 grep -HE "^ .*($calls)" | sed 's/:[ ]*/\t/' | sort -u
}
records() {
    awk '/^[^# ]/ { split($0, where, ": ") } /^    - / { print where[1] "\t" substr($0, 7) }' "$1" | sort -u
}

doors src/context src/weights src/backends src/conform/first_bad >"$scratch/doors"
records ci/deletions.txt >"$scratch/records"
missing=$(comm -23 "$scratch/doors" "$scratch/records")
[ "$(wc -l <"$scratch/doors")" -ge 20 ] || { echo "found $(wc -l <"$scratch/doors") doors and waits, expected 20 and more" >&2; exit 1; }
[ -z "$missing" ] || { printf 'ci/deletions.txt: no record of\n%s\n' "$missing" >&2; exit 1; }

# And one that nobody takes away is noticed.
mkdir -p "$scratch/src"
printf 'void f(void)\n{\n    (void)ifn_backend_synchronize(b, 0);\n}\n' >"$scratch/src/a.c"
[ "$(cd "$scratch" && doors src | comm -23 - records | wc -l)" = 1 ] || { echo "a new wait is not noticed" >&2; exit 1; }
