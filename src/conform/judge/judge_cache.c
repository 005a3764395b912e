/*
 * Relations of the ops on positions: a prefill in chunks (R3), heads in another order (R8), a cache of another length
 * (R5) and one that held more before (R9).
 */
#include <string.h>

#include "gen.h"
#include "judge_device.h"

/* A KV cache in memory of its own. Unused rows are NaN in every dtype. */
typedef struct cache {
    unsigned char *data;
    int64_t max_pos;
} cache;

static const ifn_attention_args *attention_of(const judge_run *r)
{
    return &r->call.args.attention;
}

static size_t cache_row_bytes(const ifn_attention_args *a)
{
    return ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
}

static unsigned char *row_in(const cache *c, size_t row_bytes, int64_t head, int64_t pos)
{
    return c->data + (size_t)(head * c->max_pos + pos) * row_bytes;
}

static cache empty_cache(judge_run *r, const void *like, int64_t max_pos)
{
    const ifn_attention_args *a = attention_of(r);
    const size_t rows = (size_t)(a->n_kv_heads * max_pos), row_bytes = cache_row_bytes(a);
    const cache c = {judge_take_like(r, like, rows * row_bytes), max_pos};
    memset(c.data, 0xff, rows * row_bytes);
    return c;
}

/* Copies positions [begin, end) of all heads, head h from head heads[h] of `from` (heads NULL: from h). */
static void fill_cache(const judge_run *r, const cache *c, const void *from, int64_t begin,
                       int64_t end, const int64_t *heads)
{
    const ifn_attention_args *a = attention_of(r);
    const size_t row_bytes = cache_row_bytes(a);
    const cache old = {(unsigned char *)(uintptr_t)from, a->max_pos};
    for (int64_t h = 0; h < a->n_kv_heads && end > begin; h++)
        memcpy(row_in(c, row_bytes, h, begin), row_in(&old, row_bytes, heads ? heads[h] : h, begin),
               (size_t)(end - begin) * row_bytes);
}

static void use_caches(judge_run *r, const cache *k, const cache *v)
{
    ifn_attention_args *a = &r->call.args.attention;
    a->k_cache = k->data;
    a->v_cache = v->data;
    a->max_pos = k->max_pos;
}

/* Binds the call for `check`; returns 0 if it is not this case's turn, or if there is nothing to compare. */
static int start(judge_run *r, conform_check check)
{
    if (!judge_is_due(r, check))
        return 0;
    judge_start(r);
    const ifn_attention_args *a = attention_of(r);
    return r->slot->c.op != IFN_OP_ATTENTION || (a->rows > 0 && a->n_heads > 0 && a->head_dim > 0);
}

/* Draws the borders of three chunks, the middle one a single row. */
static void draw_chunks(const judge_run *r, int64_t rows, int64_t borders[4])
{
    const int64_t one =
        conform_integer(conform_stream_of(r->slot->c.seed, "chunk"), 0, 0, rows - 1);
    borders[0] = 0;
    borders[1] = one;
    borders[2] = one + 1;
    borders[3] = rows;
}

/* --- R3 --- */

/* Attends in three chunks. During each the cache holds the rows stored before it, and its own. */
static void attend_in_chunks(judge_run *r)
{
    int64_t borders[4];
    if (!start(r, CHECK_CHUNKS) || attention_of(r)->rows < 2)
        return;
    const ifn_args all = r->call.args;
    const ifn_attention_args *a = &all.attention;
    const cache k = empty_cache(r, a->k_cache, a->max_pos),
                v = empty_cache(r, a->v_cache, a->max_pos);
    fill_cache(r, &k, a->k_cache, 0, a->first_pos, NULL);
    fill_cache(r, &v, a->v_cache, 0, a->first_pos, NULL);
    draw_chunks(r, a->rows, borders);
    for (int i = 0; i < 3; i++) {
        const int64_t begin = borders[i], end = borders[i + 1];
        if (begin == end)
            continue;
        r->call.args = all;
        fill_cache(r, &k, a->k_cache, a->first_pos + begin, a->first_pos + end, NULL);
        fill_cache(r, &v, a->v_cache, a->first_pos + begin, a->first_pos + end, NULL);
        use_caches(r, &k, &v);
        ifn_attention_args *chunk = &r->call.args.attention;
        chunk->q += begin * a->n_heads * a->head_dim;
        chunk->out += begin * a->n_heads * a->head_dim;
        chunk->first_pos += begin;
        chunk->rows = end - begin;
        judge_must_run(r, RUN_CHUNKS);
    }
    r->call.args = all;
    judge_relate_first(r, RUN_CHUNKS, borders[1] > 0 ? borders[1] : 1);
}

static void store_in_chunks(judge_run *r)
{
    int64_t borders[4];
    if (!start(r, CHECK_CHUNKS) || r->call.args.kv_store.rows < 2)
        return;
    const ifn_args all = r->call.args;
    const ifn_kv_store_args *a = &all.kv_store;
    draw_chunks(r, a->rows, borders);
    for (int i = 0; i < 3; i++) {
        if (borders[i] == borders[i + 1])
            continue;
        r->call.args = all;
        ifn_kv_store_args *chunk = &r->call.args.kv_store;
        chunk->k += borders[i] * a->n_kv_heads * a->head_dim;
        chunk->v += borders[i] * a->n_kv_heads * a->head_dim;
        chunk->first_pos += borders[i];
        chunk->rows = borders[i + 1] - borders[i];
        judge_must_run(r, RUN_CHUNKS);
    }
    judge_relate(r, RUN_CHUNKS);
}

/* Rotates every row by apply_rope_single_row, as a decode step would. */
static ifn_status rotate_each(judge_run *r)
{
    const ifn_apply_rope_args *a = &r->call.args.apply_rope;
    ifn_apply_rope_single_row_args one = IFN_ARGS(apply_rope_single_row, .n_heads = a->n_heads,
                                                  .head_dim = a->head_dim, .pairing = a->pairing);
    const uint32_t bytes = one.call.bytes;
    one.call = a->call;
    one.call.bytes = bytes;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t row = a->n_heads * a->head_dim;
        one.x = a->x + i * row;
        one.out = a->out + i * row;
        one.table = a->table + i * a->head_dim;
        IFN_TRY(judge_enter_other(r, IFN_OP_APPLY_ROPE_SINGLE_ROW, &one.call, RUN_CHUNKS));
    }
    return IFN_OK;
}

/* Rotates the row of the case by apply_rope. */
static ifn_status rotate_rows(judge_run *r)
{
    const ifn_apply_rope_single_row_args *a = &r->call.args.apply_rope_single_row;
    ifn_apply_rope_args rows =
        IFN_ARGS(apply_rope, .out = a->out, .x = a->x, .table = a->table, .rows = 1,
                 .n_heads = a->n_heads, .head_dim = a->head_dim, .pairing = a->pairing);
    const uint32_t bytes = rows.call.bytes;
    rows.call = a->call;
    rows.call.bytes = bytes;
    return judge_enter_other(r, IFN_OP_APPLY_ROPE, &rows.call, RUN_CHUNKS);
}

/* Computes the case by the other of the two ops. */
static void rotate_otherwise(judge_run *r, judge_pair pair)
{
    if (!start(r, CHECK_CHUNKS))
        return;
    const ifn_status status = pair.other(r);
    if (status == IFN_ERR_UNSUPPORTED)
        return; /* counted where that op is judged */
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_CHUNKS, "R3: %s returned %s", ifn_op_name(pair.op),
                             ifn_status_name(status));
    judge_owe(r, RUN_CHUNKS, pair);
}

void judge_chunks(judge_run *r)
{
    if (r->slot->c.op == IFN_OP_ATTENTION)
        attend_in_chunks(r);
    else if (r->slot->c.op == IFN_OP_KV_STORE)
        store_in_chunks(r);
    else if (r->slot->c.op == IFN_OP_APPLY_ROPE)
        rotate_otherwise(r, (judge_pair){IFN_OP_APPLY_ROPE_SINGLE_ROW, rotate_each});
    else if (r->slot->c.op == IFN_OP_APPLY_ROPE_SINGLE_ROW)
        rotate_otherwise(r, (judge_pair){IFN_OP_APPLY_ROPE, rotate_rows});
}

/* --- R5, R9 --- */

enum { MORE = 3 };

static int64_t visible_of(const judge_run *r)
{
    return attention_of(r)->first_pos + attention_of(r)->rows;
}

/* Makes caches of `max_pos` positions with the content of the case's. */
static void move_caches(judge_run *r, cache *k, cache *v, int64_t max_pos, const int64_t *heads)
{
    *k = empty_cache(r, attention_of(r)->k_cache, max_pos);
    *v = empty_cache(r, attention_of(r)->v_cache, max_pos);
    fill_cache(r, k, attention_of(r)->k_cache, 0, visible_of(r), heads);
    fill_cache(r, v, attention_of(r)->v_cache, 0, visible_of(r), heads);
}

/* Tries a cache of the visible positions alone or, if the case has that one, of MORE more. */
void judge_view_of_cache(judge_run *r)
{
    cache k, v;
    if (!start(r, CHECK_VIEW))
        return;
    const int64_t visible = visible_of(r);
    move_caches(r, &k, &v, attention_of(r)->max_pos > visible ? visible : visible + MORE, NULL);
    use_caches(r, &k, &v);
    judge_must_run(r, RUN_VIEW);
    judge_relate(r, RUN_VIEW);
}

/* Fills the rows after the visible ones with valid rows of other positions, as a truncated cache still holds them. */
static void leave_stale_rows(const judge_run *r, const cache *c)
{
    const size_t row_bytes = cache_row_bytes(attention_of(r));
    const int64_t visible = visible_of(r);
    for (int64_t h = 0; h < attention_of(r)->n_kv_heads; h++)
        for (int64_t pos = visible; pos < c->max_pos; pos++)
            memcpy(row_in(c, row_bytes, h, pos), row_in(c, row_bytes, h, (pos * 7 + 3) % visible),
                   row_bytes);
}

void judge_truncated(judge_run *r)
{
    cache k, v;
    if (r->slot->c.op != IFN_OP_ATTENTION || !start(r, CHECK_TRUNCATED))
        return;
    const int64_t shortest = visible_of(r) + MORE, max_pos = attention_of(r)->max_pos;
    move_caches(r, &k, &v, max_pos > shortest ? max_pos : shortest, NULL);
    leave_stale_rows(r, &k);
    leave_stale_rows(r, &v);
    use_caches(r, &k, &v);
    judge_must_run(r, RUN_TRUNCATED);
    judge_relate(r, RUN_TRUNCATED);
}

/* --- R8 --- */

/* The case's query head that is head h of the permuted call: KV heads are permuted, and the query heads of each group
 * are rotated by one. */
static int64_t old_head(const ifn_attention_args *a, const int64_t *kv_heads, int64_t h)
{
    const int64_t group = a->n_heads / a->n_kv_heads;
    return kv_heads[h / group] * group + (h + 1) % group;
}

static void permute_heads(const ifn_attention_args *a, const int64_t *kv_heads, const float *from,
                          float *to, int back)
{
    const size_t bytes = (size_t)a->head_dim * sizeof *from;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t h = 0; h < a->n_heads; h++) {
            const int64_t here = (i * a->n_heads + h) * a->head_dim;
            const int64_t there = (i * a->n_heads + old_head(a, kv_heads, h)) * a->head_dim;
            memcpy(to + (back ? there : here), from + (back ? here : there), bytes);
        }
}

void judge_permuted_heads(judge_run *r)
{
    cache k, v;
    if (!start(r, CHECK_PERMUTED))
        return;
    const ifn_attention_args home = *attention_of(r);
    const size_t n = (size_t)(home.rows * home.n_heads * home.head_dim);
    float *q = conform_pool_take(&r->judge->pool, n, sizeof *q);
    float *out = conform_pool_take(&r->judge->pool, n, sizeof *out);
    const int64_t *heads = judge_shuffled(r, "permutation", home.n_kv_heads);
    move_caches(r, &k, &v, home.max_pos, heads);
    permute_heads(&home, heads, home.q, q, 0);
    use_caches(r, &k, &v);
    r->call.args.attention.q = q;
    r->call.args.attention.out = out;
    judge_must_run(r, RUN_PERMUTED);
    permute_heads(&home, heads, out, home.out, 1);
    judge_relate(r, RUN_PERMUTED);
}
