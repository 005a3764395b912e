/*
 * The components of a key are +1 or -1: component j is bit j mod b of a code word of the position, inverted or not
 * depending on seed, KV head and j. Positions have b bits, and code words are a permutation of the positions: keys of
 * one KV head differ in at least one bit of the word, and so in at least floor(head_dim / b) components. Values are
 * nonzero integers that every cache dtype holds.
 */
#include "attention_needle.h"

#include "attention_cache.h"
#include "attention_row.h"
#include "blocks.h"
#include "gen.h"
#include "sampled.h"

/* A query is its key times this, so that scores differ by more than any number of other keys can make up for. */
#define LOUD 256.0f

/* The number of bits that hold 0 .. n - 1. */
static int bits_of(int64_t n)
{
    int bits = 0;
    while (bits < 62 && ((int64_t)1 << bits) < n)
        bits++;
    return bits;
}

bool conform_needle_is_unique(const conform_case *c)
{
    return c->dim[ATTENTION_HEAD_DIM] >= bits_of(conform_attention_max_pos(c));
}

/* The code that makes the keys of one KV head. */
typedef struct code {
    int bits; /* of a position, at least 1 */
    uint64_t factor;
    conform_stream turned;
} code;

static code code_of(const conform_case *c, int64_t kv_head)
{
    const int bits = bits_of(conform_attention_max_pos(c));
    return (code){.bits = bits ? bits : 1,
                  .factor = conform_hash(c->seed, "needle factor", 0) | 1,
                  .turned = {conform_hash(c->seed, "needle turned", (uint64_t)kv_head)}};
}

/* The code word of a position. Multiplying by an odd factor and xoring a shift permute numbers of k->bits bits, and
 * move neighbours far apart. */
static uint64_t word_of(const code *k, int64_t position)
{
    const uint64_t mask = (UINT64_C(1) << k->bits) - 1;
    const uint64_t word = ((uint64_t)position * k->factor) & mask;
    return word ^ word >> (k->bits / 2 + 1);
}

static int sign_of(const code *k, uint64_t word, int64_t component)
{
    const uint64_t turned = conform_bits(k->turned, (uint64_t)component / 64) >> component % 64;
    return ((word >> component % k->bits) ^ turned) & 1 ? 1 : -1;
}

/* A component of a value: -127 .. 127 without 0. Eight components share 64 random bits. */
static int value_of(conform_stream s, int64_t row, int64_t n_eights, int64_t component)
{
    const uint64_t bits = conform_bits(s, (uint64_t)(row * n_eights + component / 8));
    const int byte = (int)(bits >> component % 8 * 8 & 0xff), magnitude = byte >> 1;
    return (magnitude ? magnitude : 1) * (byte & 1 ? -1 : 1);
}

static void fill_caches(const conform_case *c, unsigned char *keys, unsigned char *values)
{
    const int64_t max_pos = conform_attention_max_pos(c), head_dim = c->dim[ATTENTION_HEAD_DIM];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, head_dim);
    const conform_stream s = conform_stream_of(c->seed, "needle value");
    for (int64_t row = 0; row < c->dim[ATTENTION_N_KV_HEADS] * max_pos; row++) {
        const code k = code_of(c, row / max_pos);
        const uint64_t word = word_of(&k, row % max_pos);
        for (int64_t j = 0; j < head_dim; j++) {
            conform_put_integer(c->dtype, keys + (size_t)row * row_bytes, j, sign_of(&k, word, j));
            conform_put_integer(c->dtype, values + (size_t)row * row_bytes, j,
                                value_of(s, row, (head_dim + 7) / 8, j));
        }
    }
}

/* The first query looks for the last key that it sees. Every second one of the others looks for a key at which kernels
 * change their code path, the rest for any key. */
int64_t conform_needle_position(const conform_case *c, int64_t row, int64_t head)
{
    const int64_t n_heads = c->dim[ATTENTION_N_KV_HEADS] * c->dim[ATTENTION_GROUP];
    const int64_t query = row * n_heads + head, visible = c->dim[ATTENTION_FIRST_POS] + row + 1;
    if (query == 0)
        return visible - 1;
    return query % 2 ? conform_integer(conform_stream_of(c->seed, "needle"), (uint64_t)query, 0,
                                       visible - 1)
                     : conform_edge_at(conform_stream_of(c->seed, "needle edge"), (uint64_t)query,
                                       visible, c->dim[ATTENTION_HEAD_DIM]);
}

static void fill_queries(const conform_case *c, float *q)
{
    const int64_t group = c->dim[ATTENTION_GROUP], head_dim = c->dim[ATTENTION_HEAD_DIM];
    const int64_t n_heads = c->dim[ATTENTION_N_KV_HEADS] * group;
    for (int64_t i = 0; i < c->dim[ATTENTION_ROWS] * n_heads; i++) {
        const code k = code_of(c, i % n_heads / group);
        const uint64_t word = word_of(&k, conform_needle_position(c, i / n_heads, i % n_heads));
        for (int64_t j = 0; j < head_dim; j++)
            q[i * head_dim + j] = LOUD * (float)sign_of(&k, word, j);
    }
}

void conform_fill_needles(const conform_case *c, void *const *data)
{
    fill_caches(c, data[1], data[2]);
    fill_queries(c, data[0]);
}

void conform_truth_needles(const conform_case *c, const void *v_cache, conform_truth *out)
{
    const int64_t group = c->dim[ATTENTION_GROUP], head_dim = c->dim[ATTENTION_HEAD_DIM];
    const int64_t n_heads = c->dim[ATTENTION_N_KV_HEADS] * group;
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, head_dim);
    for (int64_t i = 0; i < c->dim[ATTENTION_ROWS] * n_heads; i++) {
        const int64_t kv_head = i % n_heads / group;
        const int64_t row = kv_head * conform_attention_max_pos(c) +
                            conform_needle_position(c, i / n_heads, i % n_heads);
        const unsigned char *const value = (const unsigned char *)v_cache + (size_t)row * row_bytes;
        conform_values(c->dtype, value, head_dim, out->want + i * head_dim);
        for (int64_t j = i * head_dim; j < (i + 1) * head_dim; j++)
            out->bound[j] = conform_bound_of_winner(out->want[j]);
    }
}
