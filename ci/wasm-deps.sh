#!/usr/bin/env bash
# ci/wasm-deps.sh: builds PCRE2 and libyaml for WebAssembly, for which Debian has no packages, from Debian's source
# packages, below build/wasm-deps. Needs no root. Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$PWD/build/wasm-deps
[ ! -d "$prefix" ] || exit 0

# shellcheck source=ci/debian-sources.sh
. ci/debian-sources.sh

fetch_sources libyaml pcre2
options=("-DCMAKE_TOOLCHAIN_FILE=$PWD/ci/wasm.cmake" -DBUILD_SHARED_LIBS=OFF)
install_source libyaml "${options[@]}" -DBUILD_TESTING=OFF
install_source pcre2 "${options[@]}" -DPCRE2_SUPPORT_JIT=OFF -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF
installed
