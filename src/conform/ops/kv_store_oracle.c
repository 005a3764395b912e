/* kv_store: the bytes before, with the pinned encoding of each new row in its place. */
#include <string.h>

#include "encode.h"
#include "module.h"

enum { ROWS, FIRST_POS, SLACK, N_KV_HEADS, HEAD_DIM };

static void expect_cache(const conform_case *c, const conform_tensor *t, const void *before,
                         const float *x, conform_pool *pool, conform_truth *out)
{
    const int64_t heads = c->dim[N_KV_HEADS], head_dim = c->dim[HEAD_DIM];
    const int64_t max_pos = c->dim[FIRST_POS] + c->dim[ROWS] + c->dim[SLACK];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, head_dim);
    conform_truth_take(out, CLASS_RAW, (int64_t)t->bytes, pool);
    out->raw_mask = conform_pool_take(pool, t->bytes, 1);
    if (t->bytes == 0)
        return;
    memcpy(out->raw, before, t->bytes);
    memset(out->raw_mask, 0xff, t->bytes);
    for (int64_t i = c->dim[ROWS] * heads; i-- > 0;) {
        const int64_t row = i / heads, head = i % heads;
        const size_t at = (size_t)(head * max_pos + c->dim[FIRST_POS] + row) * row_bytes;
        conform_encode_row(c->dtype, x + i * head_dim, head_dim, out->raw + at, out->raw_mask + at);
    }
}

void conform_truth_kv_store(const conform_case *c, const conform_layout *l, void *const *data,
                            const conform_declared *declared, conform_pool *pool,
                            conform_truth *truth)
{
    const int k = conform_tensor_index(l, "k"), v = conform_tensor_index(l, "v");
    const int k_cache = conform_tensor_index(l, "k_cache");
    const int v_cache = conform_tensor_index(l, "v_cache");
    (void)declared;
    expect_cache(c, &l->t[k_cache], data[k_cache], data[k], pool, &truth[k_cache]);
    expect_cache(c, &l->t[v_cache], data[v_cache], data[v], pool, &truth[v_cache]);
}
