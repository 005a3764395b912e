#!/usr/bin/env bash
# ci/msan-deps.sh: cmocka, libyaml and PCRE2 from Debian's source packages, built by clang with
# MemorySanitizer's instrumentation, below build/msan-deps: MemorySanitizer would report memory that a library
# without it writes as uninitialised. Needs no root. Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$PWD/build/msan-deps
[ ! -d "$prefix" ] || exit 0

# shellcheck source=ci/debian-sources.sh
. ci/debian-sources.sh

fetch_sources cmocka libyaml pcre2
options=(-DCMAKE_C_COMPILER=clang "-DCMAKE_C_FLAGS=-fsanitize=memory -fsanitize-memory-track-origins -fno-omit-frame-pointer"
    -DBUILD_SHARED_LIBS=ON) # shared, since cmocka's static one has another name
install_source cmocka "${options[@]}" -DWITH_EXAMPLES=OFF
install_source libyaml "${options[@]}" -DBUILD_TESTING=OFF
# Machine code that PCRE2 makes at run time would not be instrumented.
install_source pcre2 "${options[@]}" -DBUILD_STATIC_LIBS=OFF -DPCRE2_SUPPORT_JIT=OFF -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF
installed
