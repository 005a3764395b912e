#include "bench_case.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>

enum {
    COLD_ROWS = 16,         /* so few rows of x meet cold weights */
    COLD_BYTES = 256 << 20, /* more than a cache holds */
    PATTERN_ROWS = 16       /* rows of weights that differ */
};

static ifn_dtype x_dtype(const bench_case *c)
{
    return c->op == IFN_OP_LINEAR_Q8 ? IFN_DTYPE_Q8_32F : IFN_DTYPE_F32;
}

static float noise(uint64_t *state)
{
    return (float)((int32_t)(bench_random(state) >> 8) - (1 << 23)) * 0x1p-23f;
}

/* Rows of random numbers in a dtype. */
static ifn_status fill_rows(ifn_dtype dtype, int64_t rows, int64_t cols, unsigned char *out)
{
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, cols);
    float *const row = malloc((size_t)cols * sizeof *row + 1);
    ifn_status status = row ? IFN_OK : IFN_ERR_NOMEM;
    uint64_t state = 1;
    for (int64_t r = 0; status == IFN_OK && r < rows; r++) {
        unsigned char *const at = out + (size_t)r * row_bytes;
        if (r >= PATTERN_ROWS) {
            memcpy(at, at - PATTERN_ROWS * row_bytes, row_bytes);
            continue;
        }
        for (int64_t i = 0; i < cols; i++)
            row[i] = noise(&state);
        status = ifn_quantize_row(dtype, row, at, cols);
    }
    free(row);
    return status;
}

static bool is_matmul(const bench_case *c)
{
    return c->op == IFN_OP_MATMUL;
}

/* The weights of linear are [p, n], the second operand of matmul [n, p]. */
static int64_t weight_rows(const bench_case *c)
{
    return is_matmul(c) ? c->shape.n : c->shape.p;
}

static int64_t weight_cols(const bench_case *c)
{
    return is_matmul(c) ? c->shape.p : c->shape.n;
}

static ifn_status prepare(bench_case *c, ifn_error *err)
{
    ifn_backend *const leaf = ifn_backend_implementer(c->backend, c->op);
    const uint32_t use = c->op == IFN_OP_LINEAR ? IFN_USE_LINEAR : IFN_USE_LINEAR_Q8;
    for (int i = 0; c->is_packed && leaf->desc->prepare && i < c->n_copies; i++) {
        const ifn_tensor *const w = &c->tensors[i];
        IFN_TRY(leaf->desc->prepare(leaf, &w, 1, use, &c->packed[i], err));
    }
    if (c->is_packed && !c->packed[0].data)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s has no packed form of %s", leaf->desc->name,
                        ifn_dtype_name(c->dtype));
    return IFN_OK;
}

static ifn_status allocate(bench_case *c)
{
    const bench_shape s = c->shape;
    const ifn_limits limits = {.limits_bytes = sizeof limits,
                               .rows = s.m > s.n ? s.m : s.n,
                               .k = s.n > s.p ? s.n : s.p,
                               .n = s.p};
    c->weight_bytes = (size_t)weight_rows(c) * ifn_dtype_row_bytes(c->dtype, weight_cols(c));
    const bool is_cold = !is_matmul(c) && !c->is_hot && s.m <= COLD_ROWS && c->weight_bytes > 0;
    c->n_copies = is_cold ? (int)(COLD_BYTES / c->weight_bytes) + 1 : 1;
    c->tensors = calloc((size_t)c->n_copies, sizeof *c->tensors);
    c->packed = calloc((size_t)c->n_copies, sizeof *c->packed);
    c->weights = malloc((size_t)c->n_copies * c->weight_bytes + 64);
    c->x = malloc((size_t)s.m * ifn_dtype_row_bytes(x_dtype(c), s.n) + 64);
    c->out = calloc((size_t)(s.m * s.p) + 16, sizeof *c->out);
    c->scratch_bytes = (ifn_backend_scratch_bytes(c->backend, &limits) + 63) / 64 * 64;
    c->scratch = aligned_alloc(64, c->scratch_bytes + 64);
    return c->tensors && c->packed && c->weights && c->x && c->out && c->scratch ? IFN_OK
                                                                                 : IFN_ERR_NOMEM;
}

ifn_status bench_case_open(bench_case *c, ifn_error *err)
{
    if (allocate(c) != IFN_OK)
        return ifn_fail(err, IFN_ERR_NOMEM, "no memory for %s", ifn_op_name(c->op));
    IFN_TRY(fill_rows(x_dtype(c), c->shape.m, c->shape.n, c->x));
    for (int i = 0; i < c->n_copies; i++) {
        unsigned char *const data = c->weights + (size_t)i * c->weight_bytes;
        if (i == 0)
            IFN_TRY(fill_rows(c->dtype, weight_rows(c), weight_cols(c), data));
        else
            memcpy(data, c->weights, c->weight_bytes);
        c->tensors[i] =
            (ifn_tensor){"w", data, c->dtype, 2, {(int64_t)weight_rows(c), weight_cols(c)}};
    }
    return prepare(c, err);
}

void bench_case_close(bench_case *c)
{
    ifn_backend *const leaf = ifn_backend_implementer(c->backend, c->op);
    for (int i = 0; c->packed && i < c->n_copies; i++)
        if (c->packed[i].data)
            leaf->desc->release(leaf, &c->packed[i]);
    free(c->tensors);
    free(c->packed);
    free(c->weights);
    free(c->x);
    free(c->out);
    free(c->scratch);
}

void bench_case_run(void *cookie)
{
    bench_case *const c = cookie;
    const bench_shape s = c->shape;
    const int i = c->next;
    c->next = i + 1 < c->n_copies ? i + 1 : 0;
    const ifn_call call = {.n_lanes = 1, .scratch = c->scratch, .scratch_bytes = c->scratch_bytes};
    if (is_matmul(c)) {
        ifn_matmul_args a = {.call = call, .out = c->out, .a = c->x, .m = s.m, .n = s.n, .p = s.p};
        a.b = (const float *)(const void *)c->weights;
        a.call.bytes = sizeof a;
        (void)ifn_matmul(c->backend, &a);
    } else if (c->op == IFN_OP_LINEAR) {
        ifn_linear_args a = {.call = call, .x = c->x, .rows = s.m, .k = s.n, .x_stride = s.n};
        a.call.bytes = sizeof a;
        a.n_w = 1;
        a.w[0] = &c->tensors[i];
        a.packed[0] = c->packed[i].data;
        a.out[0] = c->out;
        a.out_stride[0] = s.p;
        (void)ifn_linear(c->backend, &a);
    } else {
        ifn_linear_q8_args a = {.call = call, .x = c->x, .rows = s.m, .k = s.n};
        a.x_stride = s.n / 32;
        a.call.bytes = sizeof a;
        a.n_w = 1;
        a.w[0] = &c->tensors[i];
        a.packed[0] = c->packed[i].data;
        a.out[0] = c->out;
        a.out_stride[0] = s.p;
        (void)ifn_linear_q8(c->backend, &a);
    }
}

bench_entry bench_case_ceiling(const bench_case *c, uint64_t features, double *operations)
{
    return bench_ceiling(features, c->op == IFN_OP_LINEAR_Q8, operations);
}

double bench_case_flops(const bench_case *c)
{
    return 2.0 * (double)c->shape.m * (double)c->shape.n * (double)c->shape.p;
}

double bench_case_bytes(const bench_case *c)
{
    const bench_shape s = c->shape;
    return (double)c->weight_bytes + (double)s.m * (double)ifn_dtype_row_bytes(x_dtype(c), s.n) +
           4.0 * (double)s.m * (double)s.p;
}
