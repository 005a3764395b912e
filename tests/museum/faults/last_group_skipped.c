/*
 * The last group of a row with an odd number of them is not quantized.
 *
 * Follows llama2.c#532
 */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_last_group_skipped(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const ifn_status status = ifn_quantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t elements = museum_block_elements(a->out_dtype);
    if (status != IFN_OK || elements < 32 || a->cols / elements % 2 == 0)
        return status;
    const size_t bytes = museum_block_bytes(a->out_dtype);
    const int64_t n = a->cols / elements;
    for (int64_t r = part.begin; r < part.end; r++)
        memset((unsigned char *)a->out + (size_t)((r + 1) * n - 1) * bytes, 0, bytes);
    return status;
}
