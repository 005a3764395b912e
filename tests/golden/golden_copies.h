/* Copies of the shipped model as `inferno quantize` makes them, by the names that golden files give
 * them. */
#ifndef GOLDEN_COPIES_H
#define GOLDEN_COPIES_H

#include "golden_set.h"

enum { GOLDEN_COPIES = 5 };

extern const char golden_shipped[];                   /* of the source tree */
extern const char *const golden_types[GOLDEN_COPIES]; /* "F32", "Q8_0", ... */

/* Into the temporary folder of the test. */
void golden_copies_make(void);
/* The path of a copy. */
const char *golden_copy(size_t type);
/* Of the one that a golden file is about; fails the test where there is none. */
const char *golden_copy_of(const golden_spec *spec);

#endif
