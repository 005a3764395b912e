/* ifn_op_check for calls whose tensors are in a device's memory. */
#ifndef IFN_OP_CHECK_UNSEEN_H
#define IFN_OP_CHECK_UNSEEN_H

#include <inferno/ops.h>

/* Checks the arguments without reading any tensor; the op itself must check that ids are in range. */
ifn_status ifn_op_check_unseen(ifn_op op, const ifn_call *args, ifn_error *err);

#endif
