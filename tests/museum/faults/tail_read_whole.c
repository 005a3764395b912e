/*
 * The tail is read as a whole vector of eight.
 *
 * Follows nntrainer#4345
 */
#include "museum_kit.h"

ifn_status museum_tail_read_whole(ifn_backend *self, const ifn_silu_args *a)
{
    const ifn_status status = ifn_silu(self->base, a);
    if (status == IFN_OK && a->n % 8)
        museum_read(a->x + a->n / 8 * 8, 8 * sizeof *a->x);
    return status;
}
