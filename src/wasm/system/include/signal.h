/* The names of signals, none of which ever arrives: wasi-libc declares them under a condition, except the flags. */
#ifndef WASM_SIGNAL_H
#define WASM_SIGNAL_H

#include <__struct_iovec.h>
#include <time.h>
#define __DEFINED_struct_iovec
#define __DEFINED_struct_timespec
#define __wasilibc_unmodified_upstream
#include_next <signal.h>
#undef __wasilibc_unmodified_upstream

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO   4
#define SA_RESTART   0x10000000
#define SA_NODEFER   0x40000000
#define SA_RESETHAND ((int)0x80000000)

#endif
