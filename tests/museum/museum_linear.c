/* linear and linear_q8 on weights or inputs that a fault has changed. */
#include "museum_kit.h"

#include <stdlib.h>
#include <string.h>

/* Changed copies of up to four weights. */
typedef struct copies {
    ifn_tensor t[IFN_LINEAR_MAX];
    void *data[IFN_LINEAR_MAX];
} copies;

static int copy_weights(copies *c, const ifn_tensor *const *w, int64_t n_w, int64_t k,
                        museum_edit_weight edit)
{
    for (int64_t i = 0; i < n_w; i++) {
        const ifn_dtype dtype = w[i]->dtype;
        const size_t row = (size_t)(k / museum_block_elements(dtype)) * museum_block_bytes(dtype);
        const size_t bytes = row * (size_t)w[i]->shape[0];
        c->t[i] = *w[i];
        if (bytes == 0 || bytes > MUSEUM_MOST_COPIED)
            continue;
        if (!(c->data[i] = malloc(bytes)))
            return 0;
        memcpy(c->data[i], w[i]->data, bytes);
        c->t[i].data = c->data[i];
        for (int64_t f = 0; f < w[i]->shape[0]; f++)
            edit(dtype, (unsigned char *)c->data[i] + (size_t)f * row, k);
    }
    return 1;
}

static void drop_copies(copies *c)
{
    for (int i = 0; i < IFN_LINEAR_MAX; i++)
        free(c->data[i]);
}

ifn_status museum_linear_weights(ifn_backend *base, const ifn_linear_args *a,
                                 museum_edit_weight edit)
{
    ifn_linear_args changed = *a;
    copies c = {.data = {NULL}};
    ifn_status status = ifn_linear(base, a);
    if (status != IFN_OK)
        return status;
    status = copy_weights(&c, a->w, a->n_w, a->k, edit) ? IFN_OK : IFN_ERR_NOMEM;
    for (int64_t i = 0; i < a->n_w; i++)
        changed.w[i] = &c.t[i];
    if (status == IFN_OK)
        status = ifn_linear(base, &changed);
    drop_copies(&c);
    return status;
}

ifn_status museum_linear_q8_weights(ifn_backend *base, const ifn_linear_q8_args *a,
                                    museum_edit_weight edit)
{
    ifn_linear_q8_args changed = *a;
    copies c = {.data = {NULL}};
    memset(changed.packed, 0, sizeof changed.packed);
    ifn_status status = ifn_linear_q8(base, &changed);
    if (status != IFN_OK)
        return status;
    status = copy_weights(&c, a->w, a->n_w, a->k, edit) ? IFN_OK : IFN_ERR_NOMEM;
    for (int64_t i = 0; i < a->n_w; i++)
        changed.w[i] = &c.t[i];
    if (status == IFN_OK)
        status = ifn_linear_q8(base, &changed);
    drop_copies(&c);
    return status;
}

ifn_status museum_linear_inputs(ifn_backend *base, const ifn_linear_args *a,
                                void (*edit)(float *row, int64_t k))
{
    ifn_linear_args changed = *a;
    ifn_status status = ifn_linear(base, a);
    const int64_t n = status == IFN_OK ? a->rows * a->k : 0;
    if (n == 0)
        return status;
    float *const x = malloc((size_t)n * sizeof *x);
    if (!x)
        return IFN_ERR_NOMEM;
    for (int64_t r = 0; r < a->rows; r++) {
        memcpy(x + r * a->k, a->x + r * a->x_stride, (size_t)a->k * sizeof *x);
        edit(x + r * a->k, a->k);
    }
    changed.x = x;
    changed.x_stride = a->k;
    status = ifn_linear(base, &changed);
    free(x);
    return status;
}

ifn_status museum_linear_f32_inputs(ifn_backend *base, const ifn_linear_args *a,
                                    void (*edit)(float *row, int64_t k))
{
    for (int64_t i = 0; i < a->n_w && i < IFN_LINEAR_MAX; i++)
        if (!a->w[i] || a->w[i]->dtype != IFN_DTYPE_F32)
            return ifn_linear(base, a);
    return museum_linear_inputs(base, a, edit);
}

ifn_status museum_linear_q8_inputs(ifn_backend *base, const ifn_linear_q8_args *a,
                                   museum_edit_blocks edit)
{
    ifn_linear_q8_args changed = *a;
    ifn_status status = ifn_linear_q8(base, a);
    const int64_t blocks = a->k / 32, n = status == IFN_OK ? a->rows * blocks : 0;
    if (n == 0)
        return status;
    ifn_block_q8_32f *const x = malloc((size_t)n * sizeof *x);
    if (!x)
        return IFN_ERR_NOMEM;
    for (int64_t r = 0; r < a->rows; r++) {
        memcpy(x + r * blocks, a->x + r * a->x_stride, (size_t)blocks * sizeof *x);
        edit(x + r * blocks, blocks);
    }
    changed.x = x;
    changed.x_stride = blocks;
    status = ifn_linear_q8(base, &changed);
    free(x);
    return status;
}

void museum_clear_block(ifn_block_q8_32f *block)
{
    *block = (ifn_block_q8_32f){0};
}

int64_t museum_features(const ifn_linear_q8_args *a)
{
    int64_t n = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    return n;
}

ifn_status museum_behind(ifn_backend *self, const ifn_linear_args *a, ifn_dtype first,
                         ifn_dtype other)
{
    ifn_linear_args read = *a;
    ifn_tensor w[IFN_LINEAR_MAX];
    for (int64_t i = 1; i < a->n_w && i < IFN_LINEAR_MAX; i++) {
        if (!a->w[0] || !a->w[i] || a->packed[i] || a->w[0]->dtype != first ||
            a->w[i]->dtype != other)
            continue;
        w[i] = *a->w[i];
        w[i].dtype = first;
        read.w[i] = &w[i];
    }
    return ifn_linear(self->base, &read);
}
