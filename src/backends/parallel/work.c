/*
 * How much there is to do, as a product of sizes times what one element takes. It need not be
 * right: a wrong guess costs a call some time, never its result. But it is the first to look at the
 * arguments, so it believes none of them.
 */
#include "work.h"

#include <stdbool.h>

#include <inferno/spans.h>

/*
 * Steps for one element of each kind. 4096 of them are about what two threads do as fast as one, as
 * measured on simd (tests/backends/parallel_bench_test.c): 32768 multiply-adds in f32, or 131072
 * where a row before has brought b near, 65536 of codes, 8192 elements normed, 4096 through a
 * function. Copies hardly gain at all; what one thread wrote has to come to the other.
 */
#define MULTIPLY_ADD       (1.0 / 8)
#define MULTIPLY_ADD_NEAR  (1.0 / 32)
#define MULTIPLY_ADD_CODES (1.0 / 16)
#define COPY               (1.0 / 8)
#define NORM               (1.0 / 2)
#define FUNCTION           1.0

/* More than any memory holds; below it, no sum or product of sizes overflows. */
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

/* Keys are all those in the cache: what half of the rows see is close enough. */
static double attention_at(const ifn_attention_args *a, int64_t first_pos, int64_t rows)
{
    if (first_pos < 0 || rows < 0 || first_pos > a->max_pos - rows)
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

/* The first row reads b, the others find it near. */
static double matmul(const ifn_matmul_args *a)
{
    return product(MULTIPLY_ADD - MULTIPLY_ADD_NEAR, a->m < 1 ? 0 : 1, a->n, a->p) +
           product(MULTIPLY_ADD_NEAR, a->m, a->n, a->p);
}

/* WORK_matmul(a), ...: for arguments `a`. */
#define WORK_matmul(a)                matmul(a)
#define WORK_add(a)                   product(COPY, a->n, 1, 1)
#define WORK_hadamard(a)              product(COPY, a->n, 1, 1)
#define WORK_scale(a)                 product(COPY, a->n, 1, 1)
#define WORK_add_scalar(a)            product(COPY, a->n, 1, 1)
#define WORK_silu(a)                  product(FUNCTION, a->n, 1, 1)
#define WORK_rsqrt_elem(a)            product(FUNCTION, a->n, 1, 1)
#define WORK_sum_squares_axis(a)      product(COPY, a->rows, a->cols, 1)
#define WORK_broadcast_row_scalars(a) product(COPY, a->rows, a->dim, 1)
#define WORK_repeat_row_as_matrix(a)  product(COPY, a->rows, a->dim, 1)
#define WORK_transpose_2d(a)          product(COPY, a->rows, a->cols, 1)
#define WORK_reshape_data(a)          product(COPY, a->rows, a->cols, 1)
#define WORK_softmax_rows(a)          product(FUNCTION, a->rows, a->cols, 1)
#define WORK_gather_rows(a)           (a->table ? product(COPY, a->n, a->table->shape[1], 1) : 0.0)
#define WORK_fill_strict_upper_tri(a) product(COPY, a->rows, a->cols, 1)
#define WORK_copy_2d_from_cols(a)     product(COPY, a->rows, a->cols, 1)
#define WORK_copy_2d_into_cols(a)     product(COPY, a->rows, a->cols, 1)
#define WORK_copy_row_2d(a)           product(COPY, a->cols, 1, 1)
#define WORK_copy_contiguous_into(a)  product(COPY, a->n, 1, 1)
#define WORK_concat_dim0(a)                                                                        \
    (product(COPY, a->a_rows, a->cols, 1) + product(COPY, a->b_rows, a->cols, 1))
#define WORK_apply_rope(a)            product(COPY, a->rows, a->n_heads, a->head_dim)
#define WORK_apply_rope_single_row(a) product(COPY, a->n_heads, a->head_dim, 1)
#define WORK_argmax_with_prob(a)      product(COPY, a->n, 1, 1)
#define WORK_linear(a)                (features(a->w, a->n_w) * product(MULTIPLY_ADD, a->rows, a->k, 1))
#define WORK_linear_q8(a)             (features(a->w, a->n_w) * product(MULTIPLY_ADD_CODES, a->rows, a->k, 1))
#define WORK_quantize_rows(a)         product(FUNCTION, a->rows, a->cols, 1)
#define WORK_dequantize_rows(a)       product(COPY, a->rows, a->cols, 1)
#define WORK_rms_norm(a)              product(NORM, a->rows, a->dim, 1)
#define WORK_swiglu(a)                product(FUNCTION, a->rows, a->dim, 1)
#define WORK_kv_store(a)              product(2.0 * COPY, a->rows, a->n_kv_heads, a->head_dim)
#define WORK_attention(a)             attention(a)
#define WORK_copy_in(a)               (COPY * (double)a->bytes / 4)
#define WORK_copy_out(a)              (COPY * (double)a->bytes / 4)

double ifn_parallel_work(ifn_op op, const ifn_call *args)
{
    double work = 0.0;
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME: {                                                                          \
        const ifn_##name##_args *const a = (const ifn_##name##_args *)args;                        \
        work = WORK_##name(a);                                                                     \
        break;                                                                                     \
    }
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return work < TOO_MUCH ? work : 0.0;
}
