/* Copies within the KV cache. */
#ifndef IFN_KV_COPY_H
#define IFN_KV_COPY_H

#include "context_priv.h"

/* Copies rows [from, from + n) of every head of K and V, in all layers, to the rows from `to` on. If n is
 * odd, one more row may be copied, as copies move words of 4 bytes and only two rows are sure to be whole words. */
ifn_status ifn_kv_copy_rows(ifn_context *self, int64_t from, int64_t to, int64_t n);

#endif
