/*
 * What follows from the signature of an op: the arguments of a case's call, and the tensors of a
 * case, for modules that have nothing of their own to say about them.
 */
#ifndef CONFORM_REGULAR_H
#define CONFORM_REGULAR_H

#include "module.h"

/*
 * Fills the arguments: numbers are the dims of the same name, dtypes those of the case, pointers
 * the buffers of the tensors of the same name. What has no such name is 0 or NULL, for a module to
 * set. A float that is a tensor of the case is its first element.
 */
void conform_regular_bind(const conform_case *c, const conform_layout *l, void *const *data,
                          conform_call *call);

/* Tensors of one or two dimensions, in the order of the signature. IFN_ERR_SHAPE where a number is
 * out of its range, a window does not fit, or a row holds no whole blocks. */
ifn_status conform_regular_layout(const conform_case *c, conform_layout *out);

#endif
