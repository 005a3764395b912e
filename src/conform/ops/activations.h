/* Outputs that an op writes either as f32 or directly quantized to Q8_32F. */
#ifndef CONFORM_OPS_ACTIVATIONS_H
#define CONFORM_OPS_ACTIVATIONS_H

#include "module.h"

/* Adds the tensor "out" [rows, dim]. IFN_ERR_SHAPE: dim is no multiple of the dtype's blocks. */
ifn_status conform_add_activations(conform_layout *l, ifn_dtype dtype, int64_t rows, int64_t dim);

/*
 * Turns a CLASS_BOUND truth of n f32 elements into a CLASS_DECODED truth of their quantized form. It accepts
 * the correct blocks of any f32 results within the bounds. Whether they are, bit for bit, the blocks of the backend's
 * own f32 results is class I, which a second run checks.
 */
void conform_judge_quantized(conform_truth *t, int64_t n);

#endif
