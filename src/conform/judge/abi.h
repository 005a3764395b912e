/*
 * Calls an op with known register contents and looks at them afterwards. No C can say this, so it
 * stands in abi_<architecture>.S; elsewhere abi_none.c calls plainly and the report says so.
 */
#ifndef CONFORM_ABI_H
#define CONFORM_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "invoke.h"

/* Calls fn(backend, args), stores its status, and returns a bit for each thing it left different.
 */
uint32_t conform_abi_call(conform_op_fn fn, ifn_backend *backend, const ifn_call *args,
                          ifn_status *status);

/* 1 where this build can check, 0 where conform_abi_call only calls. */
int conform_abi_is_checked(void);

/* Takes the upper halves of vector registers out of `changed`: whether they were left in use, which is legal, and slows
 * down what comes next. Compilers leave them so where they overlook a vzeroupper. */
bool conform_abi_left_upper(uint32_t *changed);

/* 1 where the processor tells whether the upper halves of vector registers are clean. */
int conform_abi_checks_upper(void);

/* "rbx, MXCSR control bits": what the bits of `changed` mean here. */
void conform_abi_describe(uint32_t changed, char *out, size_t bytes);

#endif
