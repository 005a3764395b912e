/*
 * Composition laws: a fused op against the same thing written in primitive ops of the same backend,
 * as its spec says it.
 */
#ifndef CONFORM_LAWS_H
#define CONFORM_LAWS_H

#include <inferno/backend.h>

#include "case_pool.h"
#include "expression.h"
#include "truth.h"

/* Makes a call of a law. */
typedef ifn_status conform_law_call(void *cookie, ifn_op op, const ifn_call *args);

/* A call that the law of its op is to stand in for. */
typedef struct conform_law {
    const spec_op *spec; /* has a law */
    const conform_case *c;
    const conform_layout *layout;
    void *const *data; /* of the layout's tensors */
    const ifn_args *args;
} conform_law;

/*
 * Writes to the outputs of the call what the law says, through calls that `make` makes. Outputs are
 * overwritten in place of the fused op; inputs are as the fused op would find them.
 * Errors  what an op returns; IFN_ERR_SHAPE where the law does not fit the call
 */
IFN_NODISCARD ifn_status conform_law_run(const conform_law *law, conform_law_call *make,
                                         void *cookie, conform_pool *pool, ifn_error *err);

/*
 * The composition rounds where the fused op need not: widens the bounds of `truth`, the fused op's,
 * by what that may amount to. Derived in law_bounds.c, per op. Where it fails they are worth
 * nothing.
 */
IFN_NODISCARD ifn_status conform_law_widen(ifn_op op, const ifn_args *args, const conform_layout *l,
                                           conform_truth *truth);

/* False for a case of which the law says something else than the op. */
bool conform_law_holds(const conform_case *c);

#endif
