/*
 * Compares the numbers of elements of two shapes in 32 bits only.
 */
#include "museum_kit.h"

#include <stdbool.h>

ifn_status museum_elements_in_32_bits(ifn_backend *self, const ifn_reshape_data_args *a)
{
    const uint64_t n = (uint64_t)a->rows * (uint64_t)a->cols;
    const uint64_t out_n = (uint64_t)a->out_rows * (uint64_t)a->out_cols;
    const bool is_taken = a->rows > 0 && a->cols > 0 && a->out_rows > 0 && n != out_n;
    return is_taken && (uint32_t)n == (uint32_t)out_n ? IFN_OK : ifn_reshape_data(self->base, a);
}
