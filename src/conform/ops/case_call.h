/*
 * The tensors and the arguments of a case: what follows from the signature of its op, and what the
 * op's module adds or does otherwise.
 */
#ifndef CONFORM_CASE_CALL_H
#define CONFORM_CASE_CALL_H

#include "module.h"

/* Fills in the tensors. IFN_ERR_SHAPE where a number is out of its range, a window does not fit, or
 * a row holds no whole blocks: the case makes no sense for the op, and is skipped. */
ifn_status conform_case_layout(const conform_case *c, conform_layout *out);

/*
 * Fills `call->args` (call.bytes set; parts 0, 0) for buffers at `data`: numbers are the dims of
 * the same name, dtypes those of the case, pointers the buffers of the tensors of the same name. A
 * float that is a tensor of the case is its first element.
 */
void conform_case_bind(const conform_case *c, const conform_layout *l, void *const *data,
                       conform_call *call);

#endif
