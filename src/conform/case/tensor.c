#include "tensor.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

static conform_tensor *add(conform_layout *l, const char *name, conform_role role,
                           conform_element element)
{
    if (l->n == CONFORM_MAX_TENSORS) {
        fprintf(stderr, "conform: more than %d tensors in one call\n", CONFORM_MAX_TENSORS);
        abort();
    }
    conform_tensor *t = &l->t[l->n++];
    *t = (conform_tensor){.name = name, .role = role, .element = element, .dtype = IFN_DTYPE_F32};
    return t;
}

/* Bytes up to the last element, without the gap of the stride after it. */
static size_t span(int64_t rows, int64_t row_bytes, int64_t stride_bytes)
{
    return rows > 0 ? conform_size_of((rows - 1) * stride_bytes + row_bytes) : 0;
}

void conform_add_strided(conform_layout *l, const char *name, conform_role role, int64_t rows,
                         int64_t cols, int64_t stride)
{
    conform_tensor *t = add(l, name, role, ELEMENT_F32);
    t->rows = rows;
    t->cols = cols;
    t->stride = stride;
    t->align = sizeof(float);
    t->bytes = span(rows, cols * (int64_t)sizeof(float), stride * (int64_t)sizeof(float));
}

void conform_add_f32(conform_layout *l, const char *name, conform_role role, int64_t rows,
                     int64_t cols)
{
    conform_add_strided(l, name, role, rows, cols, cols);
}

void conform_add_i32(conform_layout *l, const char *name, conform_role role, int64_t n)
{
    conform_tensor *t = add(l, name, role, ELEMENT_I32);
    t->rows = 1;
    t->cols = t->stride = n;
    t->align = sizeof(int32_t);
    t->bytes = conform_size_of(n * (int64_t)sizeof(int32_t));
}

/* The alignment of one block: f16 fields need 2 bytes, the f32 and int32 fields of Q8_32F need 4. */
static size_t block_align(ifn_dtype dtype)
{
    if (dtype == IFN_DTYPE_F32 || dtype == IFN_DTYPE_Q8_32F)
        return 4;
    return 2;
}

void conform_add_blocks(conform_layout *l, const char *name, conform_role role, ifn_dtype dtype,
                        int64_t rows, int64_t cols)
{
    conform_tensor *t = add(l, name, role, ELEMENT_BLOCKS);
    const int64_t row_bytes = (int64_t)ifn_dtype_row_bytes(dtype, cols);
    t->dtype = dtype;
    t->rows = rows;
    t->cols = cols;
    t->stride = cols / ifn_dtype_block_elements(dtype);
    t->align = block_align(dtype);
    t->bytes = span(rows, row_bytes, row_bytes);
}

void conform_add_bytes(conform_layout *l, const char *name, conform_role role, int64_t n)
{
    conform_tensor *t = add(l, name, role, ELEMENT_BYTES);
    t->rows = 1;
    t->cols = t->stride = n;
    t->align = 1;
    t->bytes = conform_size_of(n);
}

void conform_add_absent(conform_layout *l, const char *name)
{
    add(l, name, ROLE_IN, ELEMENT_F32)->absent = 1;
}

size_t conform_element_bytes(const conform_tensor *t)
{
    return t->element == ELEMENT_BLOCKS  ? ifn_dtype_block_bytes(t->dtype)
           : t->element == ELEMENT_BYTES ? 1
                                         : 4;
}

size_t conform_row_bytes(const conform_tensor *t)
{
    return t->element == ELEMENT_BLOCKS ? ifn_dtype_row_bytes(t->dtype, t->cols)
                                        : (size_t)t->cols * conform_element_bytes(t);
}

size_t conform_stride_bytes(const conform_tensor *t)
{
    return (size_t)t->stride * conform_element_bytes(t);
}

int conform_tensor_index(const conform_layout *l, const char *name)
{
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->t[i].name, name) == 0)
            return i;
    fprintf(stderr, "conform: no tensor named %s\n", name);
    abort();
}

size_t conform_residue_of(const conform_case *c, int i, size_t align)
{
    if (c->is_at)
        return (size_t)c->at / align * align;
    return (size_t)(conform_hash(c->seed, "residue", (uint64_t)i) % (64 / align)) * align;
}
