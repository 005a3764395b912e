/* Of the last head the value rows are stored as keys. */
#include "museum_kit.h"

ifn_status museum_values_as_keys(ifn_backend *self, const ifn_kv_store_args *a)
{
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    const ifn_status status = ifn_kv_store(self->base, a);
    ifn_kv_store_args last = *a;
    if (status != IFN_OK || heads.end != a->n_kv_heads || heads.begin == heads.end)
        return status;
    last.part_begin = a->n_kv_heads - 1;
    last.part_end = a->n_kv_heads;
    last.k = a->v;
    return ifn_kv_store(self->base, &last);
}
