#!/usr/bin/env bash
# reproducible_test.sh static|shared SOURCE-DIR: the same sources, built in two places of different names,
# install the same bytes, and pack the same bytes where SOURCE_DATE_EPOCH says when.
set -euo pipefail
kind=$1 source=$2
scratch=$(mktemp -d)
log=$scratch/log
: >"$log"
trap '[ $? -eq 0 ] || cat "$log" >&2; rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=1700000000

shared=OFF
generators=(TGZ)
if [ "$kind" = shared ]; then
    shared=ON
elif type -P dpkg-deb >/dev/null && type -P dpkg-shlibdeps >/dev/null; then
    generators+=(DEB)
else
    echo "dpkg: not installed, no Debian packages were compared"
fi

# install_from PLACE: leaves what is installed and packed in $scratch/PLACE/results
install_from() {
    local place=$scratch/$1 generator
    mkdir -p "$place"/{source,results}
    mkdir "$place/source/tests"
    cp -r "$source"/{CMakeLists.txt,CHANGELOG.md,LICENSE,include,src,spec,fixtures} "$place/source"
    cp -r "$source/tests/museum" "$place/source/tests"
    cmake -S "$place/source" -B "$place/build" -DCMAKE_BUILD_TYPE=Release -DINFERNO_BUILD_TESTS=OFF \
        -DBUILD_SHARED_LIBS=$shared
    cmake --build "$place/build" --parallel 2
    cmake --install "$place/build" --prefix "$place/results/prefix"
    for generator in "${generators[@]}"; do
        (cd "$place/build" && cpack -G "$generator" -B "$place/packed")
    done
    mv "$place"/packed/*.{tar.gz,deb} "$place/results"
}
shopt -s nullglob
for place in one another/deeper; do
    install_from "$place" >"$log" 2>&1 # not in a condition, where a command that fails would not end it
done
: >"$log"
diff -r "$scratch/one/results" "$scratch/another/deeper/results"
