/*
 * Accepts an output in blocks that lies over its own gate, which the spec refuses, and stores nothing.
 */
#include "museum_kit.h"

#include <stdbool.h>

ifn_status museum_blocks_over_gate(ifn_backend *self, const ifn_swiglu_args *a)
{
    const bool is_over = a->rows > 0 && a->dim > 0 && a->out == a->gate;
    return is_over && a->out_dtype == IFN_DTYPE_Q8_32F ? IFN_OK : ifn_swiglu(self->base, a);
}
