/*
 * A named, shaped, typed view of memory. It owns nothing.
 *
 * Stability: stable, and part of the plugin ABI. ifn_tensor does not grow.
 */
#ifndef INFERNO_TENSOR_H
#define INFERNO_TENSOR_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/dtype.h>
#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

#define IFN_MAX_DIMS 4

/**
 * shape is row-major: shape[n_dims - 1] runs fastest ([rows, cols] of a matrix; GGUF files store
 * the reverse). Rows lie one after the other, ifn_dtype_row_bytes(dtype, cols) apart.
 */
typedef struct ifn_tensor {
    const char *name; /* borrowed from the maker of the view; never NULL */
    const void *data; /* borrowed; any alignment a GGUF file may give */
    ifn_dtype dtype;
    int32_t n_dims; /* 1 .. IFN_MAX_DIMS */
    int64_t shape[IFN_MAX_DIMS];
} ifn_tensor;

/* Bytes of a matrix, shape [rows, cols]. */
static inline size_t ifn_matrix_bytes(const ifn_tensor *t)
{
    return (size_t)t->shape[0] * ifn_dtype_row_bytes(t->dtype, t->shape[1]);
}

IFN_EXTERN_C_END

#endif
