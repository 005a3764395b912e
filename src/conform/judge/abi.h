/*
 * Calls an op with known register contents and compares the registers afterwards. C cannot express this, so it is
 * written in abi_<architecture>.S. On other architectures abi_none.c makes a plain call, and the report says so.
 */
#ifndef CONFORM_ABI_H
#define CONFORM_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "invoke.h"

/* Calls fn(backend, args) and stores its status. Returns one bit for each register, flag or control word that differs
 * afterwards. */
uint32_t conform_abi_call(conform_op_fn fn, ifn_backend *backend, const ifn_call *args,
                          ifn_status *status);

/* 1 if this build checks registers, 0 if conform_abi_call only calls. */
int conform_abi_is_checked(void);

/* State that x86-64 code may leave in use and that slows down the code after it: upper halves of vector registers,
 * where a compiler omitted a vzeroupper, and tile registers without a tilerelease. */
typedef struct conform_abi_left {
    bool upper, tiles;
} conform_abi_left;

/* Moves these bits out of `changed` into the result. */
conform_abi_left conform_abi_take_left(uint32_t *changed);

/* 1 if the processor can say whether the upper halves of vector registers and the tile registers are clean. */
int conform_abi_checks_upper(void);

/* Writes what the bits of `changed` mean on this architecture, such as "rbx, MXCSR control bits". */
void conform_abi_describe(uint32_t changed, char *out, size_t bytes);

#endif
