#!/usr/bin/env bash
# plugin_test.sh BUILD-DIR: the author of a backend starts from nothing but an installed copy: writes
# a project, builds it, has every op judged, and runs a model on it.
set -euo pipefail
# shellcheck source=tests/install/plugin/author.sh
. "$(dirname "$0")/author.sh"

mapfile -t ops <"$prefix/share/inferno/ops.txt"
listed=$("$inferno" backends --json | tr -d '\n' | sed 's/.*"ops": \[\([^]]*\)\].*/\1/; s/[",]//g')
same "ops.txt" "${ops[*]}" "$listed"

quietly "$inferno" backend new mine
# Headers and a program are all it takes: nothing that the library was built with is looked for.
quietly cmake -S mine -B mine/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS=-Werror \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_Threads=ON
quietly cmake --build mine/build
plugin=mine/build/mine.so
same "what the plugin exports" \
    "$(nm --dynamic --defined-only --format=just-symbols "$plugin")" ifn_backend_entry

count() { ctest --test-dir mine/build -N "$@" | sed -n 's/^Total Tests: //p'; }
same "entries" "$(count)" ${#ops[@]}
same "entries, those on demand among them" "$(count -C ci)" $((${#ops[@]} + 1))
same "smoke entries" "$(count -L '^smoke$')" ${#ops[@]}
same "ci entries" "$(count -C ci -L '^ci$')" 1
same "entries of one op" "$(count -R 'mine\.matmul$')" 1

# refused ARGUMENTS: inferno_add_conformance with these stops CMake, and says why
refused() {
    mkdir -p wrong
    sed "s|inferno_add_conformance(.*|inferno_add_conformance($1)|" mine/CMakeLists.txt >wrong/CMakeLists.txt
    cp mine/mine.c wrong
    if cmake -S wrong -B wrong/build -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1; then
        echo "inferno_add_conformance($1) is accepted" >&2
        exit 1
    fi
    grep -q 'inferno_add_conformance: ' log || { cat log >&2; exit 1; }
}
refused "TARGET nothing"
refused "TARGET mine BACKEND scalar"
refused "BACKEND scalar"
refused "TARGET mine PROFILE daily"
refused "TARGET mine NAME two/parts"
refused "TARGET mine COLOUR red"
refused "TARGET mine OPS"

cp -r mine reader
rm -r reader/build
follow_readme reader

expected=$(continue_on scalar)
[ -n "$expected" ]
same "a model on the plugin" "$(continue_on "$plugin")" "$expected"

judge() { ctest --test-dir mine/build "$@"; }
quietly judge -L '^smoke$' --parallel 2 --output-on-failure

# It is this plugin that was judged, and by the specs that came with the program.
sed -i 's/a->x\[i\] + a->y\[i\]/a->x[i] - a->y[i]/' mine/mine.c
quietly cmake --build mine/build
quietly judge -R 'mine\.matmul$'
if judge -R 'mine\.add$' >log 2>&1; then
    echo "a plugin that subtracts passes as add" >&2
    exit 1
fi
grep -q 'NOT conformant' mine/build/Testing/Temporary/LastTest.log
rm "$prefix/share/inferno/spec/ops/matmul.yaml"
if judge -R 'mine\.matmul$' >log 2>&1; then
    echo "matmul is judged without its spec" >&2
    exit 1
fi
