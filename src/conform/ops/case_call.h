/*
 * Makes the tensors and the arguments of a case: from the signature of its op, and from the op's module if that
 * adds or changes something.
 */
#ifndef CONFORM_CASE_CALL_H
#define CONFORM_CASE_CALL_H

#include "module.h"

/* Fills in the tensors. IFN_ERR_SHAPE: the op has no such case, because a number is out of its range, a window does not
 * fit, or a row is no whole number of blocks. */
ifn_status conform_case_layout(const conform_case *c, conform_layout *out);

/*
 * Fills `call->args` (call.bytes set; parts 0, 0) for buffers at `data`. Numbers are the dims of the same name, dtypes
 * are those of the case, pointers are the buffers of the tensors of the same name. A float argument is the first
 * element of the tensor of its name.
 */
void conform_case_bind(const conform_case *c, const conform_layout *l, void *const *data,
                       conform_call *call);

#endif
