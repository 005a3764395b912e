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

/* What may be left in use on x86-64, and slows down what comes next: upper halves of vector registers, where a compiler
 * overlooked a vzeroupper, and tile registers without a tilerelease. */
typedef struct conform_abi_left {
    bool upper, tiles;
} conform_abi_left;

/* Takes them out of `changed`. */
conform_abi_left conform_abi_take_left(uint32_t *changed);

/* 1 where the processor tells whether the upper halves of vector registers, and tile registers, are clean. */
int conform_abi_checks_upper(void);

/* "rbx, MXCSR control bits": what the bits of `changed` mean here. */
void conform_abi_describe(uint32_t changed, char *out, size_t bytes);

#endif
