/*
 * One plugin with many correct backends ("styles"); its option selects one. Styles differ in what
 * spec/numerics.md leaves free; a style that needs a manifest field (over-reads, FTZ, ulps of exp)
 * declares it. Uses the public headers only. Every style must pass, whatever profile and seed.
 */
#ifndef HONEST_H
#define HONEST_H

#include <stdbool.h>

#include <inferno/backend.h>
#include <inferno/quant.h>

#include "parts.h"

/* The order in which the terms of a sum are added. */
typedef enum sum_order {
    SUM_FORWARD,  /* into `lanes` accumulators, one after the other */
    SUM_BACKWARD, /* the same from the end */
    SUM_ENDS,     /* from both ends to the middle */
    SUM_PAIRWISE, /* recursively: the sum of one half plus that of the other */
    SUM_BLOCKS,   /* the sum of each `width` terms is added to the total */
    SUM_CHUNKS,   /* `width` chunks of equal length are added up separately: split-K */
    SUM_SORTED,   /* 64 at a time, in ascending order of magnitude */
    SUM_KAHAN,    /* compensated */
    SUM_NEUMAIER,
    SUM_DOUBLE /* in f64, rounded once */
} sum_order;

/* How the accumulators of a sum are added up: i and n - 1 - i, 2 i and 2 i + 1, or in ascending order. */
typedef enum lane_order { LANES_HALVES, LANES_NEIGHBOURS, LANES_IN_TURN } lane_order;

typedef enum exp_form { EXP_LIBM, EXP_POLYNOMIAL, EXP_TABLE, EXP_BASE_2, EXP_DOUBLE } exp_form;

typedef enum silu_form { SILU_QUOTIENT, SILU_RECIPROCAL, SILU_TWO_SIDED, SILU_TANH } silu_form;

typedef enum norm_form {
    NORM_DIVIDE,     /* x / root * w */
    NORM_RECIPROCAL, /* x * (1 / root) * w */
    NORM_WEIGHT,     /* x * (w / root) */
    NORM_NEWTON,     /* an estimate of 1 / root and one Newton step; declared */
    NORM_SSE,        /* rsqrtss and one Newton step; declared */
    NORM_DOUBLE      /* all of it in f64 */
} norm_form;

typedef enum softmax_form {
    SOFTMAX_DIVIDE,
    SOFTMAX_RECIPROCAL,
    SOFTMAX_ONLINE, /* one pass: each new maximum rescales the sum so far */
    SOFTMAX_FLOOR   /* shifts by the largest integer up to the maximum */
} softmax_form;

typedef enum attention_form {
    ATTENTION_BLOCKS, /* the contract's 256 keys: maximum first */
    ATTENTION_TILES,  /* `tile` keys at a time and a running maximum, block after block */
    ATTENTION_ONE,    /* the same, but over all keys without blocks */
    ATTENTION_NORMALISED /* weights are divided by their sum before they multiply V; in phases, as TILES */
} attention_form;

typedef enum linear_form {
    LINEAR_DECODED,
    LINEAR_GROUPED, /* Q8_0 and Q4_0: sums codes times x, and multiplies by the scale once per block */
    LINEAR_SPLIT    /* Q4_0: sums the offsets of 8 separately; declared */
} linear_form;

typedef enum thread_form {
    THREADS_NONE,
    THREADS_OPENMP,
    THREADS_OWN,
    THREADS_EACH_CALL
} thread_form;

/* Which calls a style passes on to its base, though it computes other calls of the op itself. */
typedef enum left_form {
    LEFT_NONE,
    LEFT_BLOCKS,    /* rms_norm and swiglu with results in Q8_32F */
    LEFT_FLOATS,    /* rms_norm and swiglu with results in f32 */
    LEFT_ONE_ROW,   /* apply_rope_single_row: the whole op is inherited */
    LEFT_MANY_ROWS, /* apply_rope of more than one row */
    LEFT_IN_PLACE   /* out is x */
} left_form;

typedef struct style {
    const char *name;
    sum_order order;
    int lanes, width;
    lane_order join;
    exp_form exp;
    silu_form silu;
    norm_form norm;
    softmax_form softmax;
    attention_form attention;
    int tile;
    linear_form linear;
    thread_form threads;
    left_form left;
    uint32_t overread; /* bytes; declared */
    uint32_t promises; /* invariances */
    float exp_ulp;     /* declared */
    unsigned fma : 1, inverse_n : 1, scales_q : 1, masked : 1, divides_late : 1, bias_first : 1,
        ftz : 1, fuses_max : 1, codes_first : 1, skips_light : 1;
} style;

/* The style of that name, the i-th style; NULL if there is none. */
const style *style_named(const char *name);
const style *style_at(int i);

/* The terms of a sum: a[i * a_stride] * b[i * b_stride]; without b, a[i * a_stride] squared. */
typedef struct terms {
    const float *a, *b;
    int64_t a_stride, b_stride;
} terms;

float sum_of(const style *s, const terms *t, int64_t n);
/* a * b + c, fused or not as the style says. */
float multiply_add(const style *s, float a, float b, float c);
/* out[i] = multiply_add(factor, x[i], out[i]); out and x do not overlap. */
void add_scaled(const style *s, float *restrict out, float factor, const float *restrict x,
                int64_t n);

/* The dot product of x and a row of n elements of Q4_0 or Q8_0: sums codes times x, and multiplies by the scale once
 * per block. */
float sum_by_codes(const style *s, const unsigned char *row, ifn_dtype dtype, int64_t n,
                   const float *x);

float exp_of(const style *s, float x);
float silu_of(const style *s, float x);
/* 1 / sqrt(x) */
float rsqrt_of(const style *s, float x);

/* Compiles a function for AVX2 and FMA as well, where the loader can choose between the two. Results are the same bits
 * either way, as the compiler contracts nothing to FMAs. */
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__ &&                               \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define FOR_EACH_CPU __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define FOR_EACH_CPU
#endif

/* Each computes one part of a call that has been checked. */
#define HONEST_OPS(X)                                                                              \
    X(MATMUL, matmul)                                                                              \
    X(SUM_SQUARES_AXIS, sum_squares_axis)                                                          \
    X(SILU, silu)                                                                                  \
    X(RSQRT_ELEM, rsqrt_elem)                                                                      \
    X(SOFTMAX_ROWS, softmax_rows)                                                                  \
    X(APPLY_ROPE, apply_rope)                                                                      \
    X(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row)                                                \
    X(LINEAR, linear)                                                                              \
    X(LINEAR_Q8, linear_q8)                                                                        \
    X(RMS_NORM, rms_norm)                                                                          \
    X(SWIGLU, swiglu)                                                                              \
    X(ATTENTION, attention)

#define X(NAME, name) ifn_status honest_##name(const style *s, const ifn_##name##_args *a);
HONEST_OPS(X)
#undef X

/* Floats of scratch that one piece of a call of any op needs. */
size_t honest_scratch_floats(const ifn_limits *max);

/* Runs pieces 0 .. CREW_PIECES - 1 of a call, in any order, perhaps at once. */
typedef void piece_fn(void *cookie, int piece);
typedef struct crew crew;
crew *crew_open(thread_form form, const ifn_allocator *alloc); /* NULL: out of memory */
/* OpenMP gives short calls two threads and others three: a team shrinks and grows between calls. */
void crew_run(crew *self, bool is_short, piece_fn *piece, void *cookie);
void crew_close(crew *self);
enum { CREW_PIECES = 3 };

#endif
