/*
 * A weight in bf16 that follows a first weight in f16 is read as f16.
 */
#include "museum_kit.h"

ifn_status museum_bf16_behind_f16(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_behind(self, a, IFN_DTYPE_F16, IFN_DTYPE_BF16);
}
