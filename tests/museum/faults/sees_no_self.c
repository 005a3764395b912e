/* A row does not see its own key. */
#include "museum_kit.h"

static int64_t before(const ifn_attention_args *a, int64_t pos)
{
    (void)a;
    return pos > 0 ? pos - 1 : 0;
}

ifn_status museum_sees_no_self(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, before);
}
