/*
 * A callee-saved register is not restored.
 *
 * Follows openssl#29378
 */
#include "museum_kit.h"

ifn_status museum_clobbered_register(ifn_backend *self, const ifn_add_scalar_args *a)
{
    const ifn_status status = ifn_add_scalar(self->base, a);
    museum_clobber_register();
    return status;
}
