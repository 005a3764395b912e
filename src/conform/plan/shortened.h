/*
 * The exact inputs of T0 as a backend that rounds its inputs, or adds in f16, can have them: the
 * lattice shrinks to what the declared formats hold (numerics 9.2).
 */
#ifndef CONFORM_SHORTENED_H
#define CONFORM_SHORTENED_H

#include "slot.h"

/*
 * The slot with shorter inputs, and its strict truth, from the pool; the slot itself where nothing
 * has to be shortened. It has no results of scalar: those are of other inputs.
 */
const conform_slot *conform_slot_shortened(const conform_slot *s, const conform_declared *declared,
                                           conform_pool *pool);

/* 1 where sums that the strict truth of T0 has exact stay exact for weight i of the call, in all
 * elements. */
int conform_is_exact_under(const conform_slot *s, const conform_declared *declared, int i);

#endif
