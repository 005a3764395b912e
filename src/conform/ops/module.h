/*
 * A module: all that the harness knows about one op, in one place. It has the op's tensors, its inputs, its argument
 * struct, and the truth with its bound. There is one module per op, in ops/<op>.c; IFN_OPS makes a missing one a link
 * error.
 */
#ifndef CONFORM_MODULE_H
#define CONFORM_MODULE_H

#include <stdbool.h>

#include <inferno/backend.h>
#include <inferno/ops.h>
#include <inferno/tensor.h>

#include "truth.h"

enum { CONFORM_MAX_ALIASES = 4 };

/* Fills the entries of a weight's shape from n_dims on, so that a backend that computes with them gives wrong
 * results. */
enum { CONFORM_NO_SIZE = -7 };

/* The arguments of one call, filled by the module; pointers are addresses in the worker's placement. */
typedef struct conform_call {
    ifn_args args;
    ifn_tensor weights[IFN_LINEAR_MAX]; /* views that args points to */
    const void *host_ids;
} conform_call;

typedef struct conform_module {
    ifn_op op;
    const char *dim_names[CONFORM_MAX_DIMS]; /* "m", "n", "p", NULL...; order of conform_case.dim */
    const char *aliases[CONFORM_MAX_ALIASES]; /* "out=x": permitted exact overlaps, in order */
    const char *block_dim; /* the dimension that must be whole blocks of all dtypes; NULL: none */
    bool is_reduction;     /* has tiers T0, T1, T2 */
    bool has_statistics;   /* T2 applies */

    /* Fills in the tensors of a case, as conform_case_layout does. NULL: they follow from the
     * signature, in its order, with one or two dimensions each. */
    ifn_status (*layout)(const conform_case *c, conform_layout *out);
    /* Fills every ROLE_IN, ROLE_INOUT and ROLE_HOST source buffer, gaps excluded. */
    void (*fill)(const conform_case *c, const conform_layout *l, void *const *data);
    /* Sets the arguments that do not follow from the signature; it is called after those that do are
     * set. NULL: there are none. */
    void (*bind)(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call);
    /* Computes truth[i] for every tensor i that the op writes. `data` are the inputs before the call. */
    void (*truth)(const conform_case *c, const conform_layout *l, void *const *data,
                  const conform_declared *declared, conform_pool *pool, conform_truth *truth);
    /* The work of a case, in multiply-adds or elements, which the size budget counts. */
    int64_t (*work)(const conform_case *c);

    /*
     * The sizes that bench times, such as "n=3072;n=196608", and the dtypes; NULL: F32. The sizes are those of
     * Qwen3-0.6B: rows of 1024, 16 query heads of 128 and 8 KV heads, a feed-forward width of 3072, 151936
     * tokens. One row is decoding, 64 rows are a chunk of a prompt; 512 positions are in the cache. Primitive ops
     * have the sizes of the fused ops that they replace.
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
