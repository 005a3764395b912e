#!/usr/bin/env bash
# ci/setup.sh [checks|nightly]: installs the Debian packages that a build and its tests need; those of the quick
# stages of ci/check.sh, too; those of all of ci/nightly.sh. Does nothing when all is there.
set -euo pipefail
case "${1:-}" in
'' | checks | nightly) ;;
*)
    echo "usage: ci/setup.sh [checks|nightly]" >&2
    exit 2
    ;;
esac

missing=()
need_command() { command -v "$1" >/dev/null || missing+=("${@:2}"); }
need_file() { [ -e "$1" ] || missing+=("$2"); }
need_module() { pkg-config --exists "$1" 2>/dev/null || missing+=("$2"); }

need_command cc gcc libc6-dev
need_command cmake cmake
need_command make make
need_command pkg-config pkg-config
need_module libpcre2-8 libpcre2-dev
need_module cmocka libcmocka-dev
need_module yaml-0.1 libyaml-dev
# The OpenCL backend, the loader that it opens, and a driver that runs on the processor.
need_file /usr/include/CL/cl.h opencl-headers
/sbin/ldconfig -p | grep -q 'libOpenCL\.so\.1 ' || missing+=(ocl-icd-libopencl1)
need_file /etc/OpenCL/vendors/pocl.icd pocl-opencl-icd
# Products in bf16 of somebody else's: tests/plugins/onednn, of 7 MB.
need_file /usr/include/oneapi/dnnl/dnnl.h libdnnl-dev
if [ $# -gt 0 ]; then
    need_module libmicrohttpd libmicrohttpd-dev
    need_module jansson libjansson-dev
    need_command curl curl
    need_command git git
    need_command c++ g++
    need_command clang-format-14 clang-format-14
    need_command cppcheck cppcheck
    need_command shellcheck shellcheck
    # For WebAssembly.
    need_command clang clang
    need_command wasm-ld lld
    need_command llvm-ar llvm
    need_command node nodejs
    need_file /usr/include/wasm32-wasi/stdio.h wasi-libc
    compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/wasi/*wasm32.a' >/dev/null || missing+=(libclang-rt-dev-wasm32)
fi
if [ "${1:-}" = nightly ]; then
    need_command chromium chromium
    need_command chromedriver chromium-driver
    need_command clang-tidy-14 clang-tidy-14
    need_command lcov lcov
    need_command valgrind valgrind
    need_command qemu-s390x-static qemu-user-static
    for triple in aarch64-linux-gnu arm-linux-gnueabihf powerpc64le-linux-gnu riscv64-linux-gnu s390x-linux-gnu; do
        need_command "$triple-gcc" "gcc-$triple"
    done
    need_file /usr/riscv64-linux-gnu/include/stdio.h libc6-dev-riscv64-cross # the others have ci/sysroot.sh
fi

[ ${#missing[@]} -gt 0 ] || exit 0

install=(apt-get install --yes --no-install-recommends "${missing[@]}")
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
fi
if ! command -v apt-get >/dev/null; then
    echo "setup: missing: ${missing[*]} (Debian names); there is no apt-get here to install them" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "setup: packages are missing, and neither root nor sudo is available; as root, run:" >&2
    echo "    ${install[*]}" >&2
    exit 1
fi

echo "setup: installing ${missing[*]}"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@"; }
# Package lists may be absent or too old; they are fetched only then.
apt "${install[@]}" || { apt apt-get update && apt "${install[@]}"; }
