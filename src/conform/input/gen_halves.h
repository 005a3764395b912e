/* Fills F16 and BF16 tensors: a part of gen_blocks.c. */
#ifndef CONFORM_GEN_HALVES_H
#define CONFORM_GEN_HALVES_H

#include "case.h"
#include "operand.h"

/* As conform_fill_blocks. */
void conform_fill_halves(const conform_case *c, const char *name, conform_operand operand,
                         ifn_dtype dtype, int64_t k, unsigned char *out, int64_t n_rows,
                         int64_t cols);

#endif
