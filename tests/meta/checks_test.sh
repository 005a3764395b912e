#!/usr/bin/env bash
# The checks find what they look for: each is given a small tree with one defect, and one without.
set -euo pipefail
command -v git >/dev/null || exit 77
ci=$(cd "$(dirname "$0")/../../ci" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# expect passes|fails WHAT COMMAND...
expect() {
    local verdict=passes
    "${@:3}" >"$scratch/output" 2>&1 || verdict=fails
    [ "$verdict" = "$1" ] && return
    echo "$2: $verdict, expected: $1" >&2
    cat "$scratch/output" >&2
    failed=1
}

# expect_status STATUS WHAT COMMAND...
expect_status() {
    local status=0
    "${@:3}" >"$scratch/output" 2>&1 || status=$?
    [ "$status" -eq "$1" ] && return
    echo "$2: status $status, expected $1" >&2
    cat "$scratch/output" >&2
    failed=1
}

# tools NAME...: no others are found where $scratch/tools is the whole PATH
tools() {
    local tool
    rm -rf "$scratch/tools"
    mkdir "$scratch/tools"
    for tool; do
        ln -s "$(type -P "$tool")" "$scratch/tools"
    done
}

# source_tree FILE INCLUDE: a tree in which FILE has one include
source_tree() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree"/{include/inferno/ops,src/base,src/gguf,src/ops,src/model,src/backends/simd,src/cli,src/conform/{case,judge,run}}
    touch "$scratch/tree"/src/{base/bytes.h,gguf/gguf_priv.h,backends/simd/simd.h,conform/case/case.h,conform/run/worker.h}
    echo "#include $2" >"$scratch/tree/$1"
}

layers() {
    source_tree "$2" "$3"
    expect "$1" "layers: $2 includes $3" "$ci/check-layers.sh" "$scratch/tree"
}
layers passes src/gguf/gguf.c '"bytes.h"'
layers passes src/model/model.c '<inferno/gguf.h>'
layers passes src/cli/main.c '<inferno/inferno.h>'
layers passes src/conform/judge/judge.c '"case.h"'
layers fails src/conform/judge/judge.c '"worker.h"'
layers fails src/base/alloc.c '"gguf_priv.h"'
layers fails src/model/model.c '"simd.h"'
layers fails src/backends/simd/add.c '<inferno/gguf.h>'
layers fails src/cli/main.c '"bytes.h"'
layers fails src/cli/main.c '"nowhere.h"'
layers fails src/gguf/gguf.c '<pcre2.h>'
layers fails src/gguf/gguf.c '<inferno/inferno.h>'
layers fails include/inferno/ops.h '<inferno/gguf.h>'
layers passes include/inferno/ops/anything.h '<inferno/dtype.h>'
layers fails include/inferno/ops/anything.h '<inferno/gguf.h>'
layers fails include/inferno/unknown.h '<stddef.h>'

mkdir "$scratch/ci"
cp "$ci/check-layers.sh" "$scratch/ci"
source_tree src/base/alloc.c '<stddef.h>'
sed 's/^\(gguf .*\) # .*/\1/' "$ci/layers.txt" >"$scratch/ci/layers.txt"
expect fails 'layers: a folder without a sentence' "$scratch/ci/check-layers.sh" "$scratch/tree"

# circles passes|fails FILE-OF-SRC INCLUDE [FILE INCLUDE]...: a tree in which each file has one include
circles() {
    local verdict=$1 what=${*:2} file
    rm -rf "$scratch/tree"
    shift
    while [ $# -gt 0 ]; do
        file=$scratch/tree/src/$1
        mkdir -p "$scratch/tree/include" "${file%/*}"
        echo "#include $2" >>"$file"
        shift 2
    done
    expect "$verdict" "circles: $what" "$ci/check-circles.sh" "$scratch/tree"
}
circles passes a/one.c '"one.h"' a/one.h '"two.h"' a/two.h '<stddef.h>' a/two.c '"two.h"'
circles passes a/one.h '"two.h"' b/two.h '"three.h"' b/three.h '<stddef.h>'
circles fails a/one.h '"two.h"' a/two.h '<stddef.h>' a/two.c '"one.h"'
circles fails a/one.h '"two.h"' a/two.h '"three.h"' a/three.h '<stddef.h>' a/three.c '"one.h"'
circles fails a/one.h '"two.h"' b/two.h '<stddef.h>' b/three.h '"four.h"' a/four.h '<stddef.h>'
circles fails a/one.h '"two.inc"' a/two.inc '"one.h"'

# calls passes|fails FOLDER ONE TWO: two files of a folder of src/ that were compiled from this C
calls() {
    local objects=$scratch/build/src/$2/CMakeFiles/ifn_any.dir i=3 name
    rm -rf "$scratch/tree" "$scratch/build"
    mkdir -p "$scratch/tree/src/$2" "$objects"
    for name in one two; do
        echo "${!i}" >"$scratch/tree/src/$2/$name.c"
        cc -c -o "$objects/$name.c.o" "$scratch/tree/src/$2/$name.c"
        i=$((i + 1))
    done
    expect "$1" "calls: $3 $4" "$ci/check-circles.sh" --calls "$scratch/build" "$scratch/tree"
}
calls passes base 'void two(void); void one(void) { two(); }' 'void two(void) {}'
calls fails base 'void two(void); void one(void) { two(); }' 'void one(void); void two(void) { one(); }'
calls fails base 'extern int two; int one(void) { return two; }' 'int one(void); int two; int three(void) { return one(); }'
calls passes conform/spec 'void two(void); void one(void) { two(); }' 'void one(void); void two(void) { one(); }'

# library C-CODE: an archive made of it
library() {
    rm -f "$scratch/lib.a"
    echo "$1" | cc -x c -c -o "$scratch/lib.o" -
    ar rcs "$scratch/lib.a" "$scratch/lib.o"
}
symbols() {
    library "$2"
    expect "$1" "symbols: $2" "$ci/check-symbols.sh" "$scratch/lib.a"
}
symbols passes 'int ifn_one(void) { return 1; } static int one; int *ifn_two(void) { return &one; }'
symbols fails 'int ifn_one(void) { return 1; } int one(void) { return 1; }'
symbols fails 'int ifn_one(void) { return 1; } __attribute__((visibility("hidden"))) int hidden;'
symbols fails 'static int nothing;'

# style_tree LINE: a tree whose one source file has this line
style_tree() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree"/{ci,src}
    cp "$ci/check-style.sh" "$scratch/tree/ci"
    cp "$ci/../.clang-format" "$scratch/tree"
    printf '%b' "$1" >"$scratch/tree/src/one.c"
    git -C "$scratch/tree" init --quiet
    git -C "$scratch/tree" add .
}
# style passes|fails LINE
style() {
    style_tree "$2"
    expect "$1" "style: $2" "$scratch/tree/ci/check-style.sh" text
}
style passes 'int one;\n'
style fails 'int one; \n'
style fails 'int one;'
style fails 'int\tone;\n'
style fails '/* TO''DO */\n'
style fails '/* \xe2\x80\x9ccurly\xe2\x80\x9d */\n'
style fails '/* see /ro''ot/notes */\n'
style fails 'int i = ato''i("1");\n'
style fails 'int i = ato''i(text);\n'

# format STATUS LINE [VARIABLE=VALUE...]
format() {
    style_tree "$2"
    expect_status "$1" "format: $2" env "${@:3}" "$scratch/tree/ci/check-style.sh" format
}
if type -P clang-format-14 >/dev/null; then
    format 0 'int one;\n'
    format 1 'int  one;\n'
fi
tools bash dirname git
format 77 'int  one;\n' PATH="$scratch/tools"

# A tree whose stages find no tools but those that the scripts themselves need; layers is always there.
rm -rf "$scratch/tree"
mkdir -p "$scratch/tree/ci"
cp "$ci"/{check,common,nightly,stages}.sh "$scratch/tree/ci"
echo 'exit 0' | tee "$scratch/tree/ci"/{setup,check-layers,check-circles}.sh >/dev/null
chmod +x "$scratch/tree/ci"/check-{layers,circles}.sh
tools bash dirname nproc
# stages STATUS SCRIPT STAGE...
stages() { expect_status "$1" "${*:2}" env PATH="$scratch/tools" "$scratch/tree/ci/$2" "${@:3}"; }
stages 0 check.sh layers
stages 77 check.sh tidy
stages 77 check.sh tidy valgrind
stages 0 check.sh layers tidy
stages 0 check.sh tidy layers
stages 2 check.sh layers nothing
stages 77 nightly.sh tidy
if ! tail -n 1 "$scratch/output" | grep -q '^tidy  *not run '; then # the night's own table, after that of check.sh
    echo "nightly.sh tidy: its table does not end with tidy as not run" >&2
    failed=1
fi
echo 'exit 1' >"$scratch/tree/ci/check-layers.sh"
stages 1 check.sh tidy layers

# The workflow has a job for each stage of the night, named there once more.
# What ci/test.sh leaves out for its time is run before a merge all the same.
expect passes "test.sh: leaves out what is slow" grep -qF "left_out='^slow\$'" "$ci/test.sh"
expect passes "run: the stage slow" grep -qE '^bash ci/check\.sh .* slow' "$ci/../.ci/run"

expect passes "ci.yml: each change is compiled for NEON" grep -qE 'stage: \[.*neon' "$ci/../.github/workflows/ci.yml"
expect passes "pipeline.yml: each change is compiled for NEON" grep -qE 'STAGE: \[.*neon' "$ci/pipeline.yml"

# shellcheck source=ci/stages.sh
night=$(. "$ci/stages.sh" && echo "${night_stages[*]}")
named=$(sed -n '/^  nightly:/,$ { /stage: \[/,/\]/ { s/.*\[//; s/\].*//; s/[, ]\{1,\}/ /g; p } }' \
    "$ci/../.github/workflows/ci.yml" | xargs)
if [ "$named" != "$night" ]; then
    echo "ci.yml: nightly: \"$named\", expected \"$night\"" >&2
    failed=1
fi

# coverage passes|fails WHAT FLOORS [LEVELS_ALONE]: the table of a capture of a layer, base, and a room, conform/plan,
# in which the level avx2 of simd was counted and those with AVX-512 could not be
coverage() {
    local counters='BRDA:1,0,0,1\nend_of_record'
    rm -rf "$scratch/coverage"
    mkdir -p "$scratch/coverage"/{cases,tests}/backends
    printf 'base\nbackends/simd\nconform/plan\n' >"$scratch/coverage/layers.txt"
    printf '%b' "$3" >"$scratch/coverage/floor.txt"
    touch "$scratch/coverage/exclude.txt"
    for phase in cases tests; do
        printf '%b\n' "SF:/tree/src/base/one.c\nDA:1,1\nDA:2,0\n$counters" \
            "SF:/tree/src/conform/plan/three.c\nDA:1,1\n$counters" >"$scratch/coverage/$phase/all.info"
        printf '%b\n' "SF:/tree/src/backends/simd/two.c\nDA:1,1\n$counters" \
            >"$scratch/coverage/$phase/backends/simd=avx2.info"
    done
    expect "$1" "coverage: $2" awk -v missing='avx512vnni avx512' -v levels_alone="${4:-false}" \
        -v root=/tree/src/ -v out="$scratch/coverage/" \
        -f "$ci/../coverage/table.awk" "$scratch/coverage"/{layers,exclude,floor}.txt \
        "$scratch/coverage"/{cases,tests}/{all,backends/simd=avx2}.info
}
floors='base 50 100\nbackends/simd=avx2 100 100\nconform 100 100\n'
coverage passes 'all at their floors' "$floors"
coverage passes 'a file at its floor' "${floors}base/one.c 50 100\n"
coverage passes 'a level that the processor lacks' "${floors}backends/simd=avx512 99 90\n"
coverage fails 'a layer below its floor' "${floors/50/51}"
coverage fails 'a layer without a floor' "${floors#*\\n}"
coverage fails 'a layer that was not captured' "${floors}gguf 98 94\n"
coverage fails 'a level that was not captured' "${floors}backends/simd=baseline 99 91\n"
coverage fails 'rooms below the floor of their layer' "${floors/conform 100/conform 101}"
coverage passes 'a room with a floor of its own' "${floors/conform/conform\/plan}"
coverage fails 'a file that is not there' "${floors}base/tow.c 50 100\n"
coverage passes 'layers that are counted elsewhere' "${floors}gguf 98 94\nbase/two.c 50 100\n" true
coverage fails 'a level, with layers elsewhere' "${floors}backends/simd=baseline 99 91\n" true

exit "$failed"
