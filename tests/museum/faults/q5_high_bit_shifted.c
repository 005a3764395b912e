/* In Q5_0 the fifth bits are those of the weights 16 further on. */
#include "museum_kit.h"

ifn_status museum_q5_high_bit_shifted(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_block_q5_0 *blocks = a->x;
    const int64_t n = a->cols / 32;
    if (status != IFN_OK || a->dtype != IFN_DTYPE_Q5_0)
        return status;
    for (int64_t b = part.begin * n; b < part.end * n; b++)
        for (int i = 0; i < 32; i++) {
            const ifn_block_q5_0 *q = &blocks[b];
            const int low = i < 16 ? q->qs[i] & 15 : q->qs[i - 16] >> 4;
            const int high = q->qh[(i ^ 16) / 8] >> i % 8 & 1;
            a->out[b * 32 + i] = museum_f16(q->d) * (float)((low | high << 4) - 16);
        }
    return status;
}
