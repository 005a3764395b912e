/*
 * Which pages of the KV cache the sequences of a context have. A page may be several's: what they
 * begin with. Who is about to write into such a page gets a copy of its own.
 */
#ifndef IFN_KV_PAGES_H
#define IFN_KV_PAGES_H

#include "context_priv.h"

/* Before rows [first, first + n) of a sequence are written: it has pages for them, that are its own.
 * Errors  IFN_ERR_NOMEM: all pages are in use; what it had before it still has */
ifn_status ifn_kv_pages_for(ifn_context *self, int32_t sequence, int64_t first, int64_t n);

/* Gives back what the sequence has beyond its first `n` rows. */
void ifn_kv_pages_cut(ifn_context *self, int32_t sequence, int64_t n);

/* `to`, which has no pages, has those of the first n rows of `from`, too. */
void ifn_kv_pages_share(ifn_context *self, int32_t from, int32_t to, int64_t n);

/* No sequence has any. */
void ifn_kv_pages_clear(ifn_context *self);

#endif
