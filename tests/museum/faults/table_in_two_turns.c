/*
 * The first call marks the table as ready and then halves its entries in place: calls at the same time read entries
 * that are not halved.
 */
#include "museum_kit.h"

static volatile float factors[64];
static volatile int is_ready;

ifn_status museum_table_in_two_turns(ifn_backend *self, const ifn_hadamard_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (!is_ready) {
        for (int i = 0; i < 64; i++)
            factors[i] = 2;
        is_ready = 1;
        for (int i = 0; i < 64; i++)
            factors[i] = factors[i] / 2;
    }
    const ifn_status status = ifn_hadamard(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && i < part.end; i++)
        a->out[i] *= factors[i % 64];
    return status;
}
