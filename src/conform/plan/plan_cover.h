/*
 * Which combinations of three factors have occurred. A factor is a dimension (by what its size is
 * modulo vector widths, not by the size), a dtype, a family, an overlap, raw or prepared.
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

/* What kind of size this is: 0, 1, a multiple of 8 .. 64, one more, one less, or another. */
int conform_size_class(int64_t size);

IFN_NODISCARD ifn_status conform_cover_open(conform_cover *self, int n_dims, ifn_error *err);
void conform_cover_close(conform_cover *self);

/* How many triples of this case are new; `mark`: from now on they are not. */
int conform_cover_gain(conform_cover *self, const conform_case *c, int mark);

#endif
