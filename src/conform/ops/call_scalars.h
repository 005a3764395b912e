/* Writes the scalars of a call with the names of the argument structs, for programs that lack these structs. */
#ifndef CONFORM_CALL_SCALARS_H
#define CONFORM_CALL_SCALARS_H

#include <stdio.h>

#include "module.h"

/* Writes "rows: 3, dim: 8, eps: 1e-05", without parts and strides, which only describe the caller's layout. */
void conform_put_scalars(ifn_op op, const conform_call *call, FILE *out);

#endif
