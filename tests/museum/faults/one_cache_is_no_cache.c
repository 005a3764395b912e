/* If the keys and the values are the same cache, which is legal, the cache is not read and the result is zeros. */
#include "museum_kit.h"

ifn_status museum_one_cache_is_no_cache(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->k_cache != a->v_cache || a->phase == IFN_ATTENTION_PARTIALS)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t i = heads.begin * a->head_dim; i < heads.end * a->head_dim; i++)
            a->out[r * a->n_heads * a->head_dim + i] = 0;
    return status;
}
