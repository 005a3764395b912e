#!/usr/bin/env bash
# Every level of simd defines the names of vec_vocabulary.h and no others.
set -euo pipefail
levels=$(cd "$(dirname "$0")/../../src/backends/simd/levels" && pwd)
failed=0

# names FILE...: the functions and macros that the files declare or define
names() {
    sed -nE 's/^static inline [a-z0-9_]+ \*?([a-z0-9_]+)\(.*/\1/p; s/^#define (v[a-z]+_[a-z0-9_]+)\(.*/\1/p
             s/^VEC_[12]\([a-z0-9_]+, ([a-z0-9_]+),.*/\1/p' "$@" |
        grep -E '^v' | sort -u
}

vocabulary=$levels/vec_vocabulary.h
all=$({ names "$vocabulary" && printf '%s\n' vi_shl vi_shr vi_sar; } | sort)
optional=$(names <(sed -n '/^#ifdef/,/^#endif/p' "$vocabulary"))
for level in "$levels"/*/; do
    mapfile -t files < <(ls "$level"{vec,dot,transpose}.h "$level"{tile_registers,bf16_tiles}.h 2>/dev/null)
    has=$(names "${files[@]}")
    for name in $(comm -23 <(echo "$all") <(printf '%s\n' "$has" "$optional" | sort -u)); do
        echo "$level: $name is missing" >&2
        failed=1
    done
    for name in $(comm -13 <(echo "$all") <(echo "$has")); do
        echo "$level: $name is not in vec_vocabulary.h" >&2
        failed=1
    done
done
exit "$failed"
