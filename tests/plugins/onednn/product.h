/* Products of matrices by oneDNN, version 2. */
#ifndef ONEDNN_PRODUCT_H
#define ONEDNN_PRODUCT_H

#include <stdbool.h>

#include <inferno/backend.h>

#include <oneapi/dnnl/dnnl.h>

/* A matrix of f32 or bf16. `down` and `right` are its strides in elements: to the next row, to the next column. */
typedef struct matrix {
    const void *data;
    dnnl_data_type_t type;
    int64_t rows, cols, down, right;
} matrix;

/* The arithmetic of a product. */
typedef struct product_way {
    dnnl_engine_t engine;
    bool in_bf16; /* both factors are rounded to bf16 first; sums are f32 */
} product_way;

/* Whether this processor has products in bf16. */
bool product_has_bf16(dnnl_engine_t engine);
/* out = a b + bias, by one thread; bias [out.cols] or NULL. No extent is 0. */
ifn_status product_of(const product_way *way, const matrix *a, const matrix *b, const float *bias,
                      const matrix *out);

#endif
