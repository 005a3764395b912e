/*
 * A backend that rounds for real: factors to tf32, bf16 or f16, sums to f16, results to f16 or bf16.
 * `_q`: attention scales queries before it rounds them, and normalises by the sum of rounded weights.
 * The option names the arithmetic and, after a '-', the declared one if that differs:
 * rounding.so=bf16, rounding.so=bf16-tf32.
 */
#include "rounding_attention.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>
#include <inferno/spans.h>

#include "parts.h"

#define ARITHMETIC(...)                                                                            \
    {                                                                                              \
        .arithmetic_bytes = sizeof(ifn_arithmetic), __VA_ARGS__                                    \
    }

static const struct way {
    const char *name;
    ifn_arithmetic a;
    int is_other_attention;
} ways[] = {
    {"none", ARITHMETIC(.inputs = IFN_ROUND_NONE), 0},
    {"tf32", ARITHMETIC(.inputs = IFN_ROUND_TF32), 0},
    {"bf16", ARITHMETIC(.inputs = IFN_ROUND_BF16), 0},
    {"f16", ARITHMETIC(.inputs = IFN_ROUND_F16), 0},
    {"tf32_q", ARITHMETIC(.inputs = IFN_ROUND_TF32), 1},
    {"bf16_q", ARITHMETIC(.inputs = IFN_ROUND_BF16), 1},
    {"f16_q", ARITHMETIC(.inputs = IFN_ROUND_F16), 1},
    {"half32", ARITHMETIC(.inputs = IFN_ROUND_F16, .sums = IFN_ROUND_F16, .sum_block = 32), 0},
    {"half", ARITHMETIC(.inputs = IFN_ROUND_F16, .sums = IFN_ROUND_F16), 0},
    {"out_f16", ARITHMETIC(.inputs = IFN_ROUND_F16, .output = IFN_ROUND_F16), 0},
    {"out_bf16", ARITHMETIC(.inputs = IFN_ROUND_BF16, .output = IFN_ROUND_BF16), 0},
};

static struct way does, declares;

static const struct way *way_named(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strlen(ways[i].name) == n && memcmp(ways[i].name, name, n) == 0)
            return &ways[i];
    return NULL;
}

static int read_option(const char *option)
{
    const size_t n = strcspn(option, "-");
    const char *const second = option[n] ? option + n + 1 : option;
    const struct way *const a = way_named(option, n);
    const struct way *const b = way_named(second, option[n] ? strlen(second) : n);
    if (!a || !b)
        return 0;
    does = *a;
    declares = *b;
    return 1;
}

static void arithmetic(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    const uint32_t bytes = out->arithmetic_bytes;
    (void)op;
    (void)dtype;
    *out = declares.a;
    out->arithmetic_bytes = bytes;
}

/* --- ops --- */

static ifn_status matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_op_check(IFN_OP_MATMUL, &a->call, NULL);
    (void)self;
    if (status != IFN_OK)
        return status;
    const range rows = part_of(a->part_begin, a->part_end, a->m);
    const range cols = part_of(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++) {
            short_sum s = {.a = &does.a};
            for (int64_t t = 0; t < a->n; t++)
                short_sum_add(&s, (double)a->a[i * a->n + t], (double)a->b[t * a->p + j]);
            a->out[i * a->p + j] = short_sum_end(&s, NULL);
        }
    return IFN_OK;
}

static ifn_status sum_squares_axis(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    const ifn_status status = ifn_op_check(IFN_OP_SUM_SQUARES_AXIS, &a->call, NULL);
    (void)self;
    if (status != IFN_OK)
        return status;
    const range part = part_of(a->part_begin, a->part_end, a->axis ? a->rows : a->cols);
    const int64_t n = a->axis ? a->cols : a->rows, step = a->axis ? 1 : a->cols;
    for (int64_t i = part.begin; i < part.end; i++) {
        short_sum s = {.a = &does.a};
        const float *const x = a->x + i * (a->axis ? a->cols : 1);
        for (int64_t t = 0; t < n; t++)
            short_sum_add(&s, (double)x[t * step], (double)x[t * step]);
        a->out[i] = short_sum_end(&s, NULL);
    }
    return IFN_OK;
}

/* The decoded weights of a feature; the caller frees them. NULL: out of memory, or no such dtype. */
static float *decoded(const ifn_tensor *w, int64_t feature, int64_t k)
{
    float *const out = malloc((size_t)k * sizeof *out + 1);
    const char *const row =
        (const char *)w->data + (size_t)feature * ifn_dtype_row_bytes(w->dtype, k);
    if (out && k > 0 && ifn_dequantize_row(w->dtype, row, out, k) != IFN_OK) {
        free(out);
        return NULL;
    }
    return out;
}

static float linear_element(const float *w, const float *x, int64_t k, const float *bias)
{
    short_sum s = {.a = &does.a};
    for (int64_t t = 0; t < k; t++)
        short_sum_add(&s, (double)x[t], (double)w[t]);
    return short_sum_end(&s, bias);
}

static ifn_status weight_of(const ifn_linear_args *a, int64_t i, range features, range rows)
{
    for (int64_t f = features.begin; f < features.end; f++) {
        float *const w = decoded(a->w[i], f, a->k);
        if (!w)
            return IFN_ERR_NOMEM;
        for (int64_t r = rows.begin; r < rows.end; r++)
            a->out[i][r * a->out_stride[i] + f] =
                linear_element(w, a->x + r * a->x_stride, a->k, a->bias[i] ? &a->bias[i][f] : NULL);
        free(w);
    }
    return IFN_OK;
}

static ifn_status linear(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_status status = ifn_op_check(IFN_OP_LINEAR, &a->call, NULL);
    (void)self;
    if (status != IFN_OK)
        return status;
    int64_t n = 0, first = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const range part = part_of(a->part_begin, a->part_end, n);
    const range rows = part_of(a->part2_begin, a->part2_end, a->rows);
    for (int64_t i = 0; i < a->n_w && status == IFN_OK; i++) {
        status = weight_of(a, i, part_within(part, first, a->w[i]->shape[0]), rows);
        first += a->w[i]->shape[0];
    }
    return status;
}

/* Decodes the activations and calls linear on them. */
static ifn_status linear_q8(ifn_backend *self, const ifn_linear_q8_args *a)
{
    ifn_status status = ifn_op_check(IFN_OP_LINEAR_Q8, &a->call, NULL);
    (void)self;
    if (status != IFN_OK)
        return status;
    ifn_linear_args plain = {.call = a->call, .rows = a->rows, .k = a->k, .x_stride = a->k};
    float *const x = malloc((size_t)(a->rows * a->k) * sizeof *x + 1);
    for (int64_t i = 0; x && i < a->rows * a->k; i++) {
        const ifn_block_q8_32f *const b = a->x + i / a->k * a->x_stride + i % a->k / 32;
        x[i] = b->d * (float)b->qs[i % a->k % 32];
    }
    plain.call.bytes = sizeof plain;
    plain.part_begin = a->part_begin;
    plain.part_end = a->part_end;
    plain.part2_begin = a->part2_begin;
    plain.part2_end = a->part2_end;
    plain.x = x;
    plain.n_w = a->n_w;
    memcpy(plain.w, a->w, sizeof plain.w);
    memcpy(plain.out, a->out, sizeof plain.out);
    memcpy(plain.bias, a->bias, sizeof plain.bias);
    memcpy(plain.out_stride, a->out_stride, sizeof plain.out_stride);
    status = x ? linear(self, &plain) : IFN_ERR_NOMEM;
    free(x);
    return status;
}

static ifn_status attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_op_check(IFN_OP_ATTENTION, &a->call, NULL);
    const attention_way way = {does.a.inputs, does.a.output, does.is_other_attention,
                               does.is_other_attention};
    if (status != IFN_OK)
        return status;
    return a->n_spans ? ifn_attention_by_spans(self, a, attention) : rounding_attention(&way, a);
}

/* --- the backend --- */

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    if (!read_option(env->options))
        return;
    table->matmul = matmul;
    table->linear = linear;
    table->linear_q8 = linear_q8;
    table->sum_squares_axis = sum_squares_axis;
    table->attention = attention;
}

static ifn_status open_way(void **state, const ifn_backend_env *env, ifn_error *err)
{
    *state = NULL;
    if (read_option(env->options))
        return IFN_OK;
    if (err)
        snprintf(err->text, sizeof err->text, "backend 'rounding': no arithmetic '%.60s'",
                 env->options);
    return IFN_ERR_ARGUMENT;
}

static void close_way(void *state)
{
    (void)state;
}

static const ifn_manifest manifest = {
    .manifest_bytes = sizeof manifest, .invariances = 0x7ff, .arithmetic = arithmetic, .pages = 1};

IFN_BACKEND_ENTRY(.name = "rounding", .summary = "multiplies and adds in fewer bits",
                  .manifest = &manifest, .fill = fill, .open = open_way, .close = close_way)
