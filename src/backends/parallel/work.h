/* Whether a call is worth cutting. */
#ifndef IFN_PARALLEL_WORK_H
#define IFN_PARALLEL_WORK_H

#include <inferno/ops.h>

/*
 * Roughly how much there is to do, in steps (work.c says how long one is); all of the call,
 * whatever its part. 0 where there is nothing to do, or the sizes are such as no legal call has:
 * what has a positive answer may be asked for its extents.
 */
double ifn_parallel_work(ifn_op op, const ifn_call *args);

#endif
