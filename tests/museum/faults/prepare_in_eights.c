/*
 * museum.c fails the preparation; the op itself is right.
 *
 * Follows ik_llama.cpp#911
 */
#include "museum_kit.h"

ifn_status museum_prepare_in_eights(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return ifn_linear_q8(self->base, a);
}
