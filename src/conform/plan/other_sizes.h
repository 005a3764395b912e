/* The same call at other sizes: short ones of any remainder, beside at most one that is long. */
#ifndef CONFORM_OTHER_SIZES_H
#define CONFORM_OTHER_SIZES_H

#include "profile.h"
#include "spec.h"

/* Around how many sizes a case of a run has others tried, of an op with one dtype; with more of them, fewer. */
int conform_other_sizes(conform_profile profile);

/* How many others a case in a run of `n` has: none where its results tell little about sizes. */
int conform_other_sizes_of(const conform_case *c, const spec_op *spec, int n);

/* Draws number i of the others of a case: all but its sizes, its seed and its overlap is as it was.
 * Returns 0 if there is none that costs little. */
int conform_other_sizes_draw(const conform_case *c, const spec_op *spec, int i, conform_case *out);

#endif
