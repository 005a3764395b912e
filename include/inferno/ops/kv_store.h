/* kv_store: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_KV_STORE_H
#define INFERNO_OPS_KV_STORE_H

#include <stdint.h>

#include <inferno/cache_rows.h>
#include <inferno/call.h>
#include <inferno/dtype.h>

/**
 * kv_store: cache[h, first_pos + r, :] = encode(new[r, h, :]) for K and for V; quant.h defines encode,
 * F32 keeps its bits
 *
 * k_cache, v_cache  [n_kv_heads, max_pos, head_dim] of cache_dtype: F32, F16 or Q8_0
 * k, v              [rows, n_kv_heads, head_dim] f32; no overlap
 * spans             [n_spans] (ABI 2.1), no row of the cache in two of them; NULL if n_spans is 0
 * pages             [n_pages] (ABI 2.3), no page in two entries that are written; NULL if page_rows is 0
 *
 * Split   KV heads
 * Errors  IFN_ERR_SHAPE if rows do not fit after first_pos, cache_dtype is another one or head_dim does
 *         not fit it, n_spans or n_pages is negative, spans are NULL, do not fit the cache or do not add
 *         up to the rows of the call, page_rows is no legal page size, pages are NULL, outside the cache or
 *         too few. Rows and pages that are written twice are overlaps, which the caller must avoid
 */
typedef struct ifn_kv_store_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *k_cache, *v_cache;
    const float *k, *v;
    int64_t rows, first_pos, max_pos, n_kv_heads, head_dim;
    ifn_dtype cache_dtype;
    const ifn_span *spans;
    int64_t n_spans;
    const int32_t *pages;
    int64_t n_pages, page_rows;
} ifn_kv_store_args;

/* clang-format off */
/* The windows hold for a call without spans and pages: each span names its own window, and with pages the
 * rows lie in the pages. */
#define IFN_SIGNATURE_kv_store                                                      \
    EXTENT(rows, 0) PLACE(first_pos) EXTENT(max_pos, 0)                             \
    EXTENT(n_kv_heads, 0) EXTENT(head_dim, 0) DTYPE(cache_dtype, CACHE_DTYPES)      \
    IN(k, F32, ALL(rows), PART(n_kv_heads), ALL(head_dim))                          \
    IN(v, F32, ALL(rows), PART(n_kv_heads), ALL(head_dim))                          \
    INOUT(k_cache, STORED(cache_dtype), PART(n_kv_heads),                           \
          WINDOW(max_pos, first_pos, rows), ALL(head_dim))                          \
    INOUT(v_cache, STORED(cache_dtype), PART(n_kv_heads),                           \
          WINDOW(max_pos, first_pos, rows), ALL(head_dim))                          \
    INTEGER(n_spans, 0, INT64_MAX) SPANS(spans)                                     \
    INTEGER(n_pages, 0, INT64_MAX) INTEGER(page_rows, 0, IFN_PAGE_ROWS_MOST) PAGES(pages)
/* clang-format on */

#define IFN_COST_kv_store EACH(0, 0)

#endif
