/*
 * Rows are done in pairs whatever the part: an odd part writes a row of its neighbour.
 *
 * Follows llama.cpp#10561
 */
#include "museum_kit.h"

ifn_status museum_odd_part(ifn_backend *self, const ifn_matmul_args *a)
{
    ifn_matmul_args pairs = *a;
    if (a->part_end && (a->part_end - a->part_begin) % 2 && a->part_end < a->m)
        pairs.part_end++;
    return ifn_matmul(self->base, &pairs);
}
