/* stdlib.h with temporary files, which WASI lacks and src/wasm/system/provided.c provides. */
#ifndef WASM_STDLIB_H
#define WASM_STDLIB_H
#include_next <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
int mkstemp(char *);
char *mkdtemp(char *);
#ifdef __cplusplus
}
#endif
#endif
