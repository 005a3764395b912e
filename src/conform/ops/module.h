/*
 * What the harness knows about one op, once: its tensors, how inputs are made, how the argument
 * struct is filled, and the truth with its bound. One module per op, in ops/<op>.c; a missing one is
 * a link error, by IFN_OPS.
 */
#ifndef CONFORM_MODULE_H
#define CONFORM_MODULE_H

#include <stdbool.h>

#include <inferno/backend.h>
#include <inferno/ops.h>
#include <inferno/tensor.h>

#include "truth.h"

enum { CONFORM_MAX_ALIASES = 4 };

/* In the entries of a weight's shape from n_dims on: who computes with it is found out. */
enum { CONFORM_NO_SIZE = -7 };

/* Filled by the module; buffers are addresses of the worker's placement. */
typedef struct conform_call {
    ifn_args args;
    ifn_tensor weights[IFN_LINEAR_MAX]; /* views that args points to */
    const void *host_ids;
} conform_call;

typedef struct conform_module {
    ifn_op op;
    const char *dim_names[CONFORM_MAX_DIMS]; /* "m", "n", "p", NULL...; order of conform_case.dim */
    const char *aliases[CONFORM_MAX_ALIASES]; /* "out=x": permitted exact overlaps, in order */
    const char *block_dim; /* the dimension that is whole blocks of all dtypes; NULL: none */
    bool is_reduction;     /* has tiers T0, T1, T2 */
    bool has_statistics;   /* T2 applies */

    /* Fills in the tensors of a case, as conform_case_layout says. NULL: they follow from the
     * signature, one or two dimensions each, in its order. */
    ifn_status (*layout)(const conform_case *c, conform_layout *out);
    /* Fills every ROLE_IN, ROLE_INOUT and ROLE_HOST source buffer, gaps excluded. */
    void (*fill)(const conform_case *c, const conform_layout *l, void *const *data);
    /* Sets the arguments that do not follow from the signature, after those that do; NULL: none.
     */
    void (*bind)(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call);
    /* truth[i] for every tensor i that the op writes. `data` are the inputs before the call. */
    void (*truth)(const conform_case *c, const conform_layout *l, void *const *data,
                  const conform_declared *declared, conform_pool *pool, conform_truth *truth);
    /* Floating point operations or elements: what the size budget counts. */
    int64_t (*work)(const conform_case *c);

    /*
     * What bench times: "n=3072;n=196608", and dtypes; NULL: F32. The sizes are those of Qwen3-0.6B:
     * rows of 1024, 16 heads of 128 that share 8 of keys and values, 3072 wide in between, 151936
     * tokens. One row is decoding, 64 are a chunk of a prompt; 512 positions are in the cache. The
     * primitive ops are as large as what stands in their place.
     */
    const char *model_sizes, *model_dtypes;
} conform_module;

/* conform_module_matmul and conform_truth_matmul, ...: one of each per op. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    extern const conform_module conform_module_##name;                                             \
    void conform_truth_##name(const conform_case *c, const conform_layout *l, void *const *data,   \
                              const conform_declared *declared, conform_pool *pool,                \
                              conform_truth *truth);
IFN_OPS(X)
#undef X

const conform_module *conform_module_of(ifn_op op);

#endif
