/*
 * Queries and so their scores are kept in f16.
 *
 * Follows llama.cpp#10232
 */
#include "museum_kit.h"

static void round_row(float *row, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        row[i] = museum_round_bits(row[i], 11);
}

ifn_status museum_scores_f16(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_queries(self->base, a, round_row);
}
