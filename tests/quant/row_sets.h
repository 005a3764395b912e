/* The inputs of the quantizer references; fixtures/make/quant_reference.py has the same functions. */
#ifndef IFN_ROW_SETS_H
#define IFN_ROW_SETS_H

#include <stdint.h>

/* Returns splitmix64 of a counter, keyed by a name. */
uint64_t row_hash(const char *name, uint64_t index);

/* Returns a roughly normal number of variance 1, within -6 .. 6. */
float row_normal(const char *name, uint64_t index);

/*
 * Fills x[0..n) with a row set: "normal", "laplace", "sparse" (7 of 8 are zero), "constant" (one
 * value per 256), "outlier" (one of 256 is a hundred times larger) or "lattice" (half steps of the
 * pinned formats). Returns 0 for any other name.
 */
int row_set_fill(const char *name, float *x, int64_t n);

extern const char *const row_set_names[6];

#endif
