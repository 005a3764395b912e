/*
 * Both ends of a part are rounded up to a multiple of eight features. Parts still meet without a gap, but each writes
 * features of its neighbour.
 *
 * Follows llama.cpp#16956
 */
#include "museum_kit.h"

static int64_t in_eights(int64_t feature, int64_t n)
{
    const int64_t up = (feature + 7) / 8 * 8;
    return up < n ? up : n;
}

ifn_status museum_parts_rounded_up(ifn_backend *self, const ifn_linear_q8_args *a)
{
    ifn_linear_q8_args moved = *a;
    if (a->part_end == 0 || a->n_w < 1 || a->n_w > IFN_LINEAR_MAX)
        return ifn_linear_q8(self->base, a);
    moved.part_begin = in_eights(a->part_begin, museum_features(a));
    moved.part_end = in_eights(a->part_end, museum_features(a));
    return moved.part_begin < moved.part_end ? ifn_linear_q8(self->base, &moved) : IFN_OK;
}
