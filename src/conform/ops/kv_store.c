/* kv_store: new K and V rows into the cache, converted to its dtype */
#include <string.h>

#include "attention_dims.h"
#include "encode.h"
#include "gen_ties.h"

enum { ROWS, FIRST_POS, SLACK, N_KV_HEADS, HEAD_DIM };

/* The truth of a cache: its bytes before the call, with the pinned encoding of each new row in its place. */
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

/* slack: positions of the cache after the new rows */
static int64_t max_pos(const conform_case *c)
{
    return c->dim[FIRST_POS] + c->dim[ROWS] + c->dim[SLACK];
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t heads = c->dim[N_KV_HEADS], head_dim = c->dim[HEAD_DIM];
    if (!conform_is_cache_dtype(c->dtype) || head_dim % ifn_dtype_block_elements(c->dtype) != 0)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "k", ROLE_IN, c->dim[ROWS] * heads, head_dim);
    conform_add_f32(out, "v", ROLE_IN, c->dim[ROWS] * heads, head_dim);
    conform_add_blocks(out, "k_cache", ROLE_INOUT, c->dtype, heads * max_pos(c), head_dim);
    conform_add_blocks(out, "v_cache", ROLE_INOUT, c->dtype, heads * max_pos(c), head_dim);
    return IFN_OK;
}

/* The cache holds random bytes before the call; those outside the new rows must stay. */
static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    for (int t = 0; t < 2; t++)
        if (c->family == FAMILY_TIES)
            conform_fill_ties(c, l->t[t].name, c->dtype, data[t], l->t[t].rows * l->t[t].cols);
        else
            conform_fill_f32(c, l->t[t].name, OPERAND_PLAIN, 1, data[t], l->t[t].rows, l->t[t].cols,
                             l->t[t].stride);
    for (int t = 2; t < 4; t++) {
        const conform_stream s = conform_stream_of(c->seed, l->t[t].name);
        for (size_t i = 0; i < l->t[t].bytes; i++)
            ((unsigned char *)data[t])[i] = (unsigned char)conform_bits(s, i);
    }
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    (void)data;
    call->args.kv_store.max_pos = max_pos(c);
}

static int64_t work(const conform_case *c)
{
    return max_pos(c) * c->dim[N_KV_HEADS] * c->dim[HEAD_DIM];
}

const conform_module conform_module_kv_store = {
    .op = IFN_OP_KV_STORE,
    .dim_names = {"rows", "first_pos", "slack", "n_kv_heads", "head_dim"},
    .block_dim = "head_dim",
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_kv_store,
    .work = work,
    .model_sizes = "rows=1,first_pos=511,n_kv_heads=8,head_dim=128;"
                   "rows=64,first_pos=448,n_kv_heads=8,head_dim=128",
    .model_dtypes = "F32,F16,Q8_0",
};
