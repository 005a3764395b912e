/* The last of several new rows is not stored. */
#include "museum_kit.h"

ifn_status museum_stale_kv_row(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args fewer = *a;
    const int64_t end = a->first_pos + a->rows;
    if (a->rows > 1 && end <= a->max_pos)
        fewer.rows--;
    return ifn_kv_store(self->base, &fewer);
}
