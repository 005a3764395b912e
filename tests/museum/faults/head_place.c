/* Odd heads multiply by a reciprocal where even ones divide. */
#include "museum_kit.h"

static int is_odd(const ifn_attention_args *a, int64_t head)
{
    (void)a;
    return head % 2 == 1;
}

ifn_status museum_head_place(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_nudged(self->base, a, is_odd);
}
