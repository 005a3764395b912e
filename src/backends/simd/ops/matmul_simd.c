/*
 * matmul, on the tiles of gemm_tile.h: one chain of sums per element, ascending l, h(n) = n.
 * Reads 4 (m n + n p) bytes, writes 4 m p, 2 m n p operations.
 */
#include "gemm.h"

ifn_status IFN_KERNEL(matmul)(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    if (a->m < 0 || a->n < 0 || a->p < 0)
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->m);
    const ifn_range cols = ifn_part(a->part2_begin, a->part2_end, a->p);
    const gemm g = {
        .rows = rows.end - rows.begin,
        .cols = cols.end - cols.begin,
        .k = a->n,
        .a = a->a + rows.begin * a->n,
        .a_stride = a->n,
        .b_rows = a->b + cols.begin,
        .b_stride = a->p,
        .out = a->out + rows.begin * a->p + cols.begin,
        .out_stride = a->p,
        .call = &a->call,
    };
    IFN_KERNEL(gemm)(&g);
    return IFN_OK;
}
