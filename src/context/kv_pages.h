/*
 * The block table: which pages of the KV cache each sequence of a context uses. Sequences with a common
 * prefix share its pages. Before a sequence writes into a shared page, it gets a copy of its own.
 */
#ifndef IFN_KV_PAGES_H
#define IFN_KV_PAGES_H

#include "context_priv.h"

/* Gives a sequence unshared pages for rows [first, first + n), which are about to be written.
 * Errors  IFN_ERR_NOMEM: all pages are in use; the sequence keeps the pages it had */
ifn_status ifn_kv_pages_for(ifn_context *self, int32_t sequence, int64_t first, int64_t n);

/* Gives back the pages that the first `n` rows of the sequence do not need. */
void ifn_kv_pages_cut(ifn_context *self, int32_t sequence, int64_t n);

/* Makes sequence `to`, which must have no pages, share those of the first n rows of `from`. */
void ifn_kv_pages_share(ifn_context *self, int32_t from, int32_t to, int64_t n);

/* Marks all pages as free, and all entries as without a page. */
void ifn_kv_pages_clear(ifn_context *self);

#endif
