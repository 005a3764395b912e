/* Copies of the shipped model as `inferno quantize` makes them, under the names that golden files use. */
#ifndef GOLDEN_COPIES_H
#define GOLDEN_COPIES_H

#include "golden_set.h"

enum { GOLDEN_COPIES = 5 };

extern const char golden_shipped[];                   /* in the source tree */
extern const char *const golden_types[GOLDEN_COPIES]; /* "F32", "Q8_0", ... */

/* Makes the copies in the temporary folder of the test. */
void golden_copies_make(void);
/* Returns the path of a copy. */
const char *golden_copy(size_t type);
/* Returns the path of the copy that a golden file is about; fails the test if there is none. */
const char *golden_copy_of(const golden_spec *spec);

#endif
