# WebAssembly by Debian's clang, lld and wasi-libc: cmake --preset wasm. What WASI has not (threads, processes, plugins)
# is refused by src/wasm/system, as a system may refuse it anywhere; ci/wasm-deps.sh makes the libraries of others.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(INFERNO_WASM ON)
set(CMAKE_C_COMPILER clang)
set(CMAKE_ASM_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar)
set(CMAKE_RANLIB llvm-ranlib)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
# -nostdlibinc: clang would otherwise find this machine's own headers.
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -isystem ${CMAKE_CURRENT_LIST_DIR}/../src/wasm/system/include -isystem /usr/include/wasm32-wasi \
-D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_GETPID -D_WASI_EMULATED_PROCESS_CLOCKS")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Qunused-arguments -L/usr/lib/wasm32-wasi -Wl,-z,stack-size=1048576 -Wl,--wrap=readlink")
# FindThreads need not look for pthreads: src/wasm/system provides them.
set(CMAKE_HAVE_LIBC_PTHREAD TRUE CACHE INTERNAL "")
