/* The scalars of a call, by the names of the argument structs: for programs without those. */
#ifndef CONFORM_CALL_SCALARS_H
#define CONFORM_CALL_SCALARS_H

#include <stdio.h>

#include "module.h"

/* "rows: 3, dim: 8, eps: 1e-05": without parts and strides, which are the caller's layout. */
void conform_put_scalars(ifn_op op, const conform_call *call, FILE *out);

#endif
