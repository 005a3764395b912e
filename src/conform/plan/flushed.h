/* What a backend that declares `ftz` may make of subnormals (numerics 1): its truth allows for
 * both. */
#ifndef CONFORM_FLUSHED_H
#define CONFORM_FLUSHED_H

#include "slot.h"

/*
 * The truth of a slot under declarations. Where these flush, a second truth, of inputs whose
 * subnormals are zeros, is laid beside it. Where the two differ by kind an element is not judged;
 * where they differ by a number its bound grows by that; one that has to be equal bit for bit is
 * judged where both agree and the result is no subnormal. Data movement stays as it is.
 */
void conform_truth_under(const conform_slot *s, const conform_declared *declared,
                         conform_pool *pool, conform_truth truth[CONFORM_MAX_TENSORS]);

#endif
