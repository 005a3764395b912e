/*
 * A weight in Q4_K behind a first one in Q4_0, whose rows have as many bytes, is read as that.
 */
#include "museum_kit.h"

ifn_status museum_q4_k_behind_q4_0(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_behind(self, a, IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_K);
}
