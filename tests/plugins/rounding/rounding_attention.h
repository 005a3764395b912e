/* attention with the factors of its products rounded to fewer bits. */
#ifndef ROUNDING_ATTENTION_H
#define ROUNDING_ATTENTION_H

#include "rounding.h"

/* The formats (IFN_ROUND_*), and two choices that a declaration leaves free. */
typedef struct attention_way {
    uint32_t inputs, output;
    int scales_q;     /* queries are scaled before they are rounded, not the scores after */
    int sums_rounded; /* the sum that normalises is of rounded weights */
} attention_way;

/* Computes a call, of any phase or part, that has been checked and has no spans. */
ifn_status rounding_attention(const attention_way *way, const ifn_attention_args *a);

#endif
