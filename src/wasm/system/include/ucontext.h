/* No signal ever stops a program, so there is no context of a stopped one. */
#ifndef WASM_UCONTEXT_H
#define WASM_UCONTEXT_H

#include <signal.h>

#endif
