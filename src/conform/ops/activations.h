/* Outputs that an op writes either as f32 or, quantized on the spot, as Q8_32F. */
#ifndef CONFORM_OPS_ACTIVATIONS_H
#define CONFORM_OPS_ACTIVATIONS_H

#include "module.h"

/* Adds "out" of [rows, dim]. IFN_ERR_SHAPE where dim does not fit the blocks of the dtype. */
ifn_status conform_add_activations(conform_layout *l, ifn_dtype dtype, int64_t rows, int64_t dim);

/*
 * Turns a CLASS_BOUND truth of n f32 elements into one of their quantized form, CLASS_DECODED. It
 * holds for the right blocks of any f32 results within the bounds; that the blocks are those of the
 * backend's own f32 results, bit for bit, is class I and takes a second run.
 */
void conform_judge_quantized(conform_truth *t, int64_t n);

#endif
