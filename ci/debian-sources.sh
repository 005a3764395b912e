# shellcheck shell=bash
# Sourced by msan-deps.sh and ci/wasm-deps.sh: libraries built from Debian's source packages below $prefix, all or nothing.
# shellcheck disable=SC2154 # prefix
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

# fetch_sources NAME...: the release's own versions: those of updates do not reach all archives at once.
fetch_sources() {
    local release
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    sources update
    (cd "$work/packages" && sources source --download-only --target-release "$release" "$@")
}

# install_source NAME OPTION...: by the CMake files that the library has of its own
install_source() {
    local source=$work/unpacked/$1
    mkdir -p "$source"
    tar --extract --file "$(echo "$work/packages/$1"_*.orig.tar.?z)" --directory "$source" --strip-components 1
    cmake -S "$source" -B "$source/build" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo "${@:2}"
    cmake --build "$source/build" --parallel "$(nproc)"
    DESTDIR=$work/root cmake --install "$source/build"
    [ "$1" != libyaml ] || install_yaml_pc
}

# The one file that libyaml installs by its other build only.
install_yaml_pc() {
    local archive version
    archive=$(echo "$work"/packages/libyaml_*.orig.tar.?z)
    version=${archive##*_}
    mkdir -p "$work/root$prefix/lib/pkgconfig"
    sed -e "s|@prefix@|$prefix|; s|@exec_prefix@|$prefix|; s|@includedir@|$prefix/include|; s|@libdir@|$prefix/lib|" \
        -e "s|@PACKAGE_VERSION@|${version%.orig*}|" "$work/unpacked/libyaml/yaml-0.1.pc.in" \
        >"$work/root$prefix/lib/pkgconfig/yaml-0.1.pc"
}

# installed: what was built comes to where it belongs
installed() {
    mkdir -p "$(dirname "$prefix")"
    mv "$work/root$prefix" "$prefix"
}
