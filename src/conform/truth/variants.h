/*
 * Honest backends that round differently: scalar with other orders of summation, with contraction,
 * with f64 sums. They must pass every case (no false alarms), and their spread around the truth is
 * the noise floor (numerics 11).
 */
#ifndef CONFORM_VARIANTS_H
#define CONFORM_VARIANTS_H

#include <inferno/backend.h>

/* How many there are, and the i-th; NULL beyond. A leaf on scalar: ifn_backend_open_desc. Static.
 */
int conform_variant_count(void);
const ifn_backend_desc *conform_variant_desc(int index);

/* By name: "reversed", "pairwise", "lanes4", "lanes8", "lanes16", "fma", "double", ...; or NULL. */
const ifn_backend_desc *conform_variant_find(const char *name);

#endif
