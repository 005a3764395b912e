/*
 * What the harness knows about one op, once: its tensors, how inputs are made, how the argument
 * struct is filled, and the truth with its bound. One module per op, in ops/<op>_bind.c (tensors,
 * inputs, arguments) and ops/<op>_oracle.c (truth); a missing one is a link error, by IFN_OPS.
 */
#ifndef CONFORM_MODULE_H
#define CONFORM_MODULE_H

#include <inferno/backend.h>
#include <inferno/ops.h>
#include <inferno/tensor.h>

#include "case.h"

enum { CONFORM_MAX_TENSORS = 24, CONFORM_MAX_ALIASES = 4 };

/* In the entries of a weight's shape from n_dims on: who computes with it is found out. */
enum { CONFORM_NO_SIZE = -7 };

typedef enum conform_role {
    ROLE_IN,     /* read only while the op runs */
    ROLE_OUT,    /* written: every element, or the region the op's split says */
    ROLE_INOUT,  /* read and written in place: fill_strict_upper_tri, kv_store's caches, ... */
    ROLE_HOST,   /* host memory: copy_in's source, copy_contiguous_into's destination to_host */
    ROLE_BETWEEN /* written by the first of two calls for the second: the backend's own business */
} conform_role;

typedef enum conform_element {
    ELEMENT_F32,
    ELEMENT_I32,
    ELEMENT_BLOCKS, /* rows of `dtype`, ifn_dtype_row_bytes each */
    ELEMENT_BYTES
} conform_element;

/* One buffer of a call. */
typedef struct conform_tensor {
    const char *name; /* as in the spec; static */
    conform_role role;
    conform_element element;
    ifn_dtype dtype;    /* ELEMENT_BLOCKS */
    int64_t rows, cols; /* cols in elements of dtype */
    int64_t stride;     /* from row to row, in elements (blocks: in blocks); >= cols */
    int32_t absent;     /* 1: a NULL pointer is passed (optional argument left out) */
    int32_t masked;     /* 1: holds rows the op must not read as numbers (filled with NaN) */
    size_t bytes;       /* of the whole buffer, gaps of the stride included, no gap at the end */
    size_t align;       /* of an element: placements go through every multiple of it */
} conform_tensor;

typedef struct conform_layout {
    int n;
    conform_tensor t[CONFORM_MAX_TENSORS];
} conform_layout;

/* What a backend's manifest amounts to for one case: every default filled in. */
typedef struct conform_declared {
    int64_t depth;                          /* 0: the op's default */
    int64_t more_depth[IFN_LINEAR_MAX - 1]; /* of weights of other dtypes: conform_case.more */
    double exp_eps;                         /* relative error of exp: 4u unless declared */
    double rsqrt_rel;                       /* 2u unless declared */
    int offset_split, ftz, rope_angle_f32;
} conform_declared;

/* How an output element is judged. */
typedef enum conform_class {
    CLASS_BITS,    /* equal bits; any NaN equals any NaN */
    CLASS_RAW,     /* equal bits, NaN payloads included: data movement, blocks, untouched bytes */
    CLASS_BOUND,   /* |got - want| <= bound; non-finite want by kind */
    CLASS_DECODED, /* CLASS_BOUND on what the blocks of a tensor stand for */
    CLASS_QUALITY  /* the blocks of a quantizer that searches: the root of the sum of squared errors
                    * of each block <= bound of its first element */
} conform_class;

/*
 * Truth of one output tensor, one entry per element in the tensor's own order (gaps of the stride
 * excluded). CLASS_BOUND: want and bound. CLASS_BITS: want holds the f32 value exactly. CLASS_RAW:
 * `raw` holds the expected bytes of the whole buffer with gaps, and `raw_mask` (or NULL: all) has a
 * 1 for every bit that is judged. CLASS_DECODED, CLASS_QUALITY: as CLASS_BOUND, of a tensor of
 * blocks; a block that could not be the quantizer's (conform_block_is_valid) is wrong throughout.
 */
typedef struct conform_truth {
    conform_class class;
    double *want, *bound;
    unsigned char *raw, *raw_mask;
    /* Reductions: the median of |p_j| / bound over the terms of the element that is sharpest
     * (numerics 4.3); 0 where it does not apply. Below 1 the case is BLUNT. */
    double power;
    /* CLASS_QUALITY: enough alike blocks for the error over all of them to be compared with the
     * reference's (numerics 8.4: at most 1.01 times it). */
    int is_row_set;
    /* Set by who asks: of a large case only some elements (sampled.h). */
    int is_sampled;
    /* The result is outside the domain of the bound in this element, or it is not among those
     * chosen: not judged. */
    unsigned char *skip; /* [elements] or NULL */
    /* CLASS_BOUND in T2: the part of `bound` that may be one-sided (numerics 4.5); NULL: none. */
    double *lean;
} conform_truth;

/* Filled by the module; buffers are addresses of the worker's placement. */
typedef struct conform_call {
    ifn_args args;
    ifn_tensor weights[IFN_LINEAR_MAX]; /* views that args points to */
    const void *host_ids;
} conform_call;

/* Memory for truth that lives until the case is over. Without memory it does not return: pool.h. */
typedef struct conform_pool conform_pool;
void *conform_pool_take(conform_pool *pool, size_t count, size_t size); /* zeroed, aligned to 64 */

typedef struct conform_module {
    ifn_op op;
    const char *dim_names[CONFORM_MAX_DIMS]; /* "m", "n", "p", NULL...; order of conform_case.dim */
    const char *aliases[CONFORM_MAX_ALIASES]; /* "out=x": permitted exact overlaps, in order */
    const char *block_dim; /* the dimension that is whole blocks of all dtypes; NULL: none */
    int is_reduction;      /* has tiers T0, T1, T2 */
    int has_statistics;    /* T2 applies */

    /* Fills in the tensors of a case. IFN_ERR_SHAPE: this case makes no sense for the op (a dim
     * that does not fit the dtype's block): it is skipped, not refused. */
    ifn_status (*layout)(const conform_case *c, conform_layout *out);
    /* Fills every ROLE_IN, ROLE_INOUT and ROLE_HOST source buffer, gaps excluded. */
    void (*fill)(const conform_case *c, const conform_layout *l, void *const *data);
    /* Fills `call->args` (call.bytes set; parts 0, 0) for buffers at `data`. */
    void (*bind)(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call);
    /* truth[i] for every tensor i that the op writes. `data` are the inputs before the call. */
    void (*truth)(const conform_case *c, const conform_layout *l, void *const *data,
                  const conform_declared *declared, conform_pool *pool, conform_truth *truth);
    /* Floating point operations or elements: what the size budget counts. */
    int64_t (*work)(const conform_case *c);
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

/* Starts the truth of one tensor, as it was asked for: arrays of n elements from the pool.
 * CLASS_RAW: n bytes. */
void conform_truth_take(conform_truth *t, conform_class class, int64_t n, conform_pool *pool);

/* Room for `lean` of n elements, in the cases whose bias is looked at. */
void conform_truth_may_lean(conform_truth *t, conform_tier tier, int64_t n, conform_pool *pool);

/* Helpers for layouts. */
void conform_add_f32(conform_layout *l, const char *name, conform_role role, int64_t rows,
                     int64_t cols);
void conform_add_strided(conform_layout *l, const char *name, conform_role role, int64_t rows,
                         int64_t cols, int64_t stride);
void conform_add_i32(conform_layout *l, const char *name, conform_role role, int64_t n);
void conform_add_blocks(conform_layout *l, const char *name, conform_role role, ifn_dtype dtype,
                        int64_t rows, int64_t cols);
void conform_add_bytes(conform_layout *l, const char *name, conform_role role, int64_t n);
void conform_add_absent(conform_layout *l, const char *name);
/* Of an element (of a block, where there are blocks), of a row without its gap, and from row to
 * row.
 */
size_t conform_element_bytes(const conform_tensor *t);
size_t conform_row_bytes(const conform_tensor *t);
size_t conform_stride_bytes(const conform_tensor *t);
/* Where tensor i lies modulo 64 when it lies at any address: every multiple of its alignment gets
 * its turn as cases go by. */
size_t conform_residue_of(const conform_case *c, int i, size_t align);
/* Index of a tensor by name; aborts on a name the layout does not have: our own mistake. */
int conform_tensor_index(const conform_layout *l, const char *name);

#endif
