/* attention: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_ATTENTION_H
#define INFERNO_OPS_ATTENTION_H

#include <stdint.h>

#include <inferno/cache_rows.h>
#include <inferno/call.h>
#include <inferno/dtype.h>

/* Keys are reduced in blocks of this many absolute positions, merged in ascending order. */
#define IFN_ATTENTION_BLOCK 256

enum {
    IFN_ATTENTION_WHOLE = 0,
    IFN_ATTENTION_PARTIALS = 1, /* fills partials for a range of key blocks */
    IFN_ATTENTION_MERGE = 2     /* merges partials into out for a range of heads */
};

typedef int32_t ifn_attention_phase;

/**
 * attention: softmax(scale * q k^T) v, causal and grouped-query, over the cache
 *
 * out       [rows, n_heads, head_dim] f32
 * q         [rows, n_heads, head_dim] f32; row i stands at position first_pos + i and sees the keys
 *           0 .. first_pos + i. No overlap with out
 * caches    [n_kv_heads, max_pos, head_dim] of cache_dtype; query head h reads KV head
 *           h * n_kv_heads / n_heads. Rows after the last visible key are not read
 * partials  [rows, n_heads, blocks, 2 + head_dim] f32, blocks = ceil((first_pos + rows) / 256):
 *           room for maximum, sum of exponentials and accumulator of each block. Phases PARTIALS and
 *           MERGE only. A part writes only the entries of its own heads and blocks. Only MERGE of the
 *           same backend reads them, so the backend chooses what it writes there, and whether it writes
 *           the entry of a block that a row does not see
 *
 * spans     [n_spans] (ABI 2.1): a row of a span sees the keys from the span's `begin` on; NULL if n_spans is 0.
 *           Phases PARTIALS and MERGE take one span at most; blocks then reach to the end of the span
 * pages     [n_pages] (ABI 2.3), a page may occur more than once; NULL if page_rows is 0
 *
 * Order   For each block of 256 absolute positions the backend takes the maximum first, then sum and
 *         accumulator over the block's keys, in an order of its own choice that depends on neither chunk,
 *         thread nor later keys; blocks merge in ascending order. R1 (PARTIALS and MERGE have the bits
 *         of WHOLE), R3, R9 and R10 rest on it: a backend that declares none of them may sum in any order,
 *         and divide weights by their sum before V; bounds are those of any order where R3 is not declared.
 *         While a running maximum stays the same, what it rescales is multiplied by exactly 1
 * Values  A key whose score is -inf weighs 0; a score of +inf or NaN makes the row NaN, and so do
 *         visible scores that are all -inf. Under a weight below 2^-100, also one of 0, a value of V may
 *         count as nothing; one that is not finite may instead give NaN
 * Split   query heads; key blocks (PARTIALS only)
 * Errors  IFN_ERR_SHAPE if n_heads is no multiple of n_kv_heads (only 0 is a multiple of 0), first_pos,
 *         n_spans or n_pages is negative, cache_dtype is not F32, F16 or Q8_0 or head_dim does not fit it,
 *         rows or spans do not fit the cache, spans are NULL or do not add up to the rows of the call, the
 *         phase is unknown or PARTIALS or MERGE with several spans, page_rows is no legal page size, pages
 *         are NULL, outside the cache or too few
 */
typedef struct ifn_attention_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    float *out;
    const float *q;
    const void *k_cache, *v_cache;
    float *partials;
    int64_t rows, first_pos, max_pos, n_heads, n_kv_heads, head_dim;
    float scale;
    ifn_dtype cache_dtype;
    ifn_attention_phase phase;
    const ifn_span *spans;
    int64_t n_spans;
    const int32_t *pages;
    int64_t n_pages, page_rows;
} ifn_attention_args;

/* clang-format off */
/* Irregular: a query head reads the KV head of its group, a row reads the keys before it, and the phases
 * PARTIALS and MERGE each use only some of the buffers. */
#define IFN_SIGNATURE_attention                                                     \
    EXTENT(rows, 0) PLACE(first_pos) EXTENT(max_pos, 0)                             \
    EXTENT(n_heads, 0) EXTENT(n_kv_heads, 0) EXTENT(head_dim, 0) REAL(scale, ANY)   \
    INTEGER(phase, IFN_ATTENTION_WHOLE, IFN_ATTENTION_MERGE)                        \
    DTYPE(cache_dtype, CACHE_DTYPES)                                                \
    IN(q, F32, ALL(rows), PART(n_heads), ALL(head_dim))                             \
    IN(k_cache, STORED(cache_dtype), ALL(n_kv_heads), ALL(max_pos), ALL(head_dim))  \
    IN(v_cache, STORED(cache_dtype), ALL(n_kv_heads), ALL(max_pos), ALL(head_dim))  \
    BETWEEN(partials, F32)                                                          \
    OUT(out, F32, APART, ALL(rows), PART(n_heads), ALL(head_dim))                   \
    INTEGER(n_spans, 0, INT64_MAX) SPANS(spans)                                     \
    INTEGER(n_pages, 0, INT64_MAX) INTEGER(page_rows, 0, IFN_PAGE_ROWS_MOST) PAGES(pages)
/* clang-format on */

#define IFN_COST_attention OWN(attention)

#endif
