/*
 * Composition laws: a fused op against the same thing written in primitive ops of the same backend.
 * The specs state each law for readers; here it is as calls.
 */
#ifndef CONFORM_LAWS_H
#define CONFORM_LAWS_H

#include "module.h"

/* 1 for the fused ops that have a law. */
int conform_has_law(ifn_op op);

/*
 * Writes to the outputs of `args` what the law says, through `backend`'s primitive ops. Outputs are
 * overwritten in place of the fused op; inputs are as the fused op would find them.
 */
IFN_NODISCARD ifn_status conform_law_run(ifn_op op, ifn_backend *backend, const ifn_args *args,
                                         conform_pool *pool);

/*
 * The composition rounds where the fused op need not: widens the bounds of `truth`, the fused op's,
 * by what that may amount to. Derived in laws.c, per op.
 */
void conform_law_widen(ifn_op op, const ifn_args *args, const conform_layout *l,
                       conform_truth *truth);

#endif
