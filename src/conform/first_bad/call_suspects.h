/* Chooses the features (or heads) of a large product to judge, if not all are judged. */
#ifndef CONFORM_CALL_SUSPECTS_H
#define CONFORM_CALL_SUSPECTS_H

#include "call_slice.h"

enum { SUSPECTS_FAR = 16, SUSPECTS_MAX = 4096 };

/**
 * Chooses an even sample of entries, and the SUSPECTS_FAR entries whose results differ most from the scalar backend's;
 * in ascending order, each once. Uses and resets the pool, so earlier pointers into it are invalid afterwards.
 *
 * out  [SUSPECTS_MAX]
 */
IFN_NODISCARD ifn_status conform_call_suspects(ifn_backend *scalar, conform_pool *pool,
                                               int64_t sample, const call_view *view,
                                               const call_keep *keep, int64_t *out, int64_t *n,
                                               ifn_error *err);

#endif
