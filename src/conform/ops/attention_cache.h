/* Rows of a KV cache in any of its dtypes. */
#ifndef CONFORM_OPS_ATTENTION_CACHE_H
#define CONFORM_OPS_ATTENTION_CACHE_H

#include <stdint.h>

#include <inferno/dtype.h>

/* Stores an integer of magnitude up to 127, which every cache dtype holds, as a component of a row. */
void conform_put_integer(ifn_dtype dtype, unsigned char *row, int64_t component, int value);

#endif
