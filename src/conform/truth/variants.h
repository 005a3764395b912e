/*
 * Variants: correct backends that round differently. They are scalar with other orders of summation, with fused
 * multiply-add, or with f64 sums. They must pass every case (no false alarms), and their spread around the truth
 * is the noise floor (numerics 11).
 */
#ifndef CONFORM_VARIANTS_H
#define CONFORM_VARIANTS_H

#include "arithmetic.h"

/* The number of variants, and the i-th one; NULL beyond. Each is a leaf on scalar, for ifn_backend_open_desc.
 * Static. */
int conform_variant_count(void);
const ifn_backend_desc *conform_variant_desc(int index);

/* The variant of a name: "reversed", "pairwise", "lanes4", "lanes8", "lanes16", "fma", "double", ...; or NULL. */
const ifn_backend_desc *conform_variant_find(const char *name);

/*
 * Opens the i-th variant as a backend that makes full use of declared arithmetic. Each index has its own roundings
 * (variant_round); beyond the count the variants repeat with other roundings. `declared` is copied. If it is NULL or
 * declares nothing, the variant is opened unchanged, and an index beyond the count gives IFN_ERR_ARGUMENT.
 */
IFN_NODISCARD ifn_status conform_variant_open(int index, const conform_arithmetics *declared,
                                              const ifn_backend_options *options, ifn_backend **out,
                                              ifn_error *err);

#endif
