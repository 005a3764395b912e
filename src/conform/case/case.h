/*
 * A case: the few numbers that decide what is run and what result is right. All inputs are functions of the case, so
 * the same id is the same case on every machine.
 */
#ifndef CONFORM_CASE_H
#define CONFORM_CASE_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/ops.h>

enum { CONFORM_MAX_DIMS = 8, CONFORM_ID_BYTES = 192 };

/* Tiers: how the result of a case is judged (spec/numerics.md 4.2). X(NAME, text in ids and reports, in words) */
/* clang-format off */
#define CONFORM_TIERS(X)                                                                    \
    X(T0, "T0", "exact inputs: every correct order gives the same bits")                    \
    X(T1, "T1", "any inputs, proven bound")                                                 \
    X(T2, "T2", "random signs, statistical bound")                                          \
    X(SPECIAL, "SV", "NaN, infinities, signed zeros, overflow: numerics 10")                \
    X(GOLDEN, "GO", "values written in the spec")                                           \
    X(REFUSE, "RE", "must be refused, with nothing written")

/* Families: how the operands of a case are drawn. The spec of an op lists the families that it has in each tier
 * (regimes). */
#define CONFORM_FAMILIES(X)                                                                 \
    X(LATTICE, "lattice", "T0: small integers times powers of two")                         \
    X(ASYMMETRIC, "asymmetric", "T0: one operand with 12 significant bits")                 \
    X(ONE_HOT, "one-hot", "T0: the result is a copy")                                       \
    X(NORMAL, "normal", "about unit size, random signs")                                    \
    X(POSITIVE, "positive", "one sign: sums grow")                                          \
    X(CANCELLING, "cancelling", "pairs that nearly cancel")                                 \
    X(TINY, "tiny", "around the subnormals")                                                \
    X(HUGE_VALUES, "huge", "near the top of the domain")                                    \
    X(WIDE, "wide", "exponents spread over the range")                                      \
    X(SCALE_PROBE, "scale-probe", "one nonzero block at a time (numerics 7.3)")             \
    X(ZEROS, "zeros", "blocks and rows of +0, of -0, of both")                              \
    X(CONSTANT, "constant", "blocks and rows of one magnitude, 1 often")                    \
    X(TWINS, "twins", "two equal maxima in every block, 1 often")                           \
    X(OUTLIER, "outlier", "one element of a block decides its scale")                       \
    X(EDGES, "edges", "where scales become subnormal, or nothing")                          \
    X(LARGEST, "largest", "the largest finite, of either sign")                             \
    X(LAPLACE, "laplace", "two-sided exponential")                                          \
    X(SPARSE, "sparse", "one value among seven zeros")                                      \
    X(GRADED, "graded", "rows, columns and blocks powers of two apart")                     \
    X(STAGNANT, "stagnant", "one large term, all others below half its ulp")                \
    X(TIES, "ties", "ties of the quantizer, and a hair beside them")                        \
    X(SAME, "same", "all operands the same values")                                         \
    X(SCALARS, "scalars", "scalars that models seldom have: 0, below 0")                    \
    X(RISING, "rising", "logits that rise by little from the first to the last")            \
    X(WALL, "wall", "runs of -inf before what is finite")                                   \
    X(NEEDLE, "needle", "T0: one key of a long context counts")                             \
    X(PATTERNS, "patterns", "bits: NaN of all kinds, both zeros")                           \
    X(SPECIALS, "specials", "NaN, infinities: strewn, alone in a row, beside zeros")        \
    X(ON_ZEROS, "on-zeros", "NaN, infinities over zeros of the other factor")               \
    X(WRITTEN, "written", "by the spec")                                                    \
    X(EVERY, "every", "a piece of all there are: exhaustive.h")
/* clang-format on */

typedef enum conform_tier {
#define X(NAME, text, words) TIER_##NAME,
    CONFORM_TIERS(X)
#undef X
        TIER_COUNT
} conform_tier;

typedef enum conform_family {
#define X(NAME, text, words) FAMILY_##NAME,
    CONFORM_FAMILIES(X)
#undef X
        FAMILY_COUNT
} conform_family;

typedef struct conform_case {
    ifn_op op;
    ifn_dtype dtype; /* of weights, cache or table; F32 where nothing varies */
    int32_t n_more;  /* linear, linear_q8: the number of weights after the first */
    ifn_dtype more[IFN_LINEAR_MAX - 1]; /* that have their own dtypes; and these dtypes */
    ifn_dtype out_dtype;                /* F32 where nothing varies */
    int64_t dim[CONFORM_MAX_DIMS];      /* meanings: the op's module names them */
    int32_t prepared;                   /* 1: weights go through prepare first */
    int32_t alias;                      /* 0: none; i: the i-th permitted overlap of the module */
    conform_tier tier;
    conform_family family;
    uint32_t index; /* GOLDEN, REFUSE: which entry of the spec */
    uint64_t seed;
    int32_t is_at, is_cut; /* 1: `at` or `cut` holds; 0: the seed decides */
    int32_t at;            /* every tensor lies this many bytes after a multiple of 64 */
    int64_t cut[2];        /* the only cut along each axis; 0: none */
} conform_case;

/* The dtype of weight i of the call. */
ifn_dtype conform_case_dtype(const conform_case *c, int i);

const char *conform_tier_name(conform_tier tier);
const char *conform_family_name(conform_family family);
/* A short description. */
const char *conform_tier_words(conform_tier tier);
const char *conform_family_words(conform_family family);
/* The tier or family of a name; -1: there is none. */
int conform_tier_from_name(const char *name);
int conform_family_from_name(const char *name);

#endif
