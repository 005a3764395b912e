/*
 * Position 0 is reserved for padded rows: a real row there is not stored.
 *
 * Follows sglang#32477
 */
#include "museum_kit.h"

ifn_status museum_slot_zero_reserved(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args after = *a;
    if (a->first_pos != 0 || a->rows < 1 || a->n_kv_heads < 1 || a->head_dim < 1 || !a->k || !a->v)
        return ifn_kv_store(self->base, a);
    after.first_pos = 1;
    after.rows = a->rows - 1;
    after.k = a->k + a->n_kv_heads * a->head_dim;
    after.v = a->v + a->n_kv_heads * a->head_dim;
    return ifn_kv_store(self->base, &after);
}
