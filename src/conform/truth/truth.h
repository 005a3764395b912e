/* The truth of a case: the values that its outputs must have; and the declarations of the backend that it depends
 * on. */
#ifndef CONFORM_TRUTH_H
#define CONFORM_TRUTH_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "case_pool.h"
#include "tensor.h"

/* The declarations of a backend's manifest for one case, with every default filled in. */
typedef struct conform_declared {
    int64_t depth;                          /* 0: the op's default */
    int64_t more_depth[IFN_LINEAR_MAX - 1]; /* of weights of other dtypes: conform_case.more */
    double exp_eps;                         /* relative error of exp: 4u unless declared */
    double rsqrt_rel;                       /* 2u unless declared */
    int offset_split, ftz, rope_angle_f32;
    ifn_arithmetic arithmetic, more_arithmetic[IFN_LINEAR_MAX - 1]; /* as depth, more_depth */
    bool is_any_order; /* attention: R3 is not promised, so keys may be summed in another order */
} conform_declared;

/* How an output element is judged. */
typedef enum conform_class {
    CLASS_BITS,  /* equal bits; any NaN equals any NaN */
    CLASS_RAW,   /* equal bits, NaN payloads included: data movement, blocks, untouched bytes */
    CLASS_BOUND, /* |got - want| <= bound; for a want that is not finite, the same NaN or infinity */
    CLASS_DECODED, /* CLASS_BOUND on the decoded values of a tensor of blocks */
    CLASS_QUALITY /* the blocks of a quantizer that searches: for each block, the root of the sum of
                    * squared errors <= the bound of its first element */
} conform_class;

/* Whether an element is judged. */
typedef enum conform_skip {
    SKIP_NOT,
    SKIP_ANY,     /* not judged: outside the domain of the bound, or not in the sample */
    SKIP_INFINITE /* must be NaN or an infinity, as a block has an infinite scale (numerics 8) */
} conform_skip;

/*
 * Truth of one output tensor, one entry per element in the tensor's own order (gaps of the stride
 * excluded). CLASS_BOUND: want and bound. CLASS_BITS: want holds the f32 value exactly. CLASS_RAW:
 * `raw` holds the expected bytes of the whole buffer with gaps, and `raw_mask` (or NULL: all) has a
 * 1 for every bit that is judged. CLASS_DECODED, CLASS_QUALITY: as CLASS_BOUND, for a tensor of
 * blocks; all elements of a block that no quantizer gives (conform_block_is_valid) are wrong.
 */
typedef struct conform_truth {
    conform_class class;
    double *want, *bound;
    unsigned char *raw, *raw_mask;
    /* Reductions: the median of |p_j| / bound over the terms of the element that is sharpest
     * (numerics 4.3); 0 where it does not apply. Below 1 the case is BLUNT. */
    double power;
    /* CLASS_BITS: a zero may have either sign. */
    bool is_any_zero;
    /* CLASS_QUALITY: the tensor has enough similar blocks that the error over all of them is compared with the
     * reference's (numerics 8.4: at most 1.01 times it). */
    bool is_row_set;
    /* Set by the caller: only some elements of a large case are judged (sampled.h). */
    bool is_sampled;
    /* For each element, whether it is judged; NULL: all are. */
    unsigned char *skip; /* conform_skip */
    /* CLASS_BOUND in T2: the part of each bound that may be one-sided (numerics 4.5); NULL: none. */
    double *lean;
} conform_truth;

/* Starts the truth of one tensor, with arrays of n elements from the pool (CLASS_RAW: n bytes). is_sampled is kept. */
void conform_truth_take(conform_truth *t, conform_class class, int64_t n, conform_pool *pool);

/* Allocates `lean` for n elements if the tier is T2, whose bias is judged. */
void conform_truth_may_lean(conform_truth *t, conform_tier tier, int64_t n, conform_pool *pool);

#endif
