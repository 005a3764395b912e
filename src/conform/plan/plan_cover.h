/*
 * Records which combinations of three factors the cases have covered. A factor is a dimension (its size class
 * modulo vector widths, not the size itself), the dtype, the output dtype, the family, the overlap, or the tier
 * with raw or prepared weights.
 */
#ifndef CONFORM_PLAN_COVER_H
#define CONFORM_PLAN_COVER_H

#include "module.h"

enum { COVER_VALUES = 32, COVER_FACTORS = CONFORM_MAX_DIMS + 5 };

typedef struct conform_cover {
    int n_factors;
    int64_t n_covered;
    uint32_t *seen; /* [factor triples][value][value], a bit per third value */
} conform_cover;

/* The class of a size: 0, 1, a multiple of 8 .. 64, one more, one less, or another. */
int conform_size_class(int64_t size);

IFN_NODISCARD ifn_status conform_cover_open(conform_cover *self, int n_dims, ifn_error *err);
void conform_cover_close(conform_cover *self);

/* Returns the number of triples of this case that are new; `mark` records them as covered. */
int conform_cover_gain(conform_cover *self, const conform_case *c, int mark);

#endif
