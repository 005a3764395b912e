/*
 * The size of a group serves as the modulus of heads.
 *
 * Follows HipKittens#22
 */
#include "museum_kit.h"

static int64_t by_group(const ifn_attention_args *a, int64_t head)
{
    const int64_t group = a->n_heads / a->n_kv_heads;
    return head % group % a->n_kv_heads;
}

ifn_status museum_kv_head_group_modulus(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_heads(self->base, a, by_group);
}
