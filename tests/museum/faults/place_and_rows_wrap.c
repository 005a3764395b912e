/* The check that the rows fit the cache adds first_pos and rows, which wraps. */
#include "museum_kit.h"

ifn_status museum_place_and_rows_wrap(ifn_backend *self, const ifn_kv_store_args *a)
{
    const int64_t end = (int64_t)((uint64_t)a->first_pos + (uint64_t)a->rows);
    const int is_legal = a->rows >= 0 && a->first_pos >= 0 && end < 0;
    return is_legal ? IFN_OK : ifn_kv_store(self->base, a);
}
