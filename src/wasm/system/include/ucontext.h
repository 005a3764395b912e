/* Nobody is ever stopped, so nothing of a stopped context is known. */
#ifndef WASM_UCONTEXT_H
#define WASM_UCONTEXT_H

#include <signal.h>

#endif
