/* The truth for a backend that declares `ftz` (numerics 1): it accepts subnormals that are kept and subnormals
 * that are flushed. */
#ifndef CONFORM_FLUSHED_H
#define CONFORM_FLUSHED_H

#include "slot.h"

/*
 * Computes the truth of a slot under declarations. If these flush, a second truth is computed from inputs whose
 * subnormals are zeros, and the two are combined: an element is not judged if they differ in kind (NaN, infinity);
 * its bound grows by their difference if both are finite; an element that must be equal bit for bit is judged
 * only if both agree and the result is no subnormal. The truth of data movement (CLASS_RAW) is unchanged.
 */
void conform_truth_under(const conform_slot *s, const conform_declared *declared,
                         conform_pool *pool, conform_truth truth[CONFORM_MAX_TENSORS]);

#endif
