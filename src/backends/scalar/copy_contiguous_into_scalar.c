#include "scalar.h"

/* The elements may be ids as well as floats: they move as bytes. */
ifn_status ifn_scalar_copy_contiguous_into(ifn_backend *self,
                                           const ifn_copy_contiguous_into_args *a)
{
    (void)self;
    if (a->n < 0 || a->out_n < 0 || a->out_offset < 0 || a->n > a->out_n - a->out_offset)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    if (part.begin < part.end)
        memcpy((unsigned char *)a->out + 4 * (a->out_offset + part.begin),
               (const unsigned char *)a->x + 4 * part.begin, 4 * (size_t)(part.end - part.begin));
    return IFN_OK;
}
