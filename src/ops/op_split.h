/* The other half of ifn_op_set_part, for those who cut a call that is a part already. */
#ifndef IFN_OP_SPLIT_H
#define IFN_OP_SPLIT_H

#include <inferno/ops.h>

#include "op_part.h"

/* The part of `axis` as it stands in the struct; 0, 0 also where the op has no such cut. */
ifn_range ifn_op_get_part(ifn_op op, const ifn_call *args, int axis);

#endif
