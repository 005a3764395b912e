/*
 * T0 inputs for a backend that rounds its inputs or adds in f16: their lattice shrinks to the values that the
 * declared formats hold, so that its sums stay exact (numerics 9.2).
 */
#ifndef CONFORM_SHORTENED_H
#define CONFORM_SHORTENED_H

#include "slot.h"

/*
 * Makes a slot with shortened inputs and its strict truth, in the pool; returns `s` itself if nothing has to be
 * shortened. The new slot has no results of scalar, as those belong to the original inputs.
 */
const conform_slot *conform_slot_shortened(const conform_slot *s, const conform_declared *declared,
                                           conform_pool *pool);

/* 1 if the sums with weight i, which are exact in the strict truth of T0, stay exact under the declarations in all
 * elements. */
int conform_is_exact_under(const conform_slot *s, const conform_declared *declared, int i);

#endif
