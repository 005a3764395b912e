/* What ops of data movement share: operands of raw bits, and truths that are bytes. */
#ifndef CONFORM_MOVEMENT_H
#define CONFORM_MOVEMENT_H

#include "module.h"

/* Fills a tensor of 4-byte elements with uniformly random bits, NaN payloads included. In the family PATTERNS every
 * second element is special: a NaN of any kind, a zero of either sign, an infinity. */
void conform_fill_raw(const conform_case *c, const conform_tensor *t, void *data);

/* Fills every tensor that is read in this way; for a module's `fill`. */
void conform_fill_movement(const conform_case *c, const conform_layout *l, void *const *data);

/* Fills the first tensor with random bytes; for the `fill` of an op on bytes. */
void conform_fill_bytes(const conform_case *c, const conform_layout *l, void *const *data);

/* Makes the truth of `out`: the bytes of the first tensor. */
void conform_truth_bytes(const conform_layout *l, const char *out, void *const *data,
                         conform_pool *pool, conform_truth *truth);

/* Makes a CLASS_RAW truth for one tensor that starts with the bytes at `initial` (NULL: zeros). Returns the expected
 * bytes, which the oracle then changes. */
unsigned char *conform_truth_raw(conform_truth *truth, const conform_tensor *t, const void *initial,
                                 conform_pool *pool);

/* Moves element `from` of `x` to element `to` of `out`, four bytes each. */
void conform_move(unsigned char *out, int64_t to, const void *x, int64_t from);

#endif
