/*
 * A cache in pages (R5): the rows of a case, which are adjacent there, lie in pages of 16 to 256 rows anywhere in a
 * larger cache. In half of the calls they are a span after the pages of another sequence; sometimes a second span has
 * the same pages. Rows that no entry of the block table refers to hold NaN or, for kv_store, any bytes, which must
 * stay. The entry after the last row, which must not be read, is in a protected page. A page that kv_store writes may
 * also stand in an entry through which it does not write, such as that last one. In some calls page numbers are around
 * 2^16, in a cache whose other pages are read-only zeros.
 */
#include <string.h>

#include "declared.h"
#include "gen.h"
#include "paging.h"

static int64_t draw(const judge_run *r, int64_t what, int64_t least, int64_t most)
{
    return conform_integer(conform_stream_of(r->slot->c.seed, "in pages"), (uint64_t)what, least,
                           most);
}

/* Sets the paging arguments of a call of either op. */
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

/* The paged_cache for one cache of a call of either op. */
#define CACHE_OF(a, cache)                                                                         \
    ((paged_cache){.own = (unsigned char *)(uintptr_t)(a)->cache,                                  \
                   .n_heads = (a)->n_kv_heads,                                                     \
                   .own_rows = (a)->max_pos,                                                       \
                   .row = ifn_dtype_row_bytes((a)->cache_dtype, (a)->head_dim)})

/* --- tables that must be refused --- */

/* Expects a call with an illegal table to be refused. */
static void refuse(judge_run *r, const char *what)
{
    if (judge_failed(r) || ifn_op_check(r->slot->c.op, &r->call.args.call, NULL) != IFN_ERR_SHAPE)
        return;
    judge_must_be_refused(r, RUN_PAGES, what);
}

/* Makes the table a page too short for the case, and one of its first n_spoiled entries a page that the cache does not
 * have. A backend that accepts that entry must not write through it, as this would be anybody's memory. */
static void refuse_tables(judge_run *r, const paging *p, int64_t *n_pages, int64_t n_spoiled)
{
    const int32_t wrong[] = {(int32_t)(p->max_pos / p->page_rows), -1, INT32_MAX, INT32_MIN};
    if (p->is_far)
        return;
    *n_pages = p->lead + p->n - 1;
    refuse(r, "a table of a page too few");
    *n_pages = p->n_pages;
    if (n_spoiled < 1)
        return;
    int32_t *const entry = &p->table[p->lead + draw(r, 5, 0, n_spoiled - 1)];
    const int32_t page = *entry;
    *entry = wrong[draw(r, 6, 0, 3)];
    refuse(r, "a page that the cache does not have");
    *entry = page;
}

/* Makes the table one of pages of another size, which is none. All its entries are page 0, so that a backend which
 * accepts it stays inside the cache. */
static void refuse_sizes(judge_run *r, const paging *p, const int32_t **pages, int64_t *n_pages,
                         int64_t *page_rows)
{
    static const int64_t sizes[] = {8, 48, 24, 96, 512, 1};
    const int64_t size = sizes[draw(r, 7, 0, sizeof sizes / sizeof *sizes - 1)];
    if (p->is_far || size > p->max_pos)
        return;
    *n_pages = (p->lead + p->n_pages) * p->page_rows / size + 1;
    *pages = conform_pool_take(&r->judge->pool, (size_t)*n_pages, sizeof **pages);
    *page_rows = size;
    refuse(r, "pages of a size that is none");
    *pages = p->table;
    *n_pages = p->n_pages;
    *page_rows = p->page_rows;
}

/* --- attention --- */

/* Copies the rows of the case twice. */
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
    paging p = paging_draw(r, home.first_pos + home.rows, home.rows,
                           home.phase == IFN_ATTENTION_WHOLE, true);
    ifn_attention_args *const a = &r->call.args.attention;
    paged_cache k = CACHE_OF(&home, k_cache), v = CACHE_OF(&home, v_cache);
    if (!paging_take(r, &p, &k, &v))
        return;
    paging_carry(&p, &k, NULL, home.first_pos + home.rows, false);
    paging_carry(&p, &v, NULL, home.first_pos + home.rows, false);
    a->k_cache = k.data;
    a->v_cache = v.data;
    PUT_INTO_PAGES(a, &p);
    if (p.is_twice) {
        a->rows *= 2;
        a->q = doubled(r, home.q, n);
        a->out = doubled(r, home.out, n);
    }
    const float *const out = a->out;
    refuse_tables(r, &p, &a->n_pages, p.n);
    refuse_sizes(r, &p, &a->pages, &a->n_pages, &a->page_rows);
    judge_must_run(r, RUN_PAGES);
    paging_give_back(r, &p, &k, &v);
    for (size_t i = 0; i < (p.is_twice ? 2 : 1); i++) {
        if (p.is_twice)
            memcpy(home.out, out + i * n, n * sizeof *out);
        judge_relate(r, RUN_PAGES);
    }
}

/* --- kv_store --- */

/* The position of the case that each row of a head holds; -1: none. */
static int64_t *positions(judge_run *r, const paging *p, int64_t reach)
{
    int64_t *const pos_of = conform_pool_take(&r->judge->pool, (size_t)p->max_pos, sizeof *pos_of);
    for (int64_t i = 0; i < p->max_pos; i++)
        pos_of[i] = -1;
    for (int64_t pos = 0; pos < reach; pos++)
        pos_of[paging_row(p, pos)] = pos;
    return pos_of;
}

/* Repeats a page that the call writes in an entry before the written window or in the one after the table. The call
 * must still write the page once. */
static void name_twice(judge_run *r, const paging *p, int64_t reach, int64_t rows)
{
    const int64_t written = p->lead + (reach - rows) / p->page_rows;
    const int64_t of = draw(r, 2, written, p->lead + p->n - 1);
    const bool is_before = written > 0 && draw(r, 3, 0, 2) > 0;
    if (!p->block.data && !p->is_far)
        p->table[is_before ? draw(r, 4, 0, written - 1) : p->n_pages - 1] = p->table[of];
}

/* Fills rows that no page of the call has with any bytes; after the call (is_over) checks that they are unchanged. */
static void set_others(judge_run *r, const paging *p, const paged_cache *c, const int64_t *pos_of,
                       bool is_over)
{
    const conform_stream s = conform_stream_of(r->slot->c.seed, "paged cache");
    for (int64_t i = 0; i < c->n_heads * p->max_pos; i++) {
        const unsigned char byte = (unsigned char)conform_bits(s, (uint64_t)i);
        unsigned char *const here = c->data + (size_t)i * c->row;
        if (pos_of[i % p->max_pos] >= 0)
            continue;
        if (!is_over)
            memset(here, byte, c->row);
        else if (*here != byte || memcmp(here, here + 1, c->row - 1) != 0)
            conform_verdict_fail(r->verdict, CHECK_PAGES,
                                 "R5: %s: row %lld of the cache was written, which is in no page "
                                 "of the call",
                                 conform_run_name(RUN_PAGES), (long long)i);
    }
}

/* Copies the case's rows into the pages before the call, or back after it; and sets or checks all other rows, if the
 * pages between have memory. */
static void exchange(judge_run *r, const paging *p, const paged_cache *c, const int64_t *pos_of,
                     int64_t reach, bool is_over)
{
    if (pos_of)
        set_others(r, p, c, pos_of, is_over);
    paging_carry(p, c, pos_of, reach, is_over);
}

static void store_in_pages(judge_run *r)
{
    const ifn_kv_store_args home = r->call.args.kv_store;
    const int64_t reach = home.first_pos + home.rows;
    if (home.rows < 1 || home.n_kv_heads < 1 || home.head_dim < 1)
        return;
    paging p = paging_draw(r, reach, home.rows, false, draw(r, 1, 0, 1) == 0);
    name_twice(r, &p, reach, home.rows);
    const int64_t *const pos_of = p.is_far ? NULL : positions(r, &p, reach);
    ifn_kv_store_args *const a = &r->call.args.kv_store;
    paged_cache k = CACHE_OF(&home, k_cache), v = CACHE_OF(&home, v_cache);
    if (!paging_take(r, &p, &k, &v))
        return;
    exchange(r, &p, &k, pos_of, reach, false);
    exchange(r, &p, &v, pos_of, reach, false);
    a->k_cache = k.data;
    a->v_cache = v.data;
    PUT_INTO_PAGES(a, &p);
    refuse_tables(r, &p, &a->n_pages, home.first_pos / p.page_rows);
    refuse_sizes(r, &p, &a->pages, &a->n_pages, &a->page_rows);
    judge_must_run(r, RUN_PAGES);
    exchange(r, &p, &k, pos_of, reach, true);
    exchange(r, &p, &v, pos_of, reach, true);
    paging_give_back(r, &p, &k, &v);
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
