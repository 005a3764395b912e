/* If more than 128 rows leave one row over after tiles of 64, that row does not see its own key. */
#include "museum_kit.h"

static int64_t without_its_own(const ifn_attention_args *a, int64_t pos)
{
    const int is_left_over = a->rows > 128 && a->rows % 64 == 1;
    return is_left_over && pos > 0 && pos == a->first_pos + a->rows - 1 ? pos - 1 : pos;
}

ifn_status museum_last_query_of_a_tile(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, without_its_own);
}
