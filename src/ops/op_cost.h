/* The bytes and operations of a call (ops.h), for callers that already have its operands. All rates per second
 * are computed from this. */
#ifndef IFN_OP_COST_H
#define IFN_OP_COST_H

#include <inferno/ops.h>

#include "op_operands.h"

/* The cost of a call or, if it has a part, of that part. The arguments must have passed ifn_op_check. */
ifn_op_cost ifn_op_cost_of(ifn_op op, const ifn_call *args, const ifn_operands *operands);

#endif
