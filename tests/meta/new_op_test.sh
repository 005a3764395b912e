#!/usr/bin/env bash
# new_op_test.sh COMPILER SOURCE_DIR BUILD_INCLUDE_DIR: a copy of the engine with one op more, whose files are those of
# new_op/. What is forgotten about it does not compile or does not link; once nothing is, checks, operands, splits,
# costs and tables know it, and no other file has changed by more than the lines that CONTRIBUTING.md says.
set -euo pipefail
cc=$1 root=$2 generated=$3
own=$root/tests/meta/new_op
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/tests" "$copy/objects"
cp -r "$root"/{include,spec,src} "$copy"
cp -r "$root"/tests/{ops,opslist,support} "$copy/tests"
ops=$copy/include/inferno/ops.h
header=$copy/include/inferno/ops/negate.h

flags=(-std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$copy/include" -I"$generated")
for dir in src/{base,quant,ops,program,backends,backends/scalar,backends/parallel} tests/{support,ops,opslist} \
    src/conform/{format,spec,case,truth,input,ops}; do
    flags+=(-I"$copy/$dir")
done

# What expands the list or belongs to the op, checked alone.
compiles() {
    local files=("$copy"/src/ops/*.c "$copy"/src/backends/parallel/work.c "$copy"/src/backends/scalar/scalar.c
        "$copy"/src/conform/ops/modules.c)
    for one in src/backends/scalar/negate_scalar.c src/conform/ops/negate.c tests/ops/negate_test.c; do
        [ ! -f "$copy/$one" ] || files+=("$copy/$one")
    done
    "$cc" "${flags[@]}" -fsyntax-only "${files[@]}" >"$copy/said" 2>&1
}

# refused WHAT PATTERN COMMAND...: it fails, and what is said names it.
refused() {
    if "${@:3}"; then echo "$1 is accepted"; exit 1; fi
    if ! grep -q "$2" "$copy/said"; then echo "$1: nothing about $2:"; cat "$copy/said"; exit 1; fi
}

# accepted WHAT COMMAND...
accepted() { if ! "${@:2}"; then echo "$1:"; cat "$copy/said"; exit 1; fi; }

# signature ROWS: in its header, instead of those that are right.
signature() {
    awk -v rows="$1" '/define IFN_SIGNATURE_negate/ { print "#define IFN_SIGNATURE_negate " rows; skip = 1 }
        !skip; skip && !/\\$/ { skip = 0 }' "$own/negate.h" >"$header"
}

# links [WITHOUT]: a program of the layers up to the reference, and the modules of the suite, which uses the op.
compile_objects() {
    (
        cd "$copy/objects"
        find "$copy"/src/{base,quant,ops,backends/scalar} -name '*.c' -print0 |
            xargs -0 -n 8 -P 2 "$cc" "${flags[@]}" -c
        "$cc" "${flags[@]}" -c "$copy"/src/backends/parallel/work.c "$copy"/tests/opslist/legal_calls.c \
            "$own/uses_negate.c"
    )
}
links() {
    local objects
    mapfile -t objects < <(find "$copy/objects" -name '*.o' ! -name "${1:-nothing}.o")
    "$cc" -o "$copy/program" "${objects[@]}" -lcmocka -lm >"$copy/said" 2>&1
}
runs() { "$copy/program" >"$copy/said"; }

accepted 'the tree as it is' compiles
last=$(grep -n '/\* the next op: a row before this line \*/' "$ops" | cut -d: -f1)
sed -i "$last i\\    X(NEGATE,                negate,                ELEMENTS, NONE,       \"-x\") \\\\" "$ops"
refused 'an op without arguments' ifn_negate_args compiles
sed -i 's|^#include <inferno/ops/quantize_rows.h>|#include <inferno/ops/negate.h>\n&|' "$ops"
refused 'an op without a header' negate.h compiles
sed '/^#define IFN_SIGNATURE_negate/,/[^\\]$/d' "$own/negate.h" >"$header"
refused 'an op without a signature' IFN_SIGNATURE_negate compiles
signature 'EXTENT(n, 0) IN(x, F32, PART(n)) OUT(result, F32, EQUAL(x), PART(n))'
refused 'a row about an argument that is not there' result compiles
signature 'EXTENT(n, 0) IN(x, F32, PART(out)) OUT(out, F32, EQUAL(x), PART(n))'
refused 'a size that is no number' _Generic compiles
sed '/IFN_COST_negate/d' "$own/negate.h" >"$header"
refused 'an op of unknown cost' IFN_COST_negate compiles
cp "$own/negate.h" "$header"
cp "$own/negate.yaml" "$copy/spec/ops/"
cp "$own/negate_scalar.c" "$copy/src/backends/scalar/"
cp "$own/negate_module.c" "$copy/src/conform/ops/negate.c"
cp "$own/negate_cases.c" "$copy/tests/ops/negate_test.c"
accepted 'an op whose files are all there' compiles
compile_objects
refused 'an op without a reference' ifn_scalar_negate links negate_scalar
accepted 'an op that is whole' links
accepted 'what is to follow from its signature' runs

# Files that came, lines that changed in those that were there.
n_files=0 n_lines=0
for part in include spec src tests/ops tests/opslist tests/support; do
    n_files=$((n_files + $(diff -rq "$root/$part" "$copy/$part" | grep -c '^Only in .*negate' || true)))
    n_lines=$((n_lines + $(diff -r "$root/$part" "$copy/$part" | grep -c '^[<>]' || true)))
done
if ! grep -qx "Six files, $(printf %s five) of its own.*: .* $(printf %s two) lines .*" "$root/CONTRIBUTING.md" ||
    [ "$n_files" -ne 5 ] || [ "$n_lines" -ne 2 ]; then
    echo "an op has $n_files files of its own and $n_lines lines in others; CONTRIBUTING.md says five and two"
    exit 1
fi
