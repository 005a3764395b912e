/*
 * Composition laws: a fused op is compared with the same computation in primitive ops of the same backend, as its spec
 * states it.
 */
#ifndef CONFORM_LAWS_H
#define CONFORM_LAWS_H

#include <inferno/backend.h>

#include "case_pool.h"
#include "expression.h"
#include "truth.h"

/* Makes a call for a law. */
typedef ifn_status conform_law_call(void *cookie, ifn_op op, const ifn_call *args);

/* A call of a fused op that its law replaces. */
typedef struct conform_law {
    const spec_op *spec; /* one with a law */
    const conform_case *c;
    const conform_layout *layout;
    void *const *data; /* the layout's tensors */
    const ifn_args *args;
} conform_law;

/*
 * Computes the outputs of the call by its law, through calls that `make` makes. The outputs are overwritten; the inputs
 * must be as the fused op would find them.
 * Errors  what an op returns; IFN_ERR_SHAPE where the law does not fit the call
 */
IFN_NODISCARD ifn_status conform_law_run(const conform_law *law, conform_law_call *make,
                                         void *cookie, conform_pool *pool, ifn_error *err);

/*
 * Widens the bounds of `truth`, which are the fused op's, by the extra roundings of the composition: it rounds where
 * the fused op need not. law_bounds.c derives them for each op. If this fails, the bounds are unusable.
 */
IFN_NODISCARD ifn_status conform_law_widen(ifn_op op, const ifn_args *args, const conform_layout *l,
                                           conform_truth *truth);

/* False for a case whose law defines another result than the op. */
bool conform_law_holds(const conform_case *c);

#endif
