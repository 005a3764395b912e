/* The same call at other sizes: short ones of any remainder, beside at most one that is long. */
#ifndef CONFORM_OTHER_SIZES_H
#define CONFORM_OTHER_SIZES_H

#include "plan.h"
#include "spec.h"

/* How many others a case of such a run has for each of its sizes, of an op with one dtype; 0 where somebody names the
 * cases: their shape or their number. */
int conform_other_sizes(const conform_filter *filter);

/* How many others a case in a run of `n` has: none where its results tell little about sizes. */
int conform_other_sizes_of(const conform_case *c, const spec_op *spec, int n);

/* Draws number i of the others of a case: all but its sizes, its seed and its overlap is as it was.
 * Returns 0 if there is none that costs little. */
int conform_other_sizes_draw(const conform_case *c, const spec_op *spec, int i, conform_case *out);

#endif
