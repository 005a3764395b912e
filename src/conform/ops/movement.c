#include "movement.h"

#include <string.h>

#include "gen.h"
#include "gen_regimes.h"

void conform_fill_raw(const conform_case *c, const conform_tensor *t, void *data)
{
    const conform_stream s = conform_input_stream(c, t->name);
    const bool is_odd = c->family == FAMILY_PATTERNS;
    unsigned char *out = data;
    for (size_t i = 0; i < t->bytes / 4; i++) {
        const uint64_t random = conform_bits(s, i);
        const uint32_t bits =
            is_odd && random >> 63 ? conform_odd_bits(random >> 32) : (uint32_t)random;
        memcpy(out + 4 * i, &bits, sizeof bits);
    }
}

void conform_fill_movement(const conform_case *c, const conform_layout *l, void *const *data)
{
    for (int i = 0; i < l->n; i++)
        if (l->t[i].role != ROLE_OUT)
            conform_fill_raw(c, &l->t[i], data[i]);
}

void conform_fill_bytes(const conform_case *c, const conform_layout *l, void *const *data)
{
    unsigned char *const bytes = data[0];
    const conform_stream s = conform_stream_of(c->seed, l->t[0].name);
    for (int64_t i = 0; i < l->t[0].cols; i++)
        bytes[i] = (unsigned char)conform_bits(s, (uint64_t)i);
}

void conform_truth_bytes(const conform_layout *l, const char *out, void *const *data,
                         conform_pool *pool, conform_truth *truth)
{
    conform_truth *const t = &truth[conform_tensor_index(l, out)];
    const unsigned char *const bytes = data[0];
    conform_truth_take(t, CLASS_RAW, l->t[0].cols, pool);
    for (int64_t i = 0; i < l->t[0].cols; i++)
        t->raw[i] = bytes[i];
}

unsigned char *conform_truth_raw(conform_truth *truth, const conform_tensor *t, const void *initial,
                                 conform_pool *pool)
{
    conform_truth_take(truth, CLASS_RAW, (int64_t)t->bytes, pool);
    if (initial && t->bytes > 0)
        memcpy(truth->raw, initial, t->bytes);
    return truth->raw;
}

void conform_move(unsigned char *out, int64_t to, const void *x, int64_t from)
{
    memcpy(out + 4 * to, (const unsigned char *)x + 4 * from, 4);
}
