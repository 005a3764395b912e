/*
 * A weight in Q5_K behind a first one in Q5_0, whose rows have as many bytes, is read as that.
 */
#include "museum_kit.h"

ifn_status museum_q5_k_behind_q5_0(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_behind(self, a, IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_K);
}
