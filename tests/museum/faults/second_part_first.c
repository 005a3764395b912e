/* B stands on top where both have the same number of rows. */
#include "museum_kit.h"

ifn_status museum_second_part_first(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    ifn_concat_dim0_args other = *a;
    if (a->a_rows == a->b_rows) {
        other.a = a->b;
        other.b = a->a;
    }
    return ifn_concat_dim0(self->base, &other);
}
