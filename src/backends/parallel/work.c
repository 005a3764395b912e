/*
 * Estimates the work of a call as a product of sizes times the steps per element. The estimate need not be
 * right: a wrong one costs a call some time, never its result. But no other code has checked the arguments
 * before, so this code trusts none of them.
 */
#include "work.h"

#include <stdbool.h>

#include <inferno/signature_values.h>
#include <inferno/spans.h>

/*
 * Steps per element, by kind. At about 4096 steps two threads take as long as one, as measured on simd
 * (tests/backends/parallel_bench_test.c): 32768 multiply-adds in f32, or 131072 if an earlier row has
 * brought b into a cache, 65536 of codes, 8192 elements normed, 4096 through a function such as exp. Copies
 * hardly gain at all: the data that one thread wrote has to move to the other's cache.
 */
#define MULTIPLY_ADD       (1.0 / 8)
#define MULTIPLY_ADD_NEAR  (1.0 / 32)
#define MULTIPLY_ADD_CODES (1.0 / 16)
#define COPY               (1.0 / 8)
#define NORM               (1.0 / 2)
#define FUNCTION           1.0

/* More work than any memory could hold; below it, no sum or product of sizes overflows. */
#define TOO_MUCH 1e15

static double product(double each, int64_t a, int64_t b, int64_t c)
{
    return a > 0 && b > 0 && c > 0 ? each * (double)a * (double)b * (double)c : 0.0;
}

static double features(const ifn_tensor *const *w, int64_t n_w)
{
    double n = 0.0;
    if (n_w < 1 || n_w > IFN_LINEAR_MAX)
        return 0.0;
    for (int64_t i = 0; i < n_w; i++) {
        if (!w[i] || w[i]->shape[0] < 0)
            return 0.0;
        n += (double)w[i]->shape[0];
    }
    return n;
}

/* Counts all keys up to the last row for every row: near enough to the keys that the rows see. */
static double attention_at(const ifn_attention_args *a, int64_t first_pos, int64_t rows)
{
    if (first_pos < 0 || rows < 0 || a->max_pos < rows || first_pos > a->max_pos - rows)
        return 0.0;
    const double keys = (double)(first_pos + rows);
    if (a->phase == IFN_ATTENTION_MERGE)
        return product(COPY, rows, a->n_heads, a->head_dim) * keys / IFN_ATTENTION_BLOCK;
    return product(2.0 * MULTIPLY_ADD, rows, a->n_heads, a->head_dim) * keys;
}

static double attention(const ifn_attention_args *a)
{
    double work = 0.0;
    if (a->n_spans == 0)
        return attention_at(a, a->first_pos, a->rows);
    if (!ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos))
        return 0.0;
    for (int64_t i = 0; i < a->n_spans; i++)
        work += attention_at(a, a->spans[i].first_pos, a->spans[i].rows);
    return work;
}

/* The first row reads b from memory, the others find it in a cache. */
static double matmul(const ifn_matmul_args *a)
{
    return product(MULTIPLY_ADD - MULTIPLY_ADD_NEAR, a->m < 1 ? 0 : 1, a->n, a->p) +
           product(MULTIPLY_ADD_NEAR, a->m, a->n, a->p);
}

static double sum_squares_axis(const ifn_sum_squares_axis_args *a)
{
    return product(COPY, a->rows, a->cols, 1);
}

static double linear(const ifn_linear_args *a)
{
    return features(a->w, a->n_w) * product(MULTIPLY_ADD, a->rows, a->k, 1);
}

static double linear_q8(const ifn_linear_q8_args *a)
{
    return features(a->w, a->n_w) * product(MULTIPLY_ADD_CODES, a->rows, a->k, 1);
}

static double quantize_rows(const ifn_quantize_rows_args *a)
{
    return product(FUNCTION, a->rows, a->cols, 1);
}

static double rms_norm(const ifn_rms_norm_args *a)
{
    return product(NORM, a->rows, a->dim, 1);
}

static double length(const ifn_op_dim *d, const ifn_call *args)
{
    if (!ifn_dim_is_there(d, args))
        return 1.0;
    if (d->weight && !ifn_arg_pointer(&(ifn_op_arg){.offset = d->weight}, args, 0))
        return 0.0;
    const int64_t n = ifn_dim_touched(d, args, 0);
    return n > 0 ? (double)n : 0.0;
}

/* `each` for every element that is written. */
static double written(ifn_op op, const ifn_call *args, double each)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    double n = 0.0;
    for (size_t i = 0; i < s.n; i++) {
        double of_one = ifn_arg_is_written(&s.args[i]) ? 1.0 : 0.0;
        for (int d = 0; d < s.args[i].n_dims; d++)
            of_one *= length(&s.args[i].dims[d], args);
        n += of_one;
    }
    return n * each;
}

/* Steps per element of a regular op: two simple operations count as one multiply-add, and up to two of them cost
 * no more than moving the element. */
static double steps(int64_t simple, int64_t slow)
{
    return slow > 0 ? FUNCTION : simple > 2 ? MULTIPLY_ADD / 2 * (double)simple : COPY;
}

/* The words of ops.h, for work. */
#define EACH(simple, slow) written(op, args, steps(simple, slow))
#define OWN(op)            op(a)

double ifn_parallel_work(ifn_op op, const ifn_call *args)
{
    double work = 0.0;
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME: {                                                                          \
        const ifn_##name##_args *const a = (const ifn_##name##_args *)args;                        \
        (void)a;                                                                                   \
        work = IFN_COST_##name;                                                                    \
        break;                                                                                     \
    }
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return work < TOO_MUCH ? work : 0.0;
}
