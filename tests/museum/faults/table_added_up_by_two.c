/* If two calls find no table, both add to its entries, which become sums. */
#include "museum_kit.h"

static volatile float factors[64];
static volatile int is_ready;

ifn_status museum_table_added_up_by_two(ifn_backend *self, const ifn_add_scalar_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (!is_ready) {
        for (int i = 0; i < 64; i++)
            factors[i] = factors[i] + 1;
        is_ready = 1;
    }
    const ifn_status status = ifn_add_scalar(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && i < part.end; i++)
        a->out[i] *= factors[i % 64];
    return status;
}
