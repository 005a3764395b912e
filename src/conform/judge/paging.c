#include "paging.h"

#include <string.h>

#include "gen.h"

enum {
    SIZES = 5,    /* 16, 32, .. 256 rows */
    LEADING = 2,  /* pages of another sequence before the case's pages, at most */
    SPARE = 3,    /* pages that belong to no sequence, at most */
    TAIL = 3,     /* rows of a head after the last whole page, at most */
    FAR_TURN = 4, /* one call in 4 has pages with numbers around FAR, */
    FAR = 1 << 16,
    FAR_PAGES = 64 /* if it has no more than this: each is a mapping in every head */
};

static int64_t draw(const judge_run *r, int64_t what, int64_t least, int64_t most)
{
    return conform_integer(conform_stream_of(r->slot->c.seed, "pages"), (uint64_t)what, least,
                           most);
}

/* Draws the order of pages: any order; or, in one case of four, ascending, but for one page between the first and the
 * last. */
static const int64_t *draw_order(judge_run *r, const paging *p, int64_t all)
{
    int64_t *const order = judge_shuffled(r, "page order", all);
    if (p->n < 3 || draw(r, 6, 0, 3) > 0)
        return order;
    for (int64_t i = 0; i < all; i++)
        order[i] = i;
    order[all - 1] = p->lead + draw(r, 7, 1, p->n - 2);
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

paging paging_draw(judge_run *r, int64_t reach, int64_t rows, bool may_be_twice, bool is_protected)
{
    paging p = {.page_rows = (int64_t)IFN_PAGE_ROWS_LEAST << draw(r, 0, 0, SIZES - 1)};
    p.n = (reach + p.page_rows - 1) / p.page_rows;
    p.lead = draw(r, 1, 0, 1) ? draw(r, 2, 1, LEADING) : 0;
    p.is_twice = may_be_twice && p.lead > 0 && draw(r, 3, 0, 1);
    const int64_t all = p.lead + p.n + draw(r, 4, 1, SPARE);
    const int64_t *const order = draw_order(r, &p, all);
    p.is_far = draw(r, 8, 1, FAR_TURN) == 1 && p.n <= FAR_PAGES && !r->judge->image.device &&
               far_map_has_room();
    const int64_t before = p.is_far ? FAR - draw(r, 9, 0, 1) * draw(r, 10, 0, all - 1) : 0;
    p.max_pos = (before + all) * p.page_rows + draw(r, 5, 0, TAIL);
    p.n_pages = p.lead + (p.is_twice ? 2 : 1) * p.n + 1;
    p.table = place_table(r, &p, is_protected);
    for (int64_t i = 0; i < p.n_pages - 1; i++)
        p.table[i] = (int32_t)(before + order[i < p.lead + p.n ? i : i - p.n]);
    for (int i = 0; i < 2; i++)
        p.spans[i] = (ifn_span){(p.lead + i * p.n) * p.page_rows, reach - rows, rows};
    return p;
}

int64_t paging_row(const paging *p, int64_t pos)
{
    return ifn_page_row(p->table + p->lead, p->page_rows, pos);
}

static size_t cache_bytes(const paging *p, const paged_cache *c)
{
    return (size_t)(c->n_heads * p->max_pos) * c->row;
}

void paging_carry(const paging *p, const paged_cache *c, const int64_t *pos_of, int64_t reach,
                  bool back)
{
    for (int64_t i = 0; i < c->n_heads * reach; i++) {
        const int64_t head = i / reach, pos = i % reach, row = paging_row(p, pos);
        unsigned char *const own = c->own + (size_t)(head * c->own_rows + pos) * c->row;
        unsigned char *const there = c->data + (size_t)(head * p->max_pos + row) * c->row;
        if (!pos_of || pos_of[row] == pos)
            memcpy(back ? own : there, back ? there : own, c->row);
    }
}

/* Maps a far cache: only the case's pages are writable, and all others are zeros. */
static bool open_far(judge_run *r, const paging *p, paged_cache *c)
{
    if (!far_map_open(&c->map, cache_bytes(p, c), r->overread))
        return false;
    for (int64_t i = 0; i < c->n_heads * p->n; i++) {
        const int64_t row = i / p->n * p->max_pos + paging_row(p, i % p->n * p->page_rows);
        if (!far_map_allow(&c->map, (size_t)row * c->row, (size_t)p->page_rows * c->row, true))
            return false;
    }
    c->data = c->map.at;
    return true;
}

/* Maps both far caches; returns false without room. */
static bool open_both(judge_run *r, const paging *p, paged_cache *k, paged_cache *v)
{
    if (!open_far(r, p, k) || !open_far(r, p, v))
        return false;
    const conform_layout *const l = &r->slot->layout;
    judge_tell_far(r, conform_tensor_index(l, "k_cache"), k->data, cache_bytes(p, k),
                   &k->map.region);
    judge_tell_far(r, conform_tensor_index(l, "v_cache"), v->data, cache_bytes(p, v),
                   &v->map.region);
    return true;
}

static void take_near(judge_run *r, const paging *p, paged_cache *c)
{
    const size_t bytes = cache_bytes(p, c);
    c->data = conform_pool_take_raw(&r->judge->pool, bytes, 1);
    memset(c->data, 0xff, bytes);
}

void paging_give_back(judge_run *r, paging *p, paged_cache *k, paged_cache *v)
{
    far_map_close(&k->map);
    far_map_close(&v->map);
    judge_tell_tensors(r);
    judge_tell_pages(r, NULL);
    if (p->block.data)
        guard_block_give_back(&p->block);
}

bool paging_take(judge_run *r, paging *p, paged_cache *k, paged_cache *v)
{
    if (!p->is_far) {
        take_near(r, p, k);
        take_near(r, p, v);
    } else if (!open_both(r, p, k, v)) {
        paging_give_back(r, p, k, v);
        return false;
    }
    return true;
}
