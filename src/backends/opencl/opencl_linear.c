/* Products: matmul, linear, linear_q8. */
#include <stdbool.h>

#include "opencl_launch.h"

enum {
    TILE = 16, /* kernels/matmul.cl, whose items compute SIDE elements each */
    SIDE = 8,
    MANY_ROWS = 8 /* kernels/linear.cl */
};

static int64_t groups_of(ifn_range part, int64_t each)
{
    return (part.end - part.begin + each - 1) / each;
}

ifn_status ifn_opencl_matmul(ifn_opencl *self, const ifn_matmul_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->m);
    const ifn_range cols = ifn_part(a->part2_begin, a->part2_end, a->p);
    const size_t group[3] = { TILE / SIDE, TILE, 1 };
    const size_t groups[3] = {(size_t)groups_of(cols, TILE), (size_t)groups_of(rows, TILE), 1 };
    ifn_opencl_launch l = ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_matmul, 0, 0);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_buffer(&l, a->a);
    ifn_opencl_buffer(&l, a->b);
    ifn_opencl_long(&l, rows.begin);
    ifn_opencl_long(&l, rows.end);
    ifn_opencl_long(&l, cols.begin);
    ifn_opencl_long(&l, cols.end);
    ifn_opencl_long(&l, a->n);
    ifn_opencl_long(&l, a->p);
    return ifn_opencl_run(&l, groups, group);
}

/* One weight of a linear. */
typedef struct product {
    const void *x;
    const ifn_tensor *w;
    const void *packed;
    const float *out, *bias;
    ifn_range features, rows;
    int64_t k, x_stride, out_stride;
} product;

static ifn_status multiply(ifn_opencl *self, const ifn_call *call, ifn_opencl_kernel kernel,
                           const product *p)
{
    const bool is_many = p->rows.end - p->rows.begin > 1;
    if (p->features.begin >= p->features.end || p->rows.begin >= p->rows.end)
        return IFN_OK;
    ifn_opencl_launch l = ifn_opencl_begin(self, call, kernel, p->w->dtype, is_many);
    ifn_opencl_buffer(&l, p->out);
    ifn_opencl_buffer(&l, p->x);
    ifn_opencl_weight_or_handle(&l, p->w, p->packed);
    ifn_opencl_buffer(&l, p->bias);
    ifn_opencl_long(&l, p->features.begin);
    ifn_opencl_long(&l, p->features.end);
    ifn_opencl_long(&l, p->rows.begin);
    ifn_opencl_long(&l, p->rows.end);
    ifn_opencl_long(&l, p->k);
    ifn_opencl_long(&l, p->x_stride);
    ifn_opencl_long(&l, p->out_stride);
    ifn_opencl_long(&l, (int64_t)ifn_dtype_row_bytes(p->w->dtype, p->k));
    return ifn_opencl_run_groups(&l, groups_of(p->features, IFN_OPENCL_GROUP),
                                 groups_of(p->rows, is_many ? MANY_ROWS : 1), 1);
}

/* The two ops differ in the dtype of x. */
#define LINEAR(name)                                                                               \
    ifn_status ifn_opencl_##name(ifn_opencl *self, const ifn_##name##_args *a)                     \
    {                                                                                              \
        const ifn_range features = {a->part_begin, a->part_end};                                   \
        const ifn_range rows = ifn_part(a->part2_begin, a->part2_end, a->rows);                    \
        for (int64_t i = 0; i < a->n_w; i++) {                                                     \
            const product p = {a->x,         a->w[i],                                              \
                               a->packed[i], a->out[i],                                            \
                               a->bias[i],   ifn_part_of_weight(features, a->w, i),                \
                               rows,         a->k,                                                 \
                               a->x_stride,  a->out_stride[i]};                                    \
            IFN_TRY(multiply(self, &a->call, IFN_OPENCL_KERNEL_##name, &p));                       \
        }                                                                                          \
        return IFN_OK;                                                                             \
    }
LINEAR(linear)
LINEAR(linear_q8)
