/*
 * A weight in Q5_K that follows a first weight in Q5_0, whose rows have as many bytes, is read as Q5_0.
 */
#include "museum_kit.h"

ifn_status museum_q5_k_behind_q5_0(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_behind(self, a, IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_K);
}
