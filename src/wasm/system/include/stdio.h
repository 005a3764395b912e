/* stdio.h with pipes, which are refused, and a temporary file, which WASI leaves to its users: wasi-libc marks the name as absent. */
#ifndef WASM_STDIO_H
#define WASM_STDIO_H
#include_next <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
FILE *wasm_tmpfile(void), *popen(const char *, const char *);
int pclose(FILE *);
#ifdef __cplusplus
}
#endif
#define tmpfile wasm_tmpfile

#endif
