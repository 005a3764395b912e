/*
 * Each query has one large component, and small ones that a sum beginning with the large one loses. Keys at even
 * positions are 1 in every component. Keys at odd positions are 1 where queries are large, else 0, so that their scores
 * have nothing to lose. Values of even positions are above 0, the others below: a score without its small terms moves
 * every result.
 */
#include "attention_stagnant.h"

#include "attention_cache.h"
#include "attention_dims.h"
#include "blocks.h"
#include "gen.h"
#include "gen_stagnant.h"

/* The exponent of a query's large component: an error of its score is relative to the score, and so shows in weights
 * only if the score is large. */
enum { LEAST_EXPONENT = 9, MOST_EXPONENT = 14 };

static void fill_queries(const conform_case *c, int64_t large, float *q)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM];
    const int64_t heads = c->dim[ATTENTION_N_KV_HEADS] * c->dim[ATTENTION_GROUP];
    const conform_stream s = conform_stream_of(c->seed, "stagnant query");
    for (int64_t i = 0; i < c->dim[ATTENTION_ROWS] * heads; i++) {
        const int64_t exponent = conform_integer(s, (uint64_t)i, LEAST_EXPONENT, MOST_EXPONENT);
        const double size = conform_power_of_two((int)exponent);
        for (int64_t j = 0; j < head_dim; j++)
            q[i * head_dim + j] =
                (float)(j == large ? size : size * conform_stagnant_small(c->seed));
    }
}

static void fill_caches(const conform_case *c, int64_t large, unsigned char *keys,
                        unsigned char *values)
{
    const int64_t max_pos = conform_attention_max_pos(c), head_dim = c->dim[ATTENTION_HEAD_DIM];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, head_dim);
    const conform_stream s = conform_stream_of(c->seed, "stagnant value");
    for (int64_t row = 0; row < c->dim[ATTENTION_N_KV_HEADS] * max_pos; row++) {
        const int sign = row % max_pos % 2 ? -1 : 1;
        const size_t at = (size_t)row * row_bytes;
        for (int64_t j = 0; j < head_dim; j++) {
            const int value = (int)conform_integer(s, (uint64_t)(row * head_dim + j), 1, 127);
            conform_put_integer(c->dtype, keys + at, j, sign > 0 || j == large);
            conform_put_integer(c->dtype, values + at, j, sign * value);
        }
    }
}

void conform_fill_stagnant_scores(const conform_case *c, void *const *data)
{
    const conform_stream s = conform_stream_of(c->seed, "stagnant");
    const int64_t large =
        conform_stagnant_large(s, (int64_t)(conform_bits(s, 0) % 4), c->dim[ATTENTION_HEAD_DIM]);
    fill_queries(c, large, data[0]);
    fill_caches(c, large, data[1], data[2]);
}
