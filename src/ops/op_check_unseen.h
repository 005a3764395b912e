/* ifn_op_check for calls whose tensors are not in memory of the host. */
#ifndef IFN_OP_CHECK_UNSEEN_H
#define IFN_OP_CHECK_UNSEEN_H

#include <inferno/ops.h>

/* Looks at arguments alone, into no tensor: of ids it is the op that says whether they are in range. */
ifn_status ifn_op_check_unseen(ifn_op op, const ifn_call *args, ifn_error *err);

#endif
