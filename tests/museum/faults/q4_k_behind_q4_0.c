/*
 * A weight in Q4_K that follows a first weight in Q4_0, whose rows have as many bytes, is read as Q4_0.
 */
#include "museum_kit.h"

ifn_status museum_q4_k_behind_q4_0(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_behind(self, a, IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_K);
}
