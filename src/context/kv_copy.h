/* Copies within the KV cache. */
#ifndef IFN_KV_COPY_H
#define IFN_KV_COPY_H

#include "context_priv.h"

/* Rows [from, from + n) of every head of K and V, in all layers, to rows from `to` on. A row beyond
 * the last may come along, as two are whole words. */
ifn_status ifn_kv_copy_rows(ifn_context *self, int64_t from, int64_t to, int64_t n);

#endif
