#!/usr/bin/env bash
# build_test.sh WASM: library and programs compile to WebAssembly, with every warning an error. Exits with 77 where
# Debian's packages for that are not installed, or where no archive has the sources of PCRE2 and libyaml.
set -euo pipefail
# shellcheck source=tests/wasm/wasm_common.sh
. "$(dirname "$0")/wasm_common.sh"
need clang wasm-ld llvm-ar apt-get
[ -e /usr/include/wasm32-wasi/stdio.h ] || not_run "wasi-libc: not installed"
[ -e "$(clang --target=wasm32-wasi --rtlib=compiler-rt --print-libgcc-file-name)" ] ||
    not_run "libclang-rt-dev-wasm32: not installed"
cd "$source"
ci/wasm-deps.sh >"$scratch/log" 2>&1 || { cat "$scratch/log" && not_run "no sources of PCRE2 and libyaml"; }
cmake --preset wasm -B "$wasm" >"$scratch/log" || { cat "$scratch/log" && exit 1; }
cmake --build "$wasm" --parallel "$(nproc)"
cmake --install "$wasm" --prefix "$scratch/installed" >"$scratch/log" || { cat "$scratch/log" && exit 1; }
cmp "$scratch/installed/share/inferno/inferno.html" "$wasm/src/wasm/inferno.html"
[ -s "$scratch/installed/bin/inferno.wasm" ]
