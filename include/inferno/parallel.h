/*
 * The threads of the wrapper `parallel`.
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
 * Returns the number of threads of the outermost `parallel` of this chain, the caller's included, and in
 * *wanted how many it was opened for: it runs with fewer if the system starts no more. 0 and 0: the chain
 * has no `parallel`.
 */
IFN_API int32_t ifn_parallel_threads(const ifn_backend *chain, int32_t *wanted);

IFN_EXTERN_C_END

#endif
