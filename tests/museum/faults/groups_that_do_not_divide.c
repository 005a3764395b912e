/*
 * Accepts a number of query heads that is not a multiple of the number of KV heads.
 *
 * Follows flash-linear-attention#1029
 */
#include "museum_kit.h"

ifn_status museum_groups_that_do_not_divide(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args fewer = *a;
    if (a->n_kv_heads > 0 && a->n_heads > a->n_kv_heads)
        fewer.n_heads = a->n_heads / a->n_kv_heads * a->n_kv_heads;
    return ifn_attention(self->base, fewer.n_heads == a->n_heads ? a : &fewer);
}
