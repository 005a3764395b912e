/* Whether a call is worth cutting. */
#ifndef IFN_PARALLEL_WORK_H
#define IFN_PARALLEL_WORK_H

#include <inferno/ops.h>

/*
 * Roughly the work of the whole call, whatever its part, in steps (work.c defines a step). 0 if there is
 * nothing to do, or if no legal call has these sizes: only after a positive answer may the caller ask for the
 * call's extents.
 */
double ifn_parallel_work(ifn_op op, const ifn_call *args);

#endif
