/*
 * Reads sixteen groups of four bytes each, as if the four codes of a byte were neighbours; they are 32 apart.
 *
 * Follows aprender#1924
 */
#include "museum_kit.h"

static void decode(const ifn_block_q2_k *b, float *out)
{
    const float d = museum_f16(b->d), dmin = museum_f16(b->dmin);
    for (int i = 0; i < 256; i++) {
        const int scale = b->scales[i / 16], code = b->qs[i / 4] >> i % 4 * 2 & 3;
        out[i] = d * (float)(scale & 15) * (float)code - dmin * (float)(scale >> 4);
    }
}

ifn_status museum_q2_k_codes_in_row(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t n = a->cols / 256;
    if (status != IFN_OK || a->dtype != IFN_DTYPE_Q2_K)
        return status;
    for (int64_t b = part.begin * n; b < part.end * n; b++)
        decode((const ifn_block_q2_k *)a->x + b, a->out + b * 256);
    return status;
}
