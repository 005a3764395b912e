/* A whole call computes only its lane's share, as if every lane ran the same call. */
#include "museum_kit.h"

ifn_status museum_share_of_a_whole(ifn_backend *self, const ifn_add_args *a)
{
    ifn_add_args share = *a;
    const int64_t each = a->call.n_lanes > 1 ? (a->n + a->call.n_lanes - 1) / a->call.n_lanes : 0;
    const int64_t begin = each * a->call.lane, end = begin + each < a->n ? begin + each : a->n;
    if (a->part_end != 0 || each < 1)
        return ifn_add(self->base, a);
    if (begin >= end)
        return IFN_OK;
    share.part_begin = begin;
    share.part_end = end;
    return ifn_add(self->base, &share);
}
