/*
 * How a law calls an op: its tensors in the order of the signature, then the numbers that do not
 * follow from their shapes. "copy_2d_from_cols(x, cols, col_begin)"
 */
#ifndef CONFORM_SPEC_CALL_H
#define CONFORM_SPEC_CALL_H

#include <stdbool.h>

#include <inferno/signature.h>

enum { SPEC_CALL_TENSORS = 4, SPEC_CALL_NUMBERS = 8 };

typedef struct spec_call {
    int n_tensors, n_numbers;
    const ifn_op_arg *tensors[SPEC_CALL_TENSORS], *numbers[SPEC_CALL_NUMBERS];
    const ifn_op_arg *result;
    bool is_in_place; /* the op changes its only tensor, which is the result */
    bool is_into;     /* the op writes a part of the result and keeps the rest */
} spec_call;

/* Returns false for an op that a law cannot call: it has weights, or not exactly one result. */
bool spec_call_of(ifn_op op, spec_call *out);

/* Writes the call: "scale(x, value)". */
void spec_call_text(ifn_op op, const spec_call *call, char *out, size_t bytes);

#endif
