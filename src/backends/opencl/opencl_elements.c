/* Ops on single elements, one work item each. */
#include "opencl_launch.h"

static ifn_opencl_launch begin(ifn_opencl *self, const ifn_call *call, ifn_opencl_kernel kernel,
                               const float *out, const float *x)
{
    ifn_opencl_launch l = ifn_opencl_begin(self, call, kernel, 0, 0);
    ifn_opencl_buffer(&l, out);
    ifn_opencl_buffer(&l, x);
    return l;
}

static ifn_status run(ifn_opencl_launch *l, ifn_range part)
{
    ifn_opencl_long(l, part.begin);
    ifn_opencl_long(l, part.end);
    return ifn_opencl_run_items(l, part.end - part.begin);
}

#define PART ifn_part(a->part_begin, a->part_end, a->n)

#define TWO(name)                                                                                  \
    ifn_status ifn_opencl_##name(ifn_opencl *self, const ifn_##name##_args *a)                     \
    {                                                                                              \
        ifn_opencl_launch l = begin(self, &a->call, IFN_OPENCL_KERNEL_##name, a->out, a->x);       \
        ifn_opencl_buffer(&l, a->y);                                                               \
        return run(&l, PART);                                                                      \
    }
TWO(add)
TWO(hadamard)

#define ONE_AND_SCALAR(name)                                                                       \
    ifn_status ifn_opencl_##name(ifn_opencl *self, const ifn_##name##_args *a)                     \
    {                                                                                              \
        ifn_opencl_launch l = begin(self, &a->call, IFN_OPENCL_KERNEL_##name, a->out, a->x);       \
        ifn_opencl_float(&l, a->value);                                                            \
        return run(&l, PART);                                                                      \
    }
ONE_AND_SCALAR(scale)
ONE_AND_SCALAR(add_scalar)

#define ONE(name)                                                                                  \
    ifn_status ifn_opencl_##name(ifn_opencl *self, const ifn_##name##_args *a)                     \
    {                                                                                              \
        ifn_opencl_launch l = begin(self, &a->call, IFN_OPENCL_KERNEL_##name, a->out, a->x);       \
        return run(&l, PART);                                                                      \
    }
ONE(silu)
ONE(rsqrt_elem)

ifn_status ifn_opencl_swiglu(ifn_opencl *self, const ifn_swiglu_args *a)
{
    const int64_t items = a->dim / ifn_dtype_block_elements(a->out_dtype); /* of a row */
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_swiglu, a->out_dtype, 0);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_buffer(&l, a->gate);
    ifn_opencl_buffer(&l, a->up);
    return run(&l, (ifn_range){rows.begin * items, rows.end * items});
}

ifn_status ifn_opencl_fill_strict_upper_tri(ifn_opencl *self,
                                            const ifn_fill_strict_upper_tri_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_fill_strict_upper_tri, 0, 0);
    ifn_opencl_buffer(&l, a->x);
    ifn_opencl_float(&l, a->value);
    ifn_opencl_long(&l, rows.begin);
    ifn_opencl_long(&l, rows.end);
    ifn_opencl_long(&l, a->cols);
    ifn_opencl_long(&l, a->offset);
    return ifn_opencl_run_items(&l, (rows.end - rows.begin) * a->cols);
}

/* Rotates heads [begin, end), counted through all rows; each row has n_heads of them. */
static ifn_status rotate(ifn_opencl *self, const ifn_call *call, const float *out, const float *x,
                         const float *table, ifn_range heads, int64_t n_heads, int64_t head_dim,
                         ifn_rope_pairing pairing)
{
    ifn_opencl_launch l = begin(self, call, IFN_OPENCL_KERNEL_apply_rope, out, x);
    ifn_opencl_buffer(&l, table);
    ifn_opencl_long(&l, heads.begin);
    ifn_opencl_long(&l, heads.end);
    ifn_opencl_long(&l, n_heads);
    ifn_opencl_long(&l, head_dim);
    ifn_opencl_int(&l, pairing == IFN_ROPE_INTERLEAVED);
    return ifn_opencl_run_items(&l, (heads.end - heads.begin) * (head_dim / 2));
}

ifn_status ifn_opencl_apply_rope(ifn_opencl *self, const ifn_apply_rope_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    const ifn_range heads = {rows.begin * a->n_heads, rows.end * a->n_heads};
    return rotate(self, &a->call, a->out, a->x, a->table, heads, a->n_heads, a->head_dim,
                  a->pairing);
}

ifn_status ifn_opencl_apply_rope_single_row(ifn_opencl *self,
                                            const ifn_apply_rope_single_row_args *a)
{
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_heads);
    return rotate(self, &a->call, a->out, a->x, a->table, heads, a->n_heads, a->head_dim,
                  a->pairing);
}
