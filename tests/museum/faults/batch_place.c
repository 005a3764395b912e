/*
 * Every fourth row of a batch takes another path, which sums in another order.
 *
 * Follows llama.cpp#6583
 */
#include "museum_kit.h"

static int is_fourth(const ifn_linear_args *a, const museum_cell *c)
{
    (void)a;
    return c->row % 4 == 3;
}

ifn_status museum_batch_place(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_backward(self->base, a, is_fourth);
}
