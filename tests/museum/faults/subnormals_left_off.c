/*
 * Subnormals are switched off for the whole process, as -ffast-math does at load.
 *
 * Follows llvm-project#57589
 */
#include "museum_kit.h"

ifn_status museum_subnormals_left_off(ifn_backend *self, const ifn_scale_args *a)
{
    const ifn_status status = ifn_scale(self->base, a);
    museum_flush_subnormals();
    return status;
}
