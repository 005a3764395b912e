/* The counterpart of ifn_op_set_part, for code that cuts a call which already has a part. */
#ifndef IFN_OP_SPLIT_H
#define IFN_OP_SPLIT_H

#include <inferno/ops.h>

#include "op_part.h"

/* The part along `axis` (0 or 1) as the struct holds it; 0, 0 also if the op has no such cut. */
ifn_range ifn_op_get_part(ifn_op op, const ifn_call *args, int axis);

#endif
