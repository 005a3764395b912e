/* Random weights of every storage type, and their exact values. */
#ifndef IFN_OP_WEIGHTS_H
#define IFN_OP_WEIGHTS_H

#include "op_case.h"

/* Element i of the rows is scaled[i] + minimum[i], both exact: d * scale * code, and the minimum term of the format
 * (0 if it has none). */
typedef struct op_weights {
    ifn_tensor tensor;
    double *scaled, *minimum;
} op_weights;

typedef enum op_scales {
    OP_SCALES_ANY, /* full significands: sums round */
    OP_SCALES_ONE  /* 1: weights are integers */
} op_scales;

/* Makes weights [n, k] as an input of the case; k must be whole blocks. Every code and every group scale occurs. */
void op_weights_init(op_weights *w, op_case *c, ifn_dtype dtype, int64_t n, int64_t k,
                     op_scales scales);
/* Does the same with given blocks. */
void op_weights_init_with(op_weights *w, op_case *c, ifn_dtype dtype, int64_t n, int64_t k,
                          const void *blocks);
void op_weights_fini(op_weights *w);

/* numerics 8.1: elements per stored scale, at most 32; and whether there are minima. */
int64_t op_group(ifn_dtype dtype);
int op_has_minimum(ifn_dtype dtype);

/* Sets the f16 scale, and the minimum if there is one, of a block of weights. */
void op_set_scales(ifn_dtype dtype, void *block, uint16_t d, uint16_t minimum);

/* Makes n random blocks: codes -127 .. 127 and any scale, or codes -7 .. 7 and scale 1. In the latter case the sum
 * of the products of 512 of them with weights of scale 1 is exact in f32. */
void op_activations(op_case *c, ifn_block_q8_32f *x, int64_t n, op_scales scales);

/* numerics 7.3: expects `got` to be the product of row f of w and the blocks x, plus bias (NULL: none); integers
 * must be exact. */
void op_expect_dot(const op_case *c, const op_weights *w, int64_t f, const ifn_block_q8_32f *x,
                   const float *bias, op_scales scales, float got);

#endif
