/*
 * Honest backends that round differently: scalar with other orders of summation, with contraction,
 * with f64 sums. They must pass every case (no false alarms), and their spread around the truth is
 * the noise floor (numerics 11).
 */
#ifndef CONFORM_VARIANTS_H
#define CONFORM_VARIANTS_H

#include "arithmetic.h"

/* How many there are, and the i-th; NULL beyond. A leaf on scalar: ifn_backend_open_desc. Static.
 */
int conform_variant_count(void);
const ifn_backend_desc *conform_variant_desc(int index);

/* By name: "reversed", "pairwise", "lanes4", "lanes8", "lanes16", "fma", "double", ...; or NULL. */
const ifn_backend_desc *conform_variant_find(const char *name);

/*
 * The i-th variant as a backend that does all that is declared, each index with roundings of its own
 * (variant_round): beyond the count the variants come again, and round otherwise. `declared` is
 * copied; NULL, or where nothing is: as it is, and IFN_ERR_ARGUMENT beyond the count.
 */
IFN_NODISCARD ifn_status conform_variant_open(int index, const conform_arithmetics *declared,
                                              const ifn_backend_options *options, ifn_backend **out,
                                              ifn_error *err);

#endif
