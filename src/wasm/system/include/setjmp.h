/* A WebAssembly program cannot unwind its stack, so longjmp ends it. */
#ifndef WASM_SETJMP_H
#define WASM_SETJMP_H

typedef int jmp_buf[1];
#define setjmp(environment) ((void)(environment), 0)
_Noreturn void longjmp(jmp_buf, int);

#endif
