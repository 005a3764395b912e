/*
 * A cache in pages (R5): the rows of a case, side by side there, in pages of 16 to 256 rows at any
 * places of a larger cache. In half of the calls they are a span that comes after the pages of
 * another sequence; sometimes a second one has the same pages. What no entry of the block table
 * names is NaN, or for kv_store any bytes, which must stay. An entry past the last row, which is not read, is in a
 * protected page. A page that kv_store writes may stand in an entry that is not written, too; there it may be that one.
 */
#include <string.h>

#include <inferno/spans.h>

#include "declared.h"
#include "gen.h"
#include "judge_run.h"

enum {
    SIZES = 5,   /* 16, 32, .. 256 rows */
    LEADING = 2, /* pages of another sequence before the case's, at most */
    SPARE = 3,   /* pages that nobody has, at most */
    TAIL = 3     /* rows of a head after the last whole page, at most */
};

typedef struct paging {
    int64_t page_rows, n, lead; /* entries: `lead` of another sequence, then n of the case's */
    int64_t n_pages, max_pos;
    bool is_twice;     /* the case's entries stand in the table once more */
    int32_t *table;    /* [n_pages], of which the last is not read */
    guard_block block; /* holds all entries of the table but the last; no data: the pool does */
    ifn_span spans[2];
} paging;

static int64_t draw(const judge_run *r, int64_t what, int64_t least, int64_t most)
{
    return conform_integer(conform_stream_of(r->slot->c.seed, "pages"), (uint64_t)what, least,
                           most);
}

/* Which page comes where: any; or in a case of four one after the other, but for one between the first and the last. */
static const int64_t *draw_order(judge_run *r, const paging *p, int64_t all)
{
    int64_t *const order = judge_shuffled(r, "page order", all);
    if (p->n < 3 || draw(r, 11, 0, 3) > 0)
        return order;
    for (int64_t i = 0; i < all; i++)
        order[i] = i;
    order[all - 1] = p->lead + draw(r, 12, 1, p->n - 2);
    order[order[all - 1]] = all - 1;
    return order;
}

static int32_t *place_table(judge_run *r, paging *p, bool is_protected)
{
    const size_t n = (size_t)p->n_pages, bytes = (n - 1) * sizeof *p->table;
    if (is_protected && guard_protects() &&
        guard_block_take(&p->block, bytes, sizeof *p->table, r->overread)) {
        judge_tell_pages(r, &p->block);
        return (int32_t *)(void *)p->block.data;
    }
    int32_t *const table = conform_pool_take(&r->judge->pool, n, sizeof *table);
    table[n - 1] = -1;
    return table;
}

static void put_away(judge_run *r, paging *p)
{
    judge_tell_pages(r, NULL);
    if (p->block.data)
        guard_block_give_back(&p->block);
}

/* For a call that reaches positions [0, reach), the last `rows` of which are its own. */
static paging draw_pages(judge_run *r, int64_t reach, int64_t rows, bool may_be_twice,
                         bool is_protected)
{
    paging p = {.page_rows = (int64_t)IFN_PAGE_ROWS_LEAST << draw(r, 0, 0, SIZES - 1)};
    p.n = (reach + p.page_rows - 1) / p.page_rows;
    p.lead = draw(r, 1, 0, 1) ? draw(r, 2, 1, LEADING) : 0;
    p.is_twice = may_be_twice && p.lead > 0 && draw(r, 3, 0, 1);
    const int64_t all = p.lead + p.n + draw(r, 4, 1, SPARE);
    const int64_t *const order = draw_order(r, &p, all);
    p.max_pos = all * p.page_rows + draw(r, 5, 0, TAIL);
    p.n_pages = p.lead + (p.is_twice ? 2 : 1) * p.n + 1;
    p.table = place_table(r, &p, is_protected);
    for (int64_t i = 0; i < p.n_pages - 1; i++)
        p.table[i] = (int32_t)order[i < p.lead + p.n ? i : i - p.n];
    for (int i = 0; i < 2; i++)
        p.spans[i] = (ifn_span){(p.lead + i * p.n) * p.page_rows, reach - rows, rows};
    return p;
}

/* Where a position of the case is in each head. */
static int64_t row_of(const paging *p, int64_t pos)
{
    return ifn_page_row(p->table + p->lead, p->page_rows, pos);
}

/* What a call of either op says of its pages. */
#define PUT_INTO_PAGES(a, p)                                                                       \
    do {                                                                                           \
        (a)->max_pos = (p)->max_pos;                                                               \
        (a)->pages = (p)->table;                                                                   \
        (a)->n_pages = (p)->n_pages;                                                               \
        (a)->page_rows = (p)->page_rows;                                                           \
        (a)->first_pos = (p)->lead > 0 ? 0 : (a)->first_pos;                                       \
        (a)->spans = (p)->lead > 0 ? (p)->spans : NULL;                                            \
        (a)->n_spans = (p)->lead == 0 ? 0 : (p)->is_twice ? 2 : 1;                                 \
    } while (0)

/* --- attention --- */

static const unsigned char *paged_cache(judge_run *r, const paging *p, const ifn_attention_args *a,
                                        const void *own)
{
    const size_t row = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const size_t rows = (size_t)(a->n_kv_heads * p->max_pos);
    unsigned char *const all = conform_pool_take(&r->judge->pool, rows, row);
    memset(all, 0xff, rows * row);
    for (int64_t h = 0; h < a->n_kv_heads; h++)
        for (int64_t pos = 0; pos < a->first_pos + a->rows; pos++)
            memcpy(all + (size_t)(h * p->max_pos + row_of(p, pos)) * row,
                   (const unsigned char *)own + (size_t)(h * a->max_pos + pos) * row, row);
    return all;
}

/* The rows of the case twice. */
static float *doubled(judge_run *r, const float *own, size_t n)
{
    float *const all = conform_pool_take(&r->judge->pool, 2 * n, sizeof *all);
    memcpy(all, own, n * sizeof *all);
    memcpy(all + n, own, n * sizeof *all);
    return all;
}

static void attend_in_pages(judge_run *r)
{
    const ifn_attention_args home = r->call.args.attention;
    const size_t n = (size_t)(home.rows * home.n_heads * home.head_dim);
    if (home.rows < 1 || n == 0)
        return;
    paging p = draw_pages(r, home.first_pos + home.rows, home.rows,
                          home.phase == IFN_ATTENTION_WHOLE, true);
    ifn_attention_args *const a = &r->call.args.attention;
    a->k_cache = paged_cache(r, &p, &home, home.k_cache);
    a->v_cache = paged_cache(r, &p, &home, home.v_cache);
    PUT_INTO_PAGES(a, &p);
    if (p.is_twice) {
        a->rows *= 2;
        a->q = doubled(r, home.q, n);
        a->out = doubled(r, home.out, n);
    }
    const float *const out = a->out;
    judge_must_run(r, RUN_PAGES);
    put_away(r, &p);
    if (p.is_twice)
        memcpy(home.out, out + (draw(r, 6, 0, 1) ? n : 0), n * sizeof *out);
    judge_relate(r, RUN_PAGES);
}

/* --- kv_store --- */

/* The position of the case that each row of a head holds; -1: none. */
static int64_t *positions(judge_run *r, const paging *p, int64_t reach)
{
    int64_t *const pos_of = conform_pool_take(&r->judge->pool, (size_t)p->max_pos, sizeof *pos_of);
    for (int64_t i = 0; i < p->max_pos; i++)
        pos_of[i] = -1;
    for (int64_t pos = 0; pos < reach; pos++)
        pos_of[row_of(p, pos)] = pos;
    return pos_of;
}

/* An entry before the window, of whoever it is, or past the last row is that of a page which is
 * written: it is written once, which is all that is asked. */
static void name_twice(judge_run *r, const paging *p, int64_t reach, int64_t rows)
{
    const int64_t written = p->lead + (reach - rows) / p->page_rows;
    const int64_t of = draw(r, 8, written, p->lead + p->n - 1);
    const bool is_before = written > 0 && draw(r, 9, 0, 2) > 0;
    if (!p->block.data)
        p->table[is_before ? draw(r, 10, 0, written - 1) : p->n_pages - 1] = p->table[of];
}

/* What the case's cache holds into its pages, and bytes of anything elsewhere. With `back` the
 * pages go back, and all else must be as it was. */
static void exchange(judge_run *r, const paging *p, const int64_t *pos_of,
                     const ifn_kv_store_args *home, void *own, unsigned char *all, bool back)
{
    const size_t row = ifn_dtype_row_bytes(home->cache_dtype, home->head_dim);
    const conform_stream s = conform_stream_of(r->slot->c.seed, "paged cache");
    for (int64_t i = 0; i < home->n_kv_heads * p->max_pos; i++) {
        const int64_t pos = pos_of[i % p->max_pos];
        const unsigned char byte = (unsigned char)conform_bits(s, (uint64_t)i);
        unsigned char *const here = all + (size_t)i * row;
        unsigned char *const there =
            (unsigned char *)own +
            (size_t)(i / p->max_pos * home->max_pos + (pos < 0 ? 0 : pos)) * row;
        if (pos >= 0)
            memcpy(back ? there : here, back ? here : there, row);
        else if (!back)
            memset(here, byte, row);
        else if (*here != byte || memcmp(here, here + 1, row - 1) != 0)
            conform_verdict_fail(r->verdict, CHECK_PAGES,
                                 "R5: %s: row %lld of the cache was written, which is in no page "
                                 "of the call",
                                 conform_run_name(RUN_PAGES), (long long)i);
    }
}

static void store_in_pages(judge_run *r)
{
    const ifn_kv_store_args home = r->call.args.kv_store;
    const int64_t reach = home.first_pos + home.rows;
    if (home.rows < 1 || home.n_kv_heads < 1 || home.head_dim < 1)
        return;
    paging p = draw_pages(r, reach, home.rows, false, draw(r, 7, 0, 1) == 0);
    name_twice(r, &p, reach, home.rows);
    const int64_t *const pos_of = positions(r, &p, reach);
    const size_t rows = (size_t)(home.n_kv_heads * p.max_pos);
    const size_t row = ifn_dtype_row_bytes(home.cache_dtype, home.head_dim);
    ifn_kv_store_args *const a = &r->call.args.kv_store;
    a->k_cache = conform_pool_take(&r->judge->pool, rows, row);
    a->v_cache = conform_pool_take(&r->judge->pool, rows, row);
    unsigned char *const k = a->k_cache, *const v = a->v_cache;
    exchange(r, &p, pos_of, &home, home.k_cache, k, false);
    exchange(r, &p, pos_of, &home, home.v_cache, v, false);
    PUT_INTO_PAGES(a, &p);
    judge_must_run(r, RUN_PAGES);
    put_away(r, &p);
    exchange(r, &p, pos_of, &home, home.k_cache, k, true);
    exchange(r, &p, pos_of, &home, home.v_cache, v, true);
    judge_relate(r, RUN_PAGES);
}

void judge_pages(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    if ((op != IFN_OP_ATTENTION && op != IFN_OP_KV_STORE) ||
        !conform_takes_pages(r->judge->backend, op) || !judge_is_due(r, CHECK_PAGES))
        return;
    judge_start(r);
    if (op == IFN_OP_ATTENTION)
        attend_in_pages(r);
    else
        store_in_pages(r);
}
