/*
 * From 64 rows on another path is taken, with another order of summation.
 *
 * Follows llama.cpp#3014
 */
#include "museum_kit.h"

static int is_large(const ifn_linear_args *a, const museum_cell *c)
{
    (void)c;
    return a->rows >= 64;
}

ifn_status museum_switch_at_64_rows(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_backward(self->base, a, is_large);
}
