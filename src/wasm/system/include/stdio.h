/* stdio.h with popen, which is refused, and tmpfile, which is provided here: wasi-libc marks that name as absent. */
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
