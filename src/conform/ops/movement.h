/* What data movement shares: operands of raw bits, and truths that are bytes. */
#ifndef CONFORM_MOVEMENT_H
#define CONFORM_MOVEMENT_H

#include "module.h"

/* Fills a tensor of 4-byte elements with all 2^32 bit patterns alike, NaN payloads included; in the
 * family PATTERNS every second is odd: a NaN of any kind, a zero of either sign, an infinity. */
void conform_fill_raw(const conform_case *c, const conform_tensor *t, void *data);

/* Every tensor that is read, like this: what a module's `fill` is to do. */
void conform_fill_movement(const conform_case *c, const conform_layout *l, void *const *data);

/* The bytes of the first tensor, each any of the 256: what the `fill` of an op on bytes is to do. */
void conform_fill_bytes(const conform_case *c, const conform_layout *l, void *const *data);

/* The truth of `out`: the bytes of the first tensor. */
void conform_truth_bytes(const conform_layout *l, const char *out, void *const *data,
                         conform_pool *pool, conform_truth *truth);

/* A CLASS_RAW truth for one tensor, starting from the bytes that are there (NULL: zeros). Returns
 * the expected bytes, for the oracle to write into. */
unsigned char *conform_truth_raw(conform_truth *truth, const conform_tensor *t, const void *initial,
                                 conform_pool *pool);

/* Moves element `from` of `x` to element `to` of `out`, four bytes each. */
void conform_move(unsigned char *out, int64_t to, const void *x, int64_t from);

#endif
