/*
 * The number of chunks is the number of threads, but their length is fixed: elements after the last chunk are not
 * written.
 *
 * Follows ik_llama.cpp#2357
 */
#include "museum_kit.h"

ifn_status museum_chunks_by_lanes(ifn_backend *self, const ifn_hadamard_args *a)
{
    ifn_hadamard_args chunks = *a;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (a->call.n_lanes < 3 || part.end - part.begin <= 64 * a->call.n_lanes)
        return ifn_hadamard(self->base, a);
    chunks.part_begin = part.begin;
    chunks.part_end = part.begin + 64 * a->call.n_lanes;
    return ifn_hadamard(self->base, &chunks);
}
