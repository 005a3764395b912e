/* What a call moves and computes: the one table that rates per second are formed from. */
#ifndef IFN_OP_COST_H
#define IFN_OP_COST_H

#include <stdint.h>

#include <inferno/ops.h>

#include "op_operands.h"

/*
 * bytes  of every operand the call touches, each counted once, as if nothing lay in a cache; a
 *        packed weight counts like the raw one
 * flops  one for each addition, subtraction, product, quotient, square root and exponential of the
 *        formula in ops.h, on integers too (linear_q8). Comparisons, negations and conversions are
 *        free; quantizing and dequantizing a block is one product an element
 */
typedef struct ifn_op_cost {
    uint64_t bytes, flops;
} ifn_op_cost;

/* The cost of a call, or of the piece it is, with these operands. The arguments must have passed
 * ifn_op_check. */
ifn_op_cost ifn_op_cost_of(ifn_op op, const ifn_call *args, const ifn_operands *operands);

#endif
