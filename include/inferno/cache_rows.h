/*
 * Where the rows of a KV cache lie: spans of sequences, and pages (block tables).
 *
 * Stability: stable, and part of the plugin ABI.
 */
#ifndef INFERNO_CACHE_ROWS_H
#define INFERNO_CACHE_ROWS_H

#include <stdint.h>

/**
 * Consecutive positions of one sequence: `rows` rows of a call, the first at position first_pos of
 * a sequence whose position 0 is row `begin` of each head of the cache. All of it fits the cache:
 * 0 <= begin, 0 <= first_pos, 0 <= rows, begin + first_pos + rows <= max_pos.
 *
 * kv_store and attention take a list of spans, in host memory and borrowed for the call, so that
 * one call serves many sequences: the rows of spans[0] come first, then those of spans[1]; `rows`
 * is their sum and first_pos is 0. If the backend declares R10, the results of a span have the bits of a
 * call for that span alone. With n_spans 0 the call is the span {0, first_pos, rows}. A backend that does
 * not declare `spans` in its manifest never sees a list: the host makes one call per span.
 */
typedef struct ifn_span {
    int64_t begin, first_pos, rows;
} ifn_span;

/*
 * A cache in pages. With page_rows, a power of two from 16 to 256, page i of a cache is rows
 * [i * page_rows, (i + 1) * page_rows) of every head of K and of V, and `pages`, in host memory and
 * borrowed for the call, is the block table: logical row r of the call is row r % page_rows of page
 * pages[r / page_rows] in memory. Positions and spans count logical rows, of which there are
 * n_pages * page_rows; a span begins at the first row of a page. max_pos is still the number of rows that a
 * head has in memory: the cache has max_pos / page_rows pages, rows after the last whole page belong to
 * none, and the caller gives no sequence more than max_pos positions, which backends need not check. So
 * sequences can share the pages of a common prefix, and a block of keys is a whole number of pages.
 *
 * The entries for position 0 of a call or span up to its last row, those before first_pos included, must be
 * pages of the cache; later entries are not read. Entries of a call or span without rows must be pages of
 * the cache, too, but no backend has to check them. If the backend declares R5, a paged call has the bits of
 * the same call on the same rows without pages. With page_rows 0 logical row r is row r in memory, and
 * n_pages other than 0 is IFN_ERR_SHAPE. A backend that does not declare `pages` in its manifest never sees
 * such a call: its base runs it.
 */
enum { IFN_PAGE_ROWS_LEAST = 16, IFN_PAGE_ROWS_MOST = 256 };

#endif
