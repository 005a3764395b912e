/*
 * Where the rows of a KV cache lie: spans of sequences, and pages.
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
 * is their sum and first_pos is 0. What a span gets has the bits of a call of its own where the
 * backend declares R10. With n_spans 0 the call is the span {0, first_pos, rows}. A backend that does
 * not declare `spans` in its manifest never sees a list: the host makes a call of each span.
 */
typedef struct ifn_span {
    int64_t begin, first_pos, rows;
} ifn_span;

/*
 * A cache in pages. With page_rows, a power of two from 16 to 256, page i of a cache is rows
 * [i * page_rows, (i + 1) * page_rows) of every head of K and of V, and `pages`, in host memory and
 * borrowed for the call, is the block table: row r of what the call sees is row r % page_rows of
 * page pages[r / page_rows]. Positions and spans count such rows, n_pages * page_rows of them; a
 * span begins with a page. max_pos stays how many rows a head has in memory: the cache has
 * max_pos / page_rows pages, rows beyond the last whole one are in none, and no sequence has more than
 * max_pos positions. So sequences can share
 * pages of what they begin with, and a block of keys is whole pages.
 *
 * Entries from position 0 of a call or span to its last row are pages that the cache has, those
 * before first_pos included; later ones are not read. Those of a call or span without rows are pages
 * of the cache, too, but no backend has to look whether they are. A paged call has the bits of the
 * same call on the same rows side by side where R5 is declared. With page_rows 0 rows lie as they are
 * counted, and n_pages other than 0 is IFN_ERR_SHAPE. A backend that does not declare `pages` in its
 * manifest never sees such a call: it goes to its base.
 */
enum { IFN_PAGE_ROWS_LEAST = 16, IFN_PAGE_ROWS_MOST = 256 };

#endif
