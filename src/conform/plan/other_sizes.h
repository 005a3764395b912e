/* Repeats the call of a case at other sizes: short ones of any remainder, and at most one long one among them. */
#ifndef CONFORM_OTHER_SIZES_H
#define CONFORM_OTHER_SIZES_H

#include "plan.h"
#include "spec.h"

/* The number of other calls per size of a case, for an op with one dtype. 0 if the caller sets the shape or the number
 * of the cases. */
int conform_other_sizes(const conform_filter *filter);

/* The number of other calls of this case, with `n` from conform_other_sizes. 0 if results of its tier and family tell
 * little about sizes. */
int conform_other_sizes_of(const conform_case *c, const spec_op *spec, int n);

/* Draws other call i of a case. Its sizes and seed are new, overlap, address and cut are reset, all else is the case's.
 * Returns 0 if no drawn sizes are cheap enough. */
int conform_other_sizes_draw(const conform_case *c, const spec_op *spec, int i, conform_case *out);

#endif
