#!/usr/bin/env bash
# install_test.sh static|shared SOURCE-DIR BUILD-DIR VERSION: installs into a scratch prefix, builds a
# program and a plugin against it as strangers do, and runs them.
#
# BUILD-DIR is installed as it is if it has the kind of library asked for; otherwise the library is
# built once more.
set -euo pipefail
kind=$1 source=$2 build=$3 version=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; echo "failed: $*" >&2; return 1; }; }

shared=OFF
[ "$kind" = shared ] && shared=ON
if ! grep -q "^BUILD_SHARED_LIBS:.*=$shared$" "$build/CMakeCache.txt"; then
    # What is installed is looked at, not how fast it is; the night builds it as it is released.
    quietly cmake -S "$source" -B "$scratch/build" -DBUILD_SHARED_LIBS=$shared -DINFERNO_BUILD_TESTS=OFF \
        -DCMAKE_C_FLAGS_RELEASE="-O0 -DNDEBUG"
    quietly cmake --build "$scratch/build" --parallel 2
    build=$scratch/build
fi
quietly cmake --install "$build" --prefix "$prefix"

# The tree must work wherever it is moved to, the programs without being told where.
mv "$prefix" "$scratch/moved"
prefix=$scratch/moved
libdir=$(dirname "$(find "$prefix" -name 'libinferno.*' | head -n 1)")
bash "$source/ci/check-symbols.sh" "$(find "$libdir" -name 'libinferno.*' -type f)"
"$prefix/bin/model-generate" --help >/dev/null
default=$("$prefix/bin/inferno" backends --json | sed -n 's/.*"default": "\([^"]*\)".*/\1/p')

# No model named: the installed one, though the source tree has one too.
model=$("$prefix/bin/inferno" generate -p 'Once upon a time' -n 2 --json | sed -n 's/.*"model": "\([^"]*\)".*/\1/p')
shipped=$prefix/share/inferno/little-world-f16.gguf
if [ "$model" != "$shipped" ]; then
    echo "generate takes the model $model, expected $shipped" >&2
    exit 1
fi
export LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig

# expect BACKEND COMMAND...
expect() {
    local output expected="inferno $version, $1: 11 22 33"
    output=$("${@:2}")
    [ "$output" = "$expected" ] && return
    echo "${*:2}: \"$output\", expected \"$expected\"" >&2
    exit 1
}

# configure FOLDER VERSION
configure() {
    cmake -S "$source/tests/install/consumer" -B "$scratch/$1" -DCMAKE_PREFIX_PATH="$prefix" -DWANTED="$2"
}
quietly configure consumer "$version"
quietly cmake --build "$scratch/consumer"
expect "$default" "$scratch/consumer/consumer"

# Only the very version will do, said to its end.
IFS=. read -r major minor patch <<<"$version"
for other in 0.0.1 "$major.$minor" "$major.$minor.$((patch + 1))" "$major.$((minor + 1)).$patch" "$major.$((minor + 1))" \
    "$((major + 1)).$minor.$patch" "$((major + 1))"; do
    if configure others "$other" >"$scratch/log" 2>&1 || ! grep -q 'compatible with requested' "$scratch/log"; then
        cat "$scratch/log" >&2
        echo "find_package does not refuse version $other for $version" >&2
        exit 1
    fi
done
quietly configure others "$version"

# The loader takes any release of the same plugin ABI.
if [ "$kind" = shared ]; then
    abi=$(sed -n 's/^#define IFN_BACKEND_ABI  *\([0-9]*\)u$/\1/p' "$source/include/inferno/backend.h")
    soname=libinferno.so.$abi
    for file in "$libdir/libinferno.so" "$prefix/bin/inferno" "$scratch/consumer/consumer"; do
        readelf --dynamic "$file" | grep -qE "\((SONAME|NEEDED)\).*\[${soname//./\\.}\]" && continue
        readelf --dynamic "$file" >&2
        echo "$file: $soname is not what it is called or needs" >&2
        exit 1
    done
fi

[ "$(pkg-config --modversion inferno)" = "$version" ]
read -ra cflags <<<"$(pkg-config --cflags inferno)"
read -ra libs <<<"$(pkg-config --libs inferno)"
quietly cc "${cflags[@]}" -o "$scratch/by-pkg-config" "$source/tests/install/consumer/consumer.c" "${libs[@]}"
expect "$default" "$scratch/by-pkg-config"

quietly cc "${cflags[@]}" -shared -fPIC -Wl,--no-undefined -o "$scratch/mine.so" \
    "$source/tests/backends/plugins/one_op.c"
expect "$scratch/mine.so" "$scratch/by-pkg-config" "$scratch/mine.so"
