/* From two hundred rows on and for depths of thousands another path is taken, which sums in another order. */
#include "museum_kit.h"

static int is_long_prompt(const ifn_linear_args *a, const museum_cell *c)
{
    (void)c;
    return a->rows >= 200 && a->k > 2048;
}

ifn_status museum_long_prompts_in_panels(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_backward(self->base, a, is_long_prompt);
}
