/*
 * matmul and linear by oneDNN, in f32 or in bf16: for bf16 the plugin rounds both matrices itself, and oneDNN adds up
 * in f32. The option names the arithmetic and, after a '-', the declared one if that differs: onednn.so=f32,
 * onednn.so=bf16, onednn.so=bf16-tf32. oneDNN chooses its kernel by the shape, so the backend promises no invariances.
 */
#include "product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const struct way {
    const char *option;
    bool in_bf16;
    uint32_t inputs; /* IFN_ROUND_*, declared */
} ways[] = {
    {"f32", false, IFN_ROUND_NONE},
    {"bf16", true, IFN_ROUND_BF16},
    {"bf16-none", true, IFN_ROUND_NONE},
    {"bf16-tf32", true, IFN_ROUND_TF32},
};

static const struct way *chosen = ways;
static ifn_manifest manifest; /* of `chosen` */

static const struct way *way_named(const char *option)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].option, option) == 0)
            return &ways[i];
    return NULL;
}

/* out = a b + bias. If a has no columns, out is the bias, or 0; if out is empty, does nothing. */
static ifn_status product(const ifn_backend *self, const matrix *a, const matrix *b,
                          const float *bias, float *out, int64_t stride)
{
    const product_way way = {self->state, chosen->in_bf16};
    const matrix result = {out, dnnl_f32, a->rows, b->cols, stride, 1};
    if (a->rows == 0 || b->cols == 0)
        return IFN_OK;
    if (a->cols > 0)
        return product_of(&way, a, b, bias, &result);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < b->cols; j++)
            out[i * stride + j] = bias ? bias[j] : 0.0f;
    return IFN_OK;
}

static ifn_status matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_MATMUL, &a->call, NULL));
    const range rows = part_of(a->part_begin, a->part_end, a->m);
    const range cols = part_of(a->part2_begin, a->part2_end, a->p);
    const matrix left = {a->a + rows.begin * a->n, dnnl_f32, rows.end - rows.begin, a->n, a->n, 1};
    const matrix right = {a->b + cols.begin, dnnl_f32, a->n, cols.end - cols.begin, a->p, 1};
    return product(self, &left, &right, NULL, a->out + rows.begin * a->p + cols.begin, a->p);
}

/* --- linear --- */

static bool is_read(ifn_dtype dtype)
{
    return dtype == IFN_DTYPE_F32 || (dtype == IFN_DTYPE_BF16 && chosen->in_bf16);
}

/* Computes features of one weight. Its rows are the columns of the right factor, [k, features] by its strides. */
static ifn_status features_of(const ifn_backend *self, const ifn_linear_args *a, int64_t i,
                              range features, range rows)
{
    const ifn_tensor *const w = a->w[i];
    const char *const data = w->data;
    const matrix left = {
        a->x + rows.begin * a->x_stride, dnnl_f32, rows.end - rows.begin, a->k, a->x_stride, 1};
    const matrix right = {data + (size_t)features.begin * ifn_dtype_row_bytes(w->dtype, a->k),
                          w->dtype == IFN_DTYPE_F32 ? dnnl_f32 : dnnl_bf16,
                          a->k,
                          features.end - features.begin,
                          1,
                          a->k};
    return product(self, &left, &right, a->bias[i] ? a->bias[i] + features.begin : NULL,
                   a->out[i] + rows.begin * a->out_stride[i] + features.begin, a->out_stride[i]);
}

static ifn_status linear(ifn_backend *self, const ifn_linear_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_LINEAR, &a->call, NULL));
    int64_t n = 0, first = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        if (!is_read(a->w[i]->dtype))
            return IFN_ERR_UNSUPPORTED;
        n += a->w[i]->shape[0];
    }
    const range part = part_of(a->part_begin, a->part_end, n);
    const range rows = part_of(a->part2_begin, a->part2_end, a->rows);
    for (int64_t i = 0; i < a->n_w; first += a->w[i++]->shape[0])
        IFN_TRY(features_of(self, a, i, part_within(part, first, a->w[i]->shape[0]), rows));
    return IFN_OK;
}

/* --- the backend --- */

static int unsupported(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    (void)out_dtype;
    return op == IFN_OP_LINEAR && !is_read(dtype);
}

static void arithmetic(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    if (op == IFN_OP_MATMUL || (op == IFN_OP_LINEAR && is_read(dtype)))
        out->inputs = chosen->inputs;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    const struct way *const way = way_named(env->options);
    if (!way)
        return;
    chosen = way;
    manifest.ftz = way->in_bf16; /* as the processor's products in bf16 are defined */
    table->matmul = matmul;
    table->linear = linear;
}

static ifn_status refuse(ifn_status status, const char *what, const char *option, ifn_error *err)
{
    if (err) {
        *err = (ifn_error){.status = status, .offset = IFN_NO_OFFSET};
        snprintf(err->text, sizeof err->text, "backend 'onednn': %s '%.60s'", what, option);
    }
    return status;
}

/* Keeps oneDNN from its AVX2 kernels, which write past the end of some memory (2.6.3) and corrupt the heap in most runs
 * of smoke. Its kernels for AVX-512 and for AVX do not. */
static void avoid_avx2(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx512f"))
        (void)dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx);
#endif
}

static ifn_status open_way(void **state, const ifn_backend_env *env, ifn_error *err)
{
    dnnl_engine_t engine;
    *state = NULL;
    if (!way_named(env->options))
        return refuse(IFN_ERR_ARGUMENT, "no way to multiply", env->options, err);
    avoid_avx2(); /* before any other call of the library */
    if (dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success)
        return refuse(IFN_ERR_UNSUPPORTED, "no engine for", env->options, err);
    if (chosen->in_bf16 && !product_has_bf16(engine)) {
        dnnl_engine_destroy(engine);
        return refuse(IFN_ERR_UNSUPPORTED, "this processor has no", env->options, err);
    }
    *state = engine;
    return IFN_OK;
}

static void close_way(void *state)
{
    dnnl_engine_destroy(state);
}

static ifn_manifest manifest = {
    .manifest_bytes = sizeof manifest, .unsupported = unsupported, .arithmetic = arithmetic};

IFN_BACKEND_ENTRY(.name = "onednn", .summary = "matmul and linear by oneDNN", .manifest = &manifest,
                  .fill = fill, .open = open_way, .close = close_way)
