#include "variant_ops.h"

#include <math.h>
#include <string.h>

#include <inferno/quant.h>

enum { AT_ONCE = VARIANT_AT_ONCE, BLOCK = 32 /* elements of a block of Q8_32F */ };

/* A sum, rounded to the format of results. */
static float result(const variant *v, float sum)
{
    return variant_round(v, v->a.output, sum);
}

ifn_status variant_matmul(const variant *v, const ifn_matmul_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_MATMUL, &a->call, NULL));
    const variant_range rows = variant_part(a->part_begin, a->part_end, a->m);
    const variant_range cols = variant_part(a->part2_begin, a->part2_end, a->p);
    const variant own = variant_in(v, IFN_OP_MATMUL, IFN_DTYPE_F32);
    for (int64_t i = rows.begin; i < rows.end; i++) {
        float *const out = a->out + i * a->p;
        variant_sums_of_rows(&own, a->b + cols.begin, a->p, cols.end - cols.begin, a->a + i * a->n,
                             a->n, out + cols.begin);
        for (int64_t j = cols.begin; j < cols.end; j++)
            out[j] = result(&own, out[j]);
    }
    return IFN_OK;
}

ifn_status variant_sum_squares_axis(const variant *v, const ifn_sum_squares_axis_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_SUM_SQUARES_AXIS, &a->call, NULL));
    const variant_range part =
        variant_part(a->part_begin, a->part_end, a->axis ? a->rows : a->cols);
    const variant own = variant_in(v, IFN_OP_SUM_SQUARES_AXIS, IFN_DTYPE_F32);
    for (int64_t i = part.begin; i < part.end; i++) {
        const variant_terms along = {.a = a->x + i * a->cols, .a_stride = 1};
        const variant_terms down = {.a = a->x + i, .a_stride = a->cols};
        a->out[i] = result(&own, a->axis ? variant_sum(&own, &along, a->cols)
                                         : variant_sum(&own, &down, a->rows));
    }
    return IFN_OK;
}

static void softmax_row(const variant *v, const float *x, float *out, int64_t n)
{
    static const float one = 1.0f; /* a plain sum is one of products with 1 */
    float max = -INFINITY;
    for (int64_t i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    for (int64_t i = 0; i < n; i++)
        out[i] = expf(x[i] - max);
    const float sum = variant_sum(v, &(variant_terms){.a = out, .a_stride = 1, .b = &one}, n);
    for (int64_t i = 0; i < n; i++)
        out[i] /= sum;
}

ifn_status variant_softmax_rows(const variant *v, const ifn_softmax_rows_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_SOFTMAX_ROWS, &a->call, NULL));
    const variant_range rows = variant_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end && a->cols > 0; r++)
        softmax_row(v, a->x + r * a->cols, a->out + r * a->cols, a->cols);
    return IFN_OK;
}

/* s = x + add as terms; if the call wants the sum, it is stored first and read from there. */
static variant_terms residual_of(const ifn_rms_norm_args *a, int64_t row)
{
    const int64_t at = row * a->dim;
    for (int64_t i = at; a->sum && i < at + a->dim; i++)
        a->sum[i] = a->add ? a->x[i] + a->add[i] : a->x[i];
    if (a->sum)
        return (variant_terms){.a = a->sum + at, .a_stride = 1};
    return (variant_terms){.a = a->x + at, .a_stride = 1, .add = a->add ? a->add + at : NULL};
}

static float normed(const variant_terms *s, const float *weight, float root, int64_t i)
{
    return (s->add ? s->a[i] + s->add[i] : s->a[i]) / root * weight[i];
}

static ifn_status norm_row(const variant *v, const ifn_rms_norm_args *a, int64_t row)
{
    const variant_terms s = residual_of(a, row);
    const float root = sqrtf(variant_sum(v, &s, a->dim) / (float)a->dim + a->eps);
    if (a->out_dtype == IFN_DTYPE_F32) {
        float *const out = (float *)a->out + row * a->dim;
        for (int64_t i = 0; i < a->dim; i++)
            out[i] = normed(&s, a->weight, root, i);
        return IFN_OK;
    }
    for (int64_t b = 0; b < a->dim / BLOCK; b++) {
        float y[BLOCK];
        for (int64_t i = 0; i < BLOCK; i++)
            y[i] = normed(&s, a->weight, root, b * BLOCK + i);
        ifn_block_q8_32f *const out = (ifn_block_q8_32f *)a->out + row * (a->dim / BLOCK) + b;
        IFN_TRY(ifn_quantize_row(IFN_DTYPE_Q8_32F, y, out, BLOCK));
    }
    return IFN_OK;
}

ifn_status variant_rms_norm(const variant *v, const ifn_rms_norm_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_RMS_NORM, &a->call, NULL));
    const variant_range rows = variant_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        IFN_TRY(norm_row(v, a, r));
    return IFN_OK;
}

/*
 * Scratch: `w` has AT_ONCE features side by side, as variant_sums takes them; `room` has the same features one after
 * another, or sums of blocks with scales; `copies` has rounded rows of activations.
 */
typedef struct scratch {
    float *w, *room, *copies;
} scratch;

static scratch scratch_of(const ifn_call *call, int64_t k)
{
    float *const w = call->scratch;
    return (scratch){w, w + AT_ONCE * k, w + 2 * AT_ONCE * k};
}

static size_t linear_scratch_bytes(const variant *v, int64_t rows, int64_t k)
{
    const int64_t copies = v->declared ? rows * k : 0;
    return (size_t)(2 * AT_ONCE * k + copies) * sizeof(float);
}

/* Decodes features first .. first + n - 1, with zeros in the remaining columns. */
static ifn_status decode(const ifn_tensor *w, int64_t first, int64_t n, const scratch *to)
{
    const int64_t k = w->shape[1];
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, k);
    if (k == 0)
        return IFN_OK;
    memset(to->room + n * k, 0, (size_t)((AT_ONCE - n) * k) * sizeof *to->room);
    for (int64_t o = 0; o < n; o++) {
        const unsigned char *const data =
            (const unsigned char *)w->data + (size_t)(first + o) * row_bytes;
        IFN_TRY(ifn_dequantize_row(w->dtype, data, to->room + o * k, k));
    }
    for (int64_t i = 0; i < k; i++)
        for (int64_t o = 0; o < AT_ONCE; o++)
            to->w[i * AT_ONCE + o] = to->room[o * k + i];
    return IFN_OK;
}

/* Intersects a part of all features, which are counted end to end over the weights, with one weight's n from `first`
 * on. */
static variant_range within(variant_range part, int64_t first, int64_t n)
{
    const int64_t begin = part.begin > first ? part.begin - first : 0;
    const int64_t end = part.end < first + n ? part.end - first : n;
    return (variant_range){begin, end};
}

/* Rows of activations as the products read them, from row 0 on. */
typedef struct activations {
    const float *x;
    int64_t stride;
} activations;

/* Rounds inputs once, not once per weight. */
static void round_all(const variant *v, float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = variant_round(v, v->a.inputs, x[i]);
}

static activations read_rows(const variant *v, const ifn_linear_args *a, float *copies,
                             variant_range rows)
{
    if (!v->a.inputs)
        return (activations){a->x, a->x_stride};
    for (int64_t r = rows.begin; r < rows.end; r++) {
        memcpy(copies + r * a->k, a->x + r * a->x_stride, (size_t)a->k * sizeof *copies);
        round_all(v, copies + r * a->k, a->k);
    }
    return (activations){copies, a->k};
}

/* Decodes rows of Q8_32F, codes times scales, and rounds them. */
static activations decode_rows(const variant *v, const ifn_linear_q8_args *a, float *copies,
                               variant_range rows)
{
    for (int64_t r = rows.begin; r < rows.end; r++) {
        const ifn_block_q8_32f *const blocks = a->x + r * a->x_stride;
        for (int64_t i = 0; i < a->k; i++)
            copies[r * a->k + i] = blocks[i / BLOCK].d * (float)blocks[i / BLOCK].qs[i % BLOCK];
        round_all(v, copies + r * a->k, a->k);
    }
    return (activations){copies, a->k};
}

/* A product: some features of one weight for some rows. */
typedef struct product {
    const ifn_tensor *w;
    const float *bias;
    float *out;
    int64_t out_stride;
    variant_range features, rows;
    scratch scratch;
} product;

/* Initialises the product of weight i in a call of linear or linear_q8. */
#define PRODUCT(a, i, its_features, its_rows)                                                      \
    {                                                                                              \
        (a)->w[i], (a)->bias[i], (a)->out[i], (a)->out_stride[i], its_features, its_rows,          \
            scratch_of(&(a)->call, (a)->k)                                                         \
    }

static void store(const variant *v, const product *p, const float *sums, int64_t row, int64_t first,
                  int64_t n)
{
    float *const out = p->out + row * p->out_stride + first;
    for (int64_t o = 0; o < n; o++)
        out[o] = result(v, p->bias ? sums[o] + p->bias[first + o] : sums[o]);
}

static int64_t at_once(int64_t left)
{
    return left < AT_ONCE ? left : AT_ONCE;
}

static ifn_status multiply(const variant *v, const product *p, activations x)
{
    const int64_t k = p->w->shape[1];
    const variant_sums add_up = variant_sums_here();
    variant exact = *v; /* factors are rounded here, once */
    exact.a.inputs = IFN_ROUND_NONE;
    for (int64_t f = p->features.begin; f < p->features.end; f += AT_ONCE) {
        const int64_t n = at_once(p->features.end - f);
        IFN_TRY(decode(p->w, f, n, &p->scratch));
        round_all(v, p->scratch.w, v->a.inputs ? AT_ONCE * k : 0);
        for (int64_t r = p->rows.begin; r < p->rows.end; r++) {
            float sums[AT_ONCE];
            add_up(&exact, p->scratch.w, AT_ONCE, x.x + r * x.stride, k, sums);
            store(v, p, sums, r, f, n);
        }
    }
    return IFN_OK;
}

ifn_status variant_linear(const variant *v, const ifn_linear_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_LINEAR, &a->call, NULL));
    if (a->call.scratch_bytes < linear_scratch_bytes(v, a->rows, a->k))
        return IFN_ERR_ARGUMENT;
    int64_t n = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const variant_range part = variant_part(a->part_begin, a->part_end, n);
    const variant_range rows = variant_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        const variant own = variant_in(v, IFN_OP_LINEAR, a->w[i]->dtype);
        const product p = PRODUCT(a, i, within(part, first, a->w[i]->shape[0]), rows);
        IFN_TRY(multiply(&own, &p, read_rows(&own, a, p.scratch.copies, rows)));
        first += a->w[i]->shape[0];
    }
    return IFN_OK;
}

/*
 * Dot products of linear_q8. Inside a block the sum of weight times code is computed in f64, which holds it as exactly
 * as integers times scales, and rounded once. The variant then adds the blocks, each times its activation scale, in
 * its own order.
 */
static void dots_q8(const variant *v, variant_sums add_up, const scratch *of,
                    const ifn_block_q8_32f *x, int64_t n_blocks, float *out)
{
    static const variant in_f64 = {.lanes = 1, .is_f64 = true};
    float *const blocks = of->room, *const scales = blocks + AT_ONCE * n_blocks;
    for (int64_t b = 0; b < n_blocks; b++) {
        float codes[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            codes[i] = x[b].qs[i];
        add_up(&in_f64, of->w + b * BLOCK * AT_ONCE, AT_ONCE, codes, BLOCK, blocks + b * AT_ONCE);
        scales[b] = x[b].d;
    }
    add_up(v, blocks, AT_ONCE, scales, n_blocks, out);
}

static ifn_status multiply_q8(const variant *v, const product *p, const ifn_linear_q8_args *a)
{
    const variant_sums add_up = variant_sums_here();
    for (int64_t f = p->features.begin; f < p->features.end; f += AT_ONCE) {
        const int64_t n = at_once(p->features.end - f);
        IFN_TRY(decode(p->w, f, n, &p->scratch));
        for (int64_t r = p->rows.begin; r < p->rows.end; r++) {
            float sums[AT_ONCE];
            dots_q8(v, add_up, &p->scratch, a->x + r * a->x_stride, a->k / BLOCK, sums);
            store(v, p, sums, r, f, n);
        }
    }
    return IFN_OK;
}

ifn_status variant_linear_q8(const variant *v, const ifn_linear_q8_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_LINEAR_Q8, &a->call, NULL));
    if (a->call.scratch_bytes < linear_scratch_bytes(v, a->rows, a->k))
        return IFN_ERR_ARGUMENT;
    int64_t n = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const variant_range part = variant_part(a->part_begin, a->part_end, n);
    const variant_range rows = variant_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        const variant own = variant_in(v, IFN_OP_LINEAR_Q8, a->w[i]->dtype);
        const product p = PRODUCT(a, i, within(part, first, a->w[i]->shape[0]), rows);
        if (conform_arithmetic_is_plain(&own.a))
            IFN_TRY(multiply_q8(&own, &p, a));
        else /* declared arithmetic multiplies the decoded values of both factors */
            IFN_TRY(multiply(&own, &p, decode_rows(&own, a, p.scratch.copies, rows)));
        first += a->w[i]->shape[0];
    }
    return IFN_OK;
}

size_t variant_scratch_bytes(const variant *v, const ifn_limits *max)
{
    const size_t linear = linear_scratch_bytes(v, max->rows, max->k);
    const size_t attention = variant_attention_scratch_bytes(max->head_dim);
    return linear > attention ? linear : attention;
}
