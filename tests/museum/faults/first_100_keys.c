/*
 * Only the first hundred keys are seen.
 *
 * Follows chatllm.cpp#38
 */
#include "museum_kit.h"

static int64_t in_first_100(const ifn_attention_args *a, int64_t pos)
{
    (void)a;
    return pos < 99 ? pos : 99;
}

ifn_status museum_first_100_keys(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, in_first_100);
}
