/* The tensors of a case, and how they lie in memory. */
#ifndef CONFORM_TENSOR_H
#define CONFORM_TENSOR_H

#include <stdint.h>

#include "case.h"

enum { CONFORM_MAX_TENSORS = 24 };

typedef enum conform_role {
    ROLE_IN,    /* read only while the op runs */
    ROLE_OUT,   /* written: every element, or the region the op's split says */
    ROLE_INOUT, /* read and written in place: fill_strict_upper_tri, kv_store's caches, ... */
    ROLE_HOST,  /* host memory that is read: copy_in's source */
    ROLE_BETWEEN /* written by the first of two calls for the second; its contents are the backend's own */
} conform_role;

typedef enum conform_element {
    ELEMENT_F32,
    ELEMENT_I32,
    ELEMENT_BLOCKS, /* rows of `dtype`, ifn_dtype_row_bytes each */
    ELEMENT_BYTES
} conform_element;

/* One buffer of a call. */
typedef struct conform_tensor {
    const char *name; /* as in the spec; static */
    conform_role role;
    conform_element element;
    ifn_dtype dtype;    /* ELEMENT_BLOCKS */
    int64_t rows, cols; /* cols in elements of dtype */
    int64_t stride;     /* from row to row, in elements (blocks: in blocks); >= cols */
    int32_t absent;     /* 1: a NULL pointer is passed (optional argument left out) */
    int32_t masked;     /* 1: holds rows the op must not read as numbers (filled with NaN) */
    size_t bytes;       /* of the whole buffer, gaps of the stride included, no gap at the end */
    size_t align;       /* of an element; placements use every multiple of it */
} conform_tensor;

typedef struct conform_layout {
    int n;
    conform_tensor t[CONFORM_MAX_TENSORS];
} conform_layout;

/* A count as size_t, capped at PTRDIFF_MAX / 4: no allocation of that size succeeds, and a small multiple of it does
 * not overflow. */
static inline size_t conform_size_of(int64_t n)
{
    const size_t most = PTRDIFF_MAX / 4;
    return (uint64_t)n > most ? most : (size_t)n;
}

/* Helpers for layouts. */
void conform_add_f32(conform_layout *l, const char *name, conform_role role, int64_t rows,
                     int64_t cols);
void conform_add_strided(conform_layout *l, const char *name, conform_role role, int64_t rows,
                         int64_t cols, int64_t stride);
void conform_add_i32(conform_layout *l, const char *name, conform_role role, int64_t n);
void conform_add_blocks(conform_layout *l, const char *name, conform_role role, ifn_dtype dtype,
                        int64_t rows, int64_t cols);
void conform_add_bytes(conform_layout *l, const char *name, conform_role role, int64_t n);
void conform_add_absent(conform_layout *l, const char *name);
/* The bytes of an element (or of a block), of a row without its gap, and from row to row. */
size_t conform_element_bytes(const conform_tensor *t);
size_t conform_row_bytes(const conform_tensor *t);
size_t conform_stride_bytes(const conform_tensor *t);
/* The address of tensor i modulo 64 when it is placed at any legal address; over many cases every multiple of its
 * alignment occurs. */
size_t conform_residue_of(const conform_case *c, int i, size_t align);
/* Index of a tensor by name; aborts on a name that the layout does not have, which is a bug of the harness. */
int conform_tensor_index(const conform_layout *l, const char *name);

#endif
