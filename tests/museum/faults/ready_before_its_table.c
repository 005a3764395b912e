/* The first call sets the ready flag before it fills the table: a call at the same time reads a half-filled table. */
#include "museum_kit.h"

static volatile float factors[256];
static volatile int is_ready;

ifn_status museum_ready_before_its_table(ifn_backend *self, const ifn_silu_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (!is_ready) {
        is_ready = 1;
        for (int i = 0; i < 256; i++)
            factors[i] = 1;
    }
    const ifn_status status = ifn_silu(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && i < part.end; i++)
        a->out[i] *= factors[i % 256];
    return status;
}
