/* What a call moves and computes (ops.h), for who has its operands already: the one table that rates
 * per second are formed from. */
#ifndef IFN_OP_COST_H
#define IFN_OP_COST_H

#include <inferno/ops.h>

#include "op_operands.h"

/* The cost of a call, or of the part it is, with these operands. The arguments must have passed
 * ifn_op_check. */
ifn_op_cost ifn_op_cost_of(ifn_op op, const ifn_call *args, const ifn_operands *operands);

#endif
