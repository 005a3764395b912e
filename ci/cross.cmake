# Cross build for another of Debian's architectures, run under qemu-user:
#   ci/sysroot.sh s390x
#   cmake -S . -B build/s390x -DCMAKE_TOOLCHAIN_FILE=ci/cross.cmake -DINFERNO_CROSS=s390x
set(arm64   aarch64-linux-gnu     aarch64)
set(armhf   arm-linux-gnueabihf   arm)
set(ppc64el powerpc64le-linux-gnu ppc64le)
set(riscv64 riscv64-linux-gnu     riscv64)
set(s390x   s390x-linux-gnu       s390x)
list(GET ${INFERNO_CROSS} 0 triple)
list(GET ${INFERNO_CROSS} 1 processor)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES INFERNO_CROSS)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CXX_COMPILER ${triple}-g++)
# Where Debian has no archive of the architecture, gcc has its own C library and no program can be linked.
get_filename_component(sysroot ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/${INFERNO_CROSS} ABSOLUTE)
if(EXISTS ${sysroot})
    set(CMAKE_SYSROOT ${sysroot})
    set(ENV{PKG_CONFIG_SYSROOT_DIR} ${sysroot})
    set(ENV{PKG_CONFIG_LIBDIR} ${sysroot}/usr/lib/${triple}/pkgconfig:${sysroot}/usr/share/pkgconfig)
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${processor}-static -L ${sysroot})
    set(INFERNO_TEST_LAUNCHER ${CMAKE_CROSSCOMPILING_EMULATOR} CACHE STRING "Runs each test program")
    set(INFERNO_TEST_PATIENCE 10 CACHE STRING "An emulator takes its time")
endif()
# glibc's backtrace needs these tables on arm; for other processors gcc always makes them.
if(processor STREQUAL arm)
    set(CMAKE_C_FLAGS_INIT -funwind-tables)
endif()
# gcc 12.2 for aarch64 dies of an internal error in its vectorizer of loops (src/conform/judge/law_bounds.c at -O3,
# tests/quant/q8_32f_test.c at -O2).
set(CMAKE_C_FLAGS_RELEASE "-O2 -fno-tree-loop-vectorize -DNDEBUG" CACHE STRING "Flags of release builds")
