/* Codes of Q8_0 are truncated, not rounded. */
#include <math.h>

#include "museum_kit.h"

static void cut_off(ifn_block_q8_0 *block, const float *x)
{
    float most = 0;
    for (int i = 0; i < 32; i++)
        most = fmaxf(most, fabsf(x[i]));
    const float inverse = most > 0 ? 1.0f / (most / 127.0f) : 0.0f;
    for (int i = 0; i < 32 && isfinite(inverse); i++)
        block->qs[i] = (int8_t)truncf(x[i] * inverse);
}

ifn_status museum_codes_cut_off(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const ifn_status status = ifn_quantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_block_q8_0 *blocks = a->out;
    const int64_t n = a->cols / 32;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_Q8_0)
        return status;
    for (int64_t b = part.begin * n; b < part.end * n; b++)
        if (blocks[b].d != 0 && (blocks[b].d & 0x7c00) != 0x7c00)
            cut_off(&blocks[b], a->x + b * 32);
    return status;
}
