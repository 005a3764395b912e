/*
 * What the backend `parallel` has to work with.
 *
 * Stability: stable.
 */
#ifndef INFERNO_PARALLEL_H
#define INFERNO_PARALLEL_H

#include <stdint.h>

#include <inferno/backend.h>
#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/**
 * Threads of the outermost `parallel` of this chain, the caller's among them, and in *wanted how
 * many it was opened for: it goes on with fewer where the system starts no more. 0 and 0: there is
 * no `parallel`.
 */
IFN_API int32_t ifn_parallel_threads(const ifn_backend *chain, int32_t *wanted);

IFN_EXTERN_C_END

#endif
