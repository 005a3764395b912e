/*
 * What linear and linear_q8 have in common: up to four weights that share x, of about n features each, with an output
 * and optionally a bias for each. Tensor 0 is x, 1 + 3i weight i, 2 + 3i its output, 3 + 3i its bias.
 */
#ifndef CONFORM_OPS_LINEAR_TENSORS_H
#define CONFORM_OPS_LINEAR_TENSORS_H

#include "module.h"
#include "sampled.h"

/* pad: elements between the rows of x (blocks, in linear_q8) and of each output. bias: 1 where
 * there are biases: of all weights, of all but the first, or of every other one, by the seed */
enum { LINEAR_ROWS, LINEAR_N, LINEAR_K, LINEAR_N_W, LINEAR_PAD, LINEAR_BIAS };

/* The members that both modules share. */
#define LINEAR_MODULE                                                                              \
    .dim_names = {"rows", "n", "k", "n_w", "pad", "bias"}, .block_dim = "k", .is_reduction = 1,    \
    .has_statistics = 1, .work = conform_linear_work,                                              \
    .model_sizes = "rows=1,n=3072,k=1024;rows=64,n=3072,k=1024"

/* Adds weights, outputs and biases after x. IFN_ERR_SHAPE: n_w is out of range, or k is no multiple of the blocks. */
ifn_status conform_linear_layout(const conform_case *c, conform_layout *out);

/* The case as if all its weights had the dtype of weight i, and a bias if weight i has one. */
conform_case conform_linear_alone(const conform_case *c, int i);
/* The declarations for weight i. */
conform_declared conform_linear_declared(const conform_declared *declared, int i);
/* conform_linear_alone for the weight whose lattice leaves the smallest range to the activations that all weights
 * share. */
conform_case conform_linear_narrowest(const conform_case *c);

/* The k that lattices must allow for: a bias is one more term. */
int64_t conform_linear_length(const conform_case *c);
/* The family that x and the weights are drawn from; POSITIVE in a case with infinite scales. */
conform_family conform_linear_family(const conform_case *c);
void conform_linear_fill(const conform_case *c, const conform_layout *l, void *const *data);

/* The arrays of IFN_LINEAR_MAX members in the argument struct of either op. */
typedef struct linear_arrays {
    const ifn_tensor **w;
    float **out;
    const float **bias;
    int64_t *out_stride;
} linear_arrays;

void conform_linear_bind(const conform_case *c, const conform_layout *l, void *const *data,
                         conform_call *call, linear_arrays out);

/* The features of one weight, of n, that are judged: all, or some in a large case. */
conform_lines conform_linear_lines(const conform_case *c, conform_truth *t, int64_t n,
                                   conform_pool *pool);

/* Multiply-adds of the call. */
int64_t conform_linear_work(const conform_case *c);

#endif
