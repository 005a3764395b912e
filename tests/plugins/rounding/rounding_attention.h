/* attention by products of fewer bits. */
#ifndef ROUNDING_ATTENTION_H
#define ROUNDING_ATTENTION_H

#include "rounding.h"

/* What the declaration leaves free besides the formats (IFN_ROUND_*). */
typedef struct attention_way {
    uint32_t inputs, output;
    int scales_q;     /* before queries are rounded */
    int sums_rounded; /* the normaliser adds up rounded weights */
} attention_way;

/* Of a call that has been checked, without spans; one phase of it, or a part. */
ifn_status rounding_attention(const attention_way *way, const ifn_attention_args *a);

#endif
