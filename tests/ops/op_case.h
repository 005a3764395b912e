/*
 * The machinery that the op tests share. A case is one call with all its buffers, built from a seed:
 *
 *     op_case c;
 *     op_begin(&c, IFN_OP_ADD, seed);
 *     const int64_t n = op_size(&c, 70);
 *     const float *x = op_floats(&c, n, OP_PLAIN), *y = op_floats(&c, n, OP_PLAIN);
 *     float *out = op_output(&c, n * 4);
 *     c.args.add = IFN_ARGS(add, .out = out, .x = x, .y = y, .n = n);
 *     while (op_next(&c))                       once per backend; frees the case after the last
 *         ... op_expect(&c, "out", i, out[i], want, bound) ...
 *
 * Inputs are read-only, and every buffer touches a protected page. op_next runs a call whole, twice over different
 * fills, and in random parts: see op_case.c.
 */
#ifndef IFN_OP_CASE_H
#define IFN_OP_CASE_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>

#include "guard.h"
#include "test.h"

enum { OP_BUFFERS = 32 };

typedef enum op_buffer_kind {
    OP_BUFFER_INPUT,
    OP_BUFFER_OUTPUT,      /* the op writes every byte of it */
    OP_BUFFER_OUTPUT_SOME, /* the op writes some of it */
    OP_BUFFER_IN_PLACE     /* read and written: restored before every run */
} op_buffer_kind;

typedef struct op_buffer {
    guard memory;
    op_buffer_kind kind;
    unsigned char *initial;     /* OP_BUFFER_IN_PLACE: the contents before a run */
    unsigned char *run, *whole; /* results of the last run, and of the uncut call */
    unsigned char *run_wrote, *whole_wrote, *parts_wrote; /* a flag per byte */
} op_buffer;

typedef struct op_case {
    ifn_op op;
    ifn_args args;
    uint64_t seed, random;
    char shape[200];
    op_buffer buffers[OP_BUFFERS];
    int n_buffers;
    int next_backend;
    const char *backend; /* expression of the running backend */
} op_case;

void op_begin(op_case *c, ifn_op op, uint64_t seed);
/* Sets what a failure prints besides op, backend and seed. */
void op_shape(op_case *c, const char *format, ...) IFN_PRINTF(2, 3);

/* Return random numbers: in [0, n), 0 for n = 0; and a size 0 .. max that is often 0, 1 or near a vector width. */
int64_t op_below(op_case *c, int64_t n);
int64_t op_size(op_case *c, int64_t max);

typedef enum op_floats_kind {
    OP_PLAIN,   /* 2^-3 .. 2^3 */
    OP_WIDE,    /* 2^-40 .. 2^40 */
    OP_TINY,    /* around the smallest normal number: products underflow */
    OP_LATTICE, /* integers -64 .. 64 but 0: sums of products are exact */
    OP_SPECIAL, /* NaN, infinities, zeros, subnormals among plain ones */
    OP_BITS     /* any 32 bits */
} op_floats_kind;

/* Returns one random number; signs are independent of everything, as the bounds of T2 require. */
float op_float(op_case *c, op_floats_kind kind);
/* Draws OP_PLAIN .. OP_SPECIAL, for ops that have one right answer for every input. */
op_floats_kind op_kind(op_case *c);

/* Buffers. A size may be 0: then the buffer is a NULL pointer. */
const float *op_floats(op_case *c, int64_t n, op_floats_kind kind);
const void *op_input(op_case *c, const void *data, size_t bytes);
void *op_output(op_case *c, size_t bytes);
void *op_output_some(op_case *c, size_t bytes);
void *op_in_place(op_case *c, const void *data, size_t bytes);

/* p + i, for a buffer that may be empty. */
static inline const float *op_at(const float *p, int64_t i)
{
    return p ? p + i : NULL;
}

/* Makes an input of a list of numbers; OP_BYTES is its size: OP_IN(&c, 1, 2, 3). */
#define OP_IN(c, ...)                                                                              \
    ((const float *)op_input(c, (const float[]){__VA_ARGS__}, OP_BYTES(__VA_ARGS__)))
#define OP_BYTES(...) sizeof((const float[]){__VA_ARGS__})

/* Frees a case that op_next did not run to its end. */
void op_end(op_case *c);

/* Runs the case on the next backend. Returns 0 when there is none left; then the case is freed. */
int op_next(op_case *c);

/* Expects every backend to refuse the call and to have written nothing; frees the case. */
void op_expect_status(op_case *c, ifn_status status);

/* Expects |got - want| <= bound; a `want` that is not finite is compared by kind. */
void op_expect(const op_case *c, const char *what, int64_t index, float got, double want,
               double bound);
/* Expect equal bits; a NaN equals any NaN. */
void op_expect_float(const op_case *c, const char *what, int64_t index, float got, float want);
void op_expect_floats(const op_case *c, const char *what, const float *got, const float *want,
                      int64_t n);
#define OP_EXPECT(c, got, ...)                                                                     \
    op_expect_floats(c, #got, got, (const float[]){__VA_ARGS__}, OP_BYTES(__VA_ARGS__) / 4)
/* Expect equal bits of 4-byte elements, NaN payloads included. */
void op_expect_bits(const op_case *c, const char *what, int64_t index, const void *got,
                    const void *want);
void op_expect_bytes(const op_case *c, const char *what, const void *got, const void *want,
                     size_t bytes);
/* Expects that the op wrote none of these bytes of an output. */
void op_expect_untouched(const op_case *c, const char *what, const void *at, size_t bytes);

/* A compensated sum in f64, and what its error bound needs. */
typedef struct op_sum {
    double sum, low;
    double magnitudes; /* A */
    double squares;    /* N^2 */
    int64_t n;
} op_sum;

void op_add(op_sum *s, double term);
double op_value(const op_sum *s);

/* numerics 4: gamma(h), and the bound of a sum of independently signed terms, without the floor. */
double op_gamma(double h);
double op_sum_bound(const op_sum *s, double h);

#define OP_U    0x1p-24
#define OP_SMIN 0x1p-149

#endif
