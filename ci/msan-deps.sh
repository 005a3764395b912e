#!/usr/bin/env bash
# ci/msan-deps.sh: cmocka, libyaml and PCRE2 from Debian's source packages, built by clang with
# MemorySanitizer's instrumentation, below build/msan-deps: what a library that has none writes would count
# as never written. Needs no root. Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$PWD/build/msan-deps
[ ! -d "$prefix" ] || exit 0

# shellcheck source=ci/own-apt.sh
. ci/own-apt.sh

# This machine's own archives of Debian, asked for sources.
lists=/etc/apt/sources.list
[ ! -e "$lists.d/debian.sources" ] ||
    sed 's/^Types:.*/Types: deb-src/' "$lists.d/debian.sources" >"$work/parts/debian.sources"
[ ! -e "$lists" ] || sed -n 's/^deb \(.*debian.*\)/deb-src \1/p' "$lists" >"$work/parts/debian.list"
sources() {
    own_apt -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/parts" "$@"
}
sources update
# The release's own versions: those of updates do not reach all archives at once.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
(cd "$work/packages" && sources source --download-only --target-release "$release" cmocka libyaml pcre2)

# install_into NAME OPTION...: shared libraries, since cmocka's static one has another name
install_into() {
    local source=$work/unpacked/$1
    mkdir -p "$source"
    tar --extract --file "$(echo "$work/packages/$1"_*.orig.tar.?z)" --directory "$source" --strip-components 1
    cmake -S "$source" -B "$source/build" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DBUILD_SHARED_LIBS=ON \
        "-DCMAKE_C_FLAGS=-fsanitize=memory -fsanitize-memory-track-origins -fno-omit-frame-pointer" "${@:2}"
    cmake --build "$source/build" --parallel "$(nproc)"
    DESTDIR=$work/root cmake --install "$source/build"
}
install_into cmocka -DWITH_EXAMPLES=OFF
install_into libyaml -DBUILD_TESTING=OFF
# Machine code that PCRE2 makes at run time would not be instrumented.
install_into pcre2 -DBUILD_STATIC_LIBS=OFF -DPCRE2_SUPPORT_JIT=OFF -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF
# The one file that libyaml installs by its other build only.
archive=$(echo "$work"/packages/libyaml_*.orig.tar.?z)
version=${archive##*_}
sed -e "s|@prefix@|$prefix|; s|@exec_prefix@|$prefix|; s|@includedir@|$prefix/include|; s|@libdir@|$prefix/lib|" \
    -e "s|@PACKAGE_VERSION@|${version%.orig*}|" "$work/unpacked/libyaml/yaml-0.1.pc.in" \
    >"$work/root$prefix/lib/pkgconfig/yaml-0.1.pc"
mkdir -p build
mv "$work/root$prefix" "$prefix"
