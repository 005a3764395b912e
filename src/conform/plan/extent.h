/* The numbers that expressions of dims stand for: "first_pos + rows + slack" of a case. */
#ifndef CONFORM_EXTENT_H
#define CONFORM_EXTENT_H

#include "case.h"

/* Returns 1 and sets *out; 0: a name is none of the op's dims, or it is no expression. Numbers,
 * dims, + - * / and brackets, as spec_check lets them into a spec; sizes that fit 64 bits. */
int conform_extent(const char *text, const conform_case *c, int64_t *out);

#endif
