/* unistd.h with functions that WASI lacks: src/wasm/system/refused.c defines them. */
#ifndef WASM_UNISTD_H
#define WASM_UNISTD_H
#include_next <unistd.h>

#undef _POSIX_MEMORY_PROTECTION
#define _POSIX_MEMORY_PROTECTION (-1)

#ifdef __cplusplus
extern "C" {
#endif
pid_t fork(void), getppid(void), getpid(void);
int setpgid(pid_t, pid_t);
int dup(int), dup2(int, int), pipe(int[2]);
unsigned alarm(unsigned);
int execvp(const char *, char *const[]);
#ifdef __cplusplus
}
#endif
#endif
