/* An empty sum, which is zero, is not written. */
#include "museum_kit.h"

ifn_status museum_empty_sum_unwritten(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n == 0 && a->m >= 0 && a->p >= 0 ? IFN_OK : ifn_matmul(self->base, a);
}
