/*
 * A weight in bf16 behind a first one in f16 is read as that.
 */
#include "museum_kit.h"

ifn_status museum_bf16_behind_f16(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_behind(self, a, IFN_DTYPE_F16, IFN_DTYPE_BF16);
}
