#!/usr/bin/env bash
# new_op_test.sh COMPILER SOURCE_DIR: a copy of the engine's ops with one op more. What is forgotten
# about it does not compile; once nothing is, checks, operands, splits and costs know it.
set -euo pipefail
cc=$1 root=$2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/src"
cp -r "$root/include" "$copy/include"
cp -r "$root/src/base" "$root/src/quant" "$root/src/ops" "$copy/src/"
ops=$copy/include/inferno/ops.h
signatures=$copy/include/inferno/signature.h

compiles() {
    "$cc" -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -fsyntax-only -I"$copy/include" \
        -I"$copy/src/base" -I"$copy/src/quant" "$copy/src/ops/"*.c >"$copy/said" 2>&1
}

# refused WHAT PATTERN: it does not compile, and the compiler names it.
refused() {
    if compiles; then echo "$1 compiles"; exit 1; fi
    if ! grep -q "$2" "$copy/said"; then echo "$1: nothing about $2:"; cat "$copy/said"; exit 1; fi
}

# accepted WHAT
accepted() { if ! compiles; then echo "$1:"; cat "$copy/said"; exit 1; fi; }

# signature ROWS: those of the new op, instead of any before.
signature() {
    sed -i '/define IFN_SIGNATURE_negate /d' "$signatures"
    sed -i "s|^typedef enum ifn_arg_kind {|#define IFN_SIGNATURE_negate $1\n&|" "$signatures"
}

accepted 'the tree as it is'
last=$(sed -n '/^#define IFN_OPS(X)/,/clang-format on/{/^    X(/=}' "$ops" | tail -n 1)
sed -i "$last s|\$| \\\\\n    X(NEGATE, negate, ELEMENTS, NONE, \"-x\")|" "$ops"
sed -i 's|^/\* Room for a copy of any argument struct.*|typedef struct ifn_negate_args {\n    ifn_call call;\n    int64_t part_begin, part_end;\n    float *out;\n    const float *x;\n    int64_t n;\n} ifn_negate_args;\n\n&|' "$ops"
refused 'an op without a signature' IFN_SIGNATURE_negate
signature 'EXTENT(n, 0) IN(x, F32, PART(n)) OUT(result, F32, EQUAL(x), PART(n))'
refused 'a row about an argument that is not there' result
signature 'EXTENT(n, 0) IN(x, F32, PART(out)) OUT(out, F32, EQUAL(x), PART(n))'
refused 'a size that is no number' _Generic
signature 'EXTENT(n, 0) IN(x, F32, PART(n)) OUT(out, F32, EQUAL(x), PART(n))'
refused 'an op of unknown cost' IFN_OP_NEGATE
sed -i 's|^    case IFN_OP_SCALE:|    case IFN_OP_NEGATE:\n&|' "$copy/src/ops/op_cost.c"
accepted 'an op with a signature and a cost'
