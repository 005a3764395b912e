/* A row sees the key after its own. */
#include "museum_kit.h"

static int64_t next(const ifn_attention_args *a, int64_t pos)
{
    return pos + 1 < a->max_pos ? pos + 1 : pos;
}

ifn_status museum_sees_the_next(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, next);
}
