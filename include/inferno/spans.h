/*
 * Helpers that run a call with spans one span at a time, for backends whose kernels know one sequence, and
 * that find the rows of a cache in pages. Inline, as a plugin links nothing.
 *
 * Stability: stable, and part of the plugin ABI; inline, so that a plugin has what it was built with.
 */
#ifndef INFERNO_SPANS_H
#define INFERNO_SPANS_H

#include <stdbool.h>

#include <inferno/backend.h>

IFN_EXTERN_C_BEGIN

/* Bytes of a row of a KV cache: head_dim elements of F32, F16 or Q8_0. */
static inline int64_t ifn_cache_row_bytes(ifn_dtype dtype, int64_t head_dim)
{
    if (dtype == IFN_DTYPE_Q8_0)
        return head_dim / 32 * (int64_t)sizeof(ifn_block_q8_0);
    return head_dim * (dtype == IFN_DTYPE_F16 ? 2 : 4);
}

static inline bool ifn_span_fits(const ifn_span *s, int64_t max_pos)
{
    return s->begin >= 0 && s->first_pos >= 0 && s->rows >= 0 && s->begin <= max_pos &&
           s->first_pos <= max_pos - s->begin && s->rows <= max_pos - s->begin - s->first_pos;
}

/* Rows of a head that a call can address: those of its pages, or all max_pos rows without pages. */
static inline int64_t ifn_cache_extent(int64_t n_pages, int64_t page_rows, int64_t max_pos)
{
    if (page_rows <= 0)
        return max_pos;
    return n_pages > INT64_MAX / page_rows ? INT64_MAX : n_pages * page_rows;
}

static inline bool ifn_is_page_size(int64_t rows)
{
    return rows >= IFN_PAGE_ROWS_LEAST && rows <= IFN_PAGE_ROWS_MOST && (rows & (rows - 1)) == 0;
}

/* Whether this block table is legal for a call that reaches rows [0, end); a call without pages is, too. */
static inline bool ifn_pages_fit(const int32_t *pages, int64_t n_pages, int64_t page_rows,
                                 int64_t max_pos, int64_t end)
{
    if (page_rows == 0)
        return n_pages == 0;
    if (!ifn_is_page_size(page_rows) || n_pages < 0 || (end > 0 && !pages) ||
        end > ifn_cache_extent(n_pages, page_rows, max_pos))
        return false;
    for (int64_t i = 0; i < n_pages && i * page_rows < end; i++)
        if (pages[i] < 0 || pages[i] >= max_pos / page_rows)
            return false;
    return true;
}

/* The row in memory, in each head, of the call's logical row `row`. */
static inline int64_t ifn_page_row(const int32_t *pages, int64_t page_rows, int64_t row)
{
    return page_rows > 0 ? pages[row / page_rows] * page_rows + row % page_rows : row;
}

/* Whether this list of spans is legal for a call of `rows` rows. It does not look for overlaps of spans. */
static inline bool ifn_spans_fit(const ifn_span *spans, int64_t n_spans, int64_t rows,
                                 int64_t first_pos, int64_t max_pos)
{
    if (n_spans < 0 || !spans || first_pos != 0)
        return false;
    for (int64_t i = 0; i < n_spans; i++) {
        if (!ifn_span_fits(&spans[i], max_pos) || spans[i].rows > rows)
            return false;
        rows -= spans[i].rows;
    }
    return rows == 0;
}

/* The number of key blocks that the last row sees; of several spans, that of the longest. */
static inline int64_t ifn_attention_n_blocks(const ifn_attention_args *a)
{
    uint64_t keys = (uint64_t)a->first_pos + (uint64_t)a->rows; /* arbitrary if not yet checked */
    for (int64_t i = 0; i < a->n_spans; i++) {
        const uint64_t end = (uint64_t)a->spans[i].first_pos + (uint64_t)a->spans[i].rows;
        keys = i == 0 || end > keys ? end : keys;
    }
    const int64_t n = (int64_t)keys;
    return n / IFN_ATTENTION_BLOCK + (n % IFN_ATTENTION_BLOCK != 0);
}

/* ifn_spans_fit for any cache: with pages, each span must begin at a page, so that it has its own entries. */
static inline bool ifn_spans_fit_cache(const ifn_span *spans, int64_t n_spans, int64_t rows,
                                       int64_t first_pos, int64_t n_pages, int64_t page_rows,
                                       int64_t max_pos)
{
    for (int64_t i = 0; page_rows > 0 && spans && i < n_spans; i++)
        if (spans[i].begin % page_rows != 0)
            return false;
    return ifn_spans_fit(spans, n_spans, rows, first_pos,
                         ifn_cache_extent(n_pages, page_rows, max_pos));
}

/* How many entries of the block table lie before a span (0 without pages), and below, how many rows of the
 * cache lie before it (0 with pages). */
static inline int64_t ifn_pages_before(const ifn_span *s, int64_t page_rows)
{
    return page_rows > 0 ? s->begin / page_rows : 0;
}

static inline int64_t ifn_rows_before(const ifn_span *s, int64_t page_rows)
{
    return page_rows > 0 ? 0 : s->begin;
}

/* Whether the block table has a page of the cache for each row of each span; the list of spans must fit.
 * Checked before the first span runs, as a refused call writes nothing. */
static inline bool ifn_pages_of_spans_fit(const ifn_span *spans, int64_t n_spans,
                                          const int32_t *pages, int64_t n_pages, int64_t page_rows,
                                          int64_t max_pos)
{
    for (int64_t i = 0; i < n_spans; i++) {
        const int64_t before = ifn_pages_before(&spans[i], page_rows);
        if (!ifn_pages_fit(pages ? pages + before : pages, n_pages - before, page_rows, max_pos,
                           spans[i].first_pos + spans[i].rows))
            return false;
    }
    return true;
}

static inline const float *ifn_rows_from(const float *rows, int64_t n)
{
    return rows ? rows + n : rows;
}

static inline const void *ifn_bytes_from(const void *bytes, int64_t n)
{
    return bytes ? (const unsigned char *)bytes + n : bytes;
}

/* The call of span i alone, whose first row is row `row` of `a`. */
static inline ifn_attention_args ifn_attention_of_span(const ifn_attention_args *a, int64_t i,
                                                       int64_t row)
{
    const ifn_span s = a->spans[i];
    const int64_t before = ifn_pages_before(&s, a->page_rows);
    const int64_t at =
        ifn_rows_before(&s, a->page_rows) * ifn_cache_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t skipped = row * a->n_heads * a->head_dim;
    ifn_attention_args one = *a;
    one.call.bytes = (uint32_t)sizeof one;
    one.spans = NULL;
    one.n_spans = 0;
    one.rows = s.rows;
    one.first_pos = s.first_pos;
    one.q = ifn_rows_from(a->q, skipped);
    one.out = a->out ? a->out + skipped : a->out;
    one.k_cache = ifn_bytes_from(a->k_cache, at);
    one.v_cache = ifn_bytes_from(a->v_cache, at);
    one.pages = a->pages ? a->pages + before : a->pages;
    one.n_pages = a->n_pages - before;
    return one;
}

static inline ifn_kv_store_args ifn_kv_store_of_span(const ifn_kv_store_args *a, int64_t i,
                                                     int64_t row)
{
    const ifn_span s = a->spans[i];
    const int64_t before = ifn_pages_before(&s, a->page_rows);
    const int64_t at =
        ifn_rows_before(&s, a->page_rows) * ifn_cache_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t skipped = row * a->n_kv_heads * a->head_dim;
    ifn_kv_store_args one = *a;
    one.call.bytes = (uint32_t)sizeof one;
    one.spans = NULL;
    one.n_spans = 0;
    one.rows = s.rows;
    one.first_pos = s.first_pos;
    one.k = ifn_rows_from(a->k, skipped);
    one.v = ifn_rows_from(a->v, skipped);
    one.k_cache = a->k_cache ? (unsigned char *)a->k_cache + at : a->k_cache;
    one.v_cache = a->v_cache ? (unsigned char *)a->v_cache + at : a->v_cache;
    one.pages = a->pages ? a->pages + before : a->pages;
    one.n_pages = a->n_pages - before;
    return one;
}

/* Runs `one`, the body of an op that knows one sequence, for each span of a call. With n_spans 0 `one` is not
 * called: the caller itself must check what the op refuses in a call without spans. */
static inline ifn_status ifn_attention_by_spans(ifn_backend *self, const ifn_attention_args *a,
                                                ifn_status (*one)(ifn_backend *self,
                                                                  const ifn_attention_args *a))
{
    if (!ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos) ||
        !ifn_pages_of_spans_fit(a->spans, a->n_spans, a->pages, a->n_pages, a->page_rows,
                                a->max_pos) ||
        (a->n_spans > 1 && a->phase != IFN_ATTENTION_WHOLE))
        return IFN_ERR_SHAPE;
    for (int64_t i = 0, row = 0; i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_attention_args alone = ifn_attention_of_span(a, i, row);
        const ifn_status status = one(self, &alone);
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}

static inline ifn_status ifn_kv_store_by_spans(ifn_backend *self, const ifn_kv_store_args *a,
                                               ifn_status (*one)(ifn_backend *self,
                                                                 const ifn_kv_store_args *a))
{
    if (!ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos) ||
        !ifn_pages_of_spans_fit(a->spans, a->n_spans, a->pages, a->n_pages, a->page_rows,
                                a->max_pos))
        return IFN_ERR_SHAPE;
    for (int64_t i = 0, row = 0; i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_kv_store_args alone = ifn_kv_store_of_span(a, i, row);
        const ifn_status status = one(self, &alone);
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}

IFN_EXTERN_C_END

#endif
