/* The 32 that Q6_K subtracts from every code is forgotten. */
#include "museum_kit.h"

static void add_offset(const ifn_block_q6_k *block, float *out)
{
    for (int i = 0; i < 256; i++)
        out[i] += museum_f16(block->d) * (float)block->scales[i / 16] * 32.0f;
}

ifn_status museum_q6_k_offset_forgotten(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_block_q6_k *blocks = a->x;
    const int64_t n = a->cols / 256;
    if (status != IFN_OK || a->dtype != IFN_DTYPE_Q6_K)
        return status;
    for (int64_t b = part.begin * n; b < part.end * n; b++)
        add_offset(&blocks[b], a->out + b * 256);
    return status;
}
