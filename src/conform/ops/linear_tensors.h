/*
 * What linear and linear_q8 have in common: up to four weights that share x, of n, n + 1, ...
 * features, each with its output and, maybe, a bias. Tensor 0 is x, 1 + 3i the weight i.
 */
#ifndef CONFORM_OPS_LINEAR_TENSORS_H
#define CONFORM_OPS_LINEAR_TENSORS_H

#include "module.h"
#include "sampled.h"

/* pad: elements between the rows of x (blocks, in linear_q8) and of each output. bias: 1 where
 * there are biases: of all weights, of all but the first, or of every other one, by the seed */
enum { LINEAR_ROWS, LINEAR_N, LINEAR_K, LINEAR_N_W, LINEAR_PAD, LINEAR_BIAS };

/* What both modules say of themselves. */
#define LINEAR_MODULE                                                                              \
    .dim_names = {"rows", "n", "k", "n_w", "pad", "bias"}, .block_dim = "k", .is_reduction = 1,    \
    .has_statistics = 1, .work = conform_linear_work,                                              \
    .model_sizes = "rows=1,n=3072,k=1024;rows=64,n=3072,k=1024"

/* Adds weights, outputs and biases after x. IFN_ERR_SHAPE where n_w or k does not fit. */
ifn_status conform_linear_layout(const conform_case *c, conform_layout *out);

/* The case as if all its weights were of the dtype of weight i, with a bias where that has one. */
conform_case conform_linear_alone(const conform_case *c, int i);
/* What is declared, for it. */
conform_declared conform_linear_declared(const conform_declared *declared, int i);
/* The same for the weight whose lattice leaves the least to the activations they all share. */
conform_case conform_linear_narrowest(const conform_case *c);

/* The k that lattices must allow for: a bias is one more term. */
int64_t conform_linear_length(const conform_case *c);
/* Of what x and the weights are drawn from: infinite scales stand among positive numbers. */
conform_family conform_linear_family(const conform_case *c);
void conform_linear_fill(const conform_case *c, const conform_layout *l, void *const *data);

/* Where the argument struct, of either op, has its arrays of IFN_LINEAR_MAX members. */
typedef struct linear_arrays {
    const ifn_tensor **w;
    float **out;
    const float **bias;
    int64_t *out_stride;
} linear_arrays;

void conform_linear_bind(const conform_case *c, const conform_layout *l, void *const *data,
                         conform_call *call, linear_arrays out);

/* The features of one weight, of n, that are judged: all, or of a large case some. */
conform_lines conform_linear_lines(const conform_case *c, conform_truth *t, int64_t n,
                                   conform_pool *pool);

/* Multiply-adds of the call. */
int64_t conform_linear_work(const conform_case *c);

#endif
