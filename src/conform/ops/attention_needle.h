/*
 * Needles in haystacks: each query scores far above all others at one key, and the result is that
 * key's value, however long the context is (numerics 7.7). Keys are words of a code, so that nobody
 * has to look at them to know; truth costs a row of V for each query.
 */
#ifndef CONFORM_OPS_ATTENTION_NEEDLE_H
#define CONFORM_OPS_ATTENTION_NEEDLE_H

#include <stdbool.h>

#include "attention_dims.h"

/* Whether no two positions have the same key, or the results are no copies: heads have at least as
 * many components as positions have bits. */
bool conform_needle_is_unique(const conform_case *c);

/* The position that query head `head` of a row looks for. */
int64_t conform_needle_position(const conform_case *c, int64_t row, int64_t head);

/* q, k_cache and v_cache. */
void conform_fill_needles(const conform_case *c, void *const *data);

/* want and bound of `out`, all of them. */
void conform_truth_needles(const conform_case *c, const void *v_cache, conform_truth *out);

#endif
