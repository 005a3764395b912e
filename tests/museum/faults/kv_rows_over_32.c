/* If there are more than 32 new rows, those after the 32nd are not stored. */
#include "museum_kit.h"

ifn_status museum_kv_rows_over_32(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args fewer = *a;
    if (a->rows > 32 && a->first_pos + a->rows <= a->max_pos)
        fewer.rows = 32;
    return ifn_kv_store(self->base, &fewer);
}
