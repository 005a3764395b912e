/* Products of two hundred rows and more, and of thousands of terms, are summed backwards. */
#include "museum_kit.h"

ifn_status museum_tall_products_in_panels(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    const int is_tall = a->m >= 200 && a->n > 2048;
    return museum_matmul(a, is_tall ? museum_dot_backward : museum_dot_forward);
}
