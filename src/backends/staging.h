/* Staging: runs the ops that a device lacks on its base, in host memory. */
#ifndef IFN_STAGING_H
#define IFN_STAGING_H

#include <inferno/backend.h>

/* The memory that one lane stages calls in. */
typedef struct ifn_staging_lane {
    _Alignas(64) unsigned char *room;
    size_t bytes;
    uint64_t moved; /* bytes, either way, of all calls so far */
} ifn_staging_lane;

typedef struct ifn_staging {
    const ifn_allocator *alloc;
    int32_t n_lanes;
    ifn_staging_lane lanes[];
} ifn_staging;

/* NULL: out of memory. The first calls allocate the rooms, later ones enlarge them. */
ifn_staging *ifn_staging_open(int32_t n_lanes, const ifn_allocator *alloc);
void ifn_staging_close(ifn_staging *self); /* NULL is fine */

/*
 * Runs a call of `device` on `base`: copies out the tensors that the call reads by the op's signature, and
 * copies back in those it has written. The op fails as it would on the base, and then nothing is copied
 * back.
 */
IFN_NODISCARD ifn_status ifn_staging_run(ifn_staging *self, ifn_backend *device, ifn_backend *base,
                                         ifn_op op, const ifn_call *args);

#endif
