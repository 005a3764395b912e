/*
 * Backends that are right in many ways: one plugin, and its option says which. What differs is what
 * spec/numerics.md leaves free, and what some of them do not leave as it was they declare. Written
 * from the public headers alone; all of it must pass, whatever profile and seed.
 */
#ifndef HONEST_H
#define HONEST_H

#include <stdbool.h>

#include <inferno/backend.h>
#include <inferno/quant.h>

#include "parts.h"

/* In which order terms are added up. */
typedef enum sum_order {
    SUM_FORWARD,  /* into `lanes` accumulators in turn */
    SUM_BACKWARD, /* the same from the end */
    SUM_ENDS,     /* from both ends to the middle */
    SUM_PAIRWISE, /* halves of halves */
    SUM_BLOCKS,   /* `width` at a time, block after block onto the total */
    SUM_CHUNKS,   /* `width` chunks of equal length, each by itself: split-K */
    SUM_SORTED,   /* 64 at a time, small ones first */
    SUM_KAHAN,    /* compensated */
    SUM_NEUMAIER,
    SUM_DOUBLE /* in f64, rounded once */
} sum_order;

/* How lanes become one. */
typedef enum lane_order { LANES_HALVES, LANES_NEIGHBOURS, LANES_IN_TURN } lane_order;

typedef enum exp_form { EXP_LIBM, EXP_POLYNOMIAL, EXP_TABLE, EXP_BASE_2, EXP_DOUBLE } exp_form;

typedef enum silu_form { SILU_QUOTIENT, SILU_RECIPROCAL, SILU_TWO_SIDED, SILU_TANH } silu_form;

typedef enum norm_form {
    NORM_DIVIDE,     /* x / root * w */
    NORM_RECIPROCAL, /* x * (1 / root) * w */
    NORM_WEIGHT,     /* x * (w / root) */
    NORM_NEWTON,     /* an estimate of 1 / root and one Newton step: declared */
    NORM_SSE,        /* the processor's estimate and one step: declared */
    NORM_DOUBLE      /* all of it in f64 */
} norm_form;

typedef enum softmax_form {
    SOFTMAX_DIVIDE,
    SOFTMAX_RECIPROCAL,
    SOFTMAX_ONLINE, /* one pass: what has been added up is rescaled by each new maximum */
    SOFTMAX_TWICE   /* exponentials formed anew for the quotient */
} softmax_form;

typedef enum attention_form {
    ATTENTION_BLOCKS,    /* the contract's 256 keys: maximum first */
    ATTENTION_TILES,     /* `tile` keys at a time and a running maximum, block after block */
    ATTENTION_ONE,       /* the same over all keys at once */
    ATTENTION_NORMALISED /* weights over their sum before V; in phases, tiles */
} attention_form;

typedef enum linear_form {
    LINEAR_DECODED,
    LINEAR_GROUPED, /* Q8_0 and Q4_0: codes times x first, the scale once per block */
    LINEAR_SPLIT    /* Q4_0: offsets summed apart: declared */
} linear_form;

typedef enum thread_form {
    THREADS_NONE,
    THREADS_OPENMP,
    THREADS_OWN,
    THREADS_EACH_CALL
} thread_form;

/* Which calls are the base's, though others of the same op are not. */
typedef enum left_form {
    LEFT_NONE,
    LEFT_BLOCKS,    /* of rms_norm and swiglu, results in Q8_32F */
    LEFT_FLOATS,    /* and those in f32 */
    LEFT_ONE_ROW,   /* apply_rope_single_row: inherited */
    LEFT_MANY_ROWS, /* of apply_rope, calls of more than one row */
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
    uint32_t overread; /* bytes: declared */
    uint32_t promises; /* invariances */
    float exp_ulp;     /* declared */
    unsigned fma : 1, inverse_n : 1, scales_q : 1, masked : 1, divides_late : 1, bias_first : 1,
        ftz : 1, fuses_max : 1, codes_first : 1, skips_light : 1;
} style;

/* The style of a name, or NULL; the i-th, or NULL beyond the last. */
const style *style_named(const char *name);
const style *style_at(int i);

/* a[i a_stride] times b[i b_stride]; b NULL: times a itself. */
typedef struct terms {
    const float *a, *b;
    int64_t a_stride, b_stride;
} terms;

float sum_of(const style *s, const terms *t, int64_t n);
/* a * b + c as the style has it. */
float multiply_add(const style *s, float a, float b, float c);
/* out[i] = factor * x[i] + out[i], likewise; the two do not overlap. */
void add_scaled(const style *s, float *restrict out, float factor, const float *restrict x,
                int64_t n);

/* A row of n elements of Q4_0 or Q8_0 times x: one scale per block, applied to the sum of its codes. */
float sum_by_codes(const style *s, const unsigned char *row, ifn_dtype dtype, int64_t n,
                   const float *x);

float exp_of(const style *s, float x);
float silu_of(const style *s, float x);
/* 1 / sqrt(x) */
float rsqrt_of(const style *s, float x);

/* A function compiled for AVX2 and FMA as well, if that can be chosen when the plugin is loaded. The
 * bits stay, as no product and sum are contracted. */
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

/* Floats of scratch that a piece of any op needs. */
size_t honest_scratch_floats(const ifn_limits *max);

/* Runs piece 0 .. n - 1, in any order, perhaps at once. */
typedef void piece_fn(void *cookie, int piece);
typedef struct crew crew;
crew *crew_open(thread_form form, const ifn_allocator *alloc); /* NULL without memory or threads */
/* OpenMP gives short calls two threads and others three: a team shrinks and grows between calls. */
void crew_run(crew *self, bool is_short, piece_fn *piece, void *cookie);
void crew_close(crew *self);
enum { CREW_PIECES = 3 };

#endif
