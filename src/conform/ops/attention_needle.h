/*
 * The family NEEDLE: each query has one key whose score is far above those of all other keys, so that the result is the
 * value of that key, however long the context is (numerics 7.7). Keys are words of a code, so the oracle knows the
 * winner without computing scores; the truth costs one row of V per query.
 */
#ifndef CONFORM_OPS_ATTENTION_NEEDLE_H
#define CONFORM_OPS_ATTENTION_NEEDLE_H

#include <stdbool.h>

#include "attention_dims.h"

/* True if no two positions have the same key: head_dim is at least the number of bits of a position. Otherwise the
 * results would be no copies of values. */
bool conform_needle_is_unique(const conform_case *c);

/* The position that query head `head` of a row looks for. */
int64_t conform_needle_position(const conform_case *c, int64_t row, int64_t head);

/* Fills q, k_cache and v_cache. */
void conform_fill_needles(const conform_case *c, void *const *data);

/* Sets want and bound of every element of `out`. */
void conform_truth_needles(const conform_case *c, const void *v_cache, conform_truth *out);

#endif
