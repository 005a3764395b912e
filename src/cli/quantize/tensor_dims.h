/* The size of a tensor. */
#ifndef IFN_CLI_TENSOR_DIMS_H
#define IFN_CLI_TENSOR_DIMS_H

#include <inferno/tensor.h>

static inline uint64_t tensor_elements(const ifn_tensor *view)
{
    uint64_t n = 1;
    for (int32_t i = 0; i < view->n_dims; i++)
        n *= (uint64_t)view->shape[i];
    return n;
}

static inline int64_t tensor_row_length(const ifn_tensor *view)
{
    return view->shape[view->n_dims - 1];
}

/* Returns the bits per number; 0 if n is 0. */
static inline double tensor_bits(uint64_t bytes, uint64_t n)
{
    return n ? 8.0 * (double)bytes / (double)n : 0.0;
}

#endif
