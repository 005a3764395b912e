/* There are no shared objects: dlopen finds none. */
#ifndef WASM_DLFCN_H
#define WASM_DLFCN_H

enum { RTLD_LAZY = 1, RTLD_NOW = 2, RTLD_LOCAL = 0, RTLD_GLOBAL = 0x100, RTLD_NODELETE = 0x1000 };
void *dlopen(const char *, int);
void *dlsym(void *, const char *);
int dlclose(void *);
char *dlerror(void);

#endif
