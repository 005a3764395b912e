#!/usr/bin/env bash
# reproducible_test.sh SOURCE-DIR: the same sources, built in two places of different names, install
# the same bytes.
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# install_from NAME
install_from() {
    local place=$scratch/$1
    mkdir -p "$place/source"
    cp -r "$source"/{CMakeLists.txt,LICENSE,include,src,spec,fixtures} "$place/source"
    cmake -S "$place/source" -B "$place/build" -DCMAKE_BUILD_TYPE=Release -DINFERNO_BUILD_TESTS=OFF
    cmake --build "$place/build" --parallel 2
    cmake --install "$place/build" --prefix "$place/prefix"
}
for place in one another/deeper; do
    install_from "$place" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
done
diff -r "$scratch/one/prefix" "$scratch/another/deeper/prefix"
