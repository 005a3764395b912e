/* Sums of products: matmul, sums of squares, linear. */
#include <string.h>

#include "honest.h"

enum { BLOCK = 32 };

/* Copies a column of b, whose elements lie p apart, to scratch, which every call has. If b has one column, it is read
 * in place, and a style with declared over-reads reads past its end. */
static terms column_of(const ifn_matmul_args *a, int64_t j)
{
    float *const copy = a->call.scratch;
    if (a->p == 1)
        return (terms){NULL, a->b + j, 1, a->p};
    for (int64_t i = 0; i < a->n; i++)
        copy[i] = a->b[i * a->p + j];
    return (terms){NULL, copy, 1, 1};
}

ifn_status honest_matmul(const style *s, const ifn_matmul_args *a)
{
    const range rows = part_of(a->part_begin, a->part_end, a->m);
    const range cols = part_of(a->part2_begin, a->part2_end, a->p);
    for (int64_t j = cols.begin; j < cols.end; j++) {
        terms t = column_of(a, j);
        for (int64_t i = rows.begin; i < rows.end; i++) {
            t.a = a->a + i * a->n;
            a->out[i * a->p + j] = sum_of(s, &t, a->n);
        }
    }
    return IFN_OK;
}

ifn_status honest_sum_squares_axis(const style *s, const ifn_sum_squares_axis_args *a)
{
    const range part = part_of(a->part_begin, a->part_end, a->axis ? a->rows : a->cols);
    for (int64_t i = part.begin; i < part.end; i++) {
        const terms along = {a->x + i * a->cols, NULL, 1, 1}, down = {a->x + i, NULL, a->cols, 1};
        a->out[i] = a->axis ? sum_of(s, &along, a->cols) : sum_of(s, &down, a->rows);
    }
    return IFN_OK;
}

/* --- linear --- */

static const unsigned char *row_of(const ifn_tensor *w, int64_t feature)
{
    return (const unsigned char *)w->data +
           (size_t)feature * ifn_dtype_row_bytes(w->dtype, w->shape[1]);
}

static float from_f16(uint16_t bits)
{
    float x = 0;
    return ifn_dequantize_row(IFN_DTYPE_F16, &bits, &x, 1) == IFN_OK ? x : 0;
}

/* Writes the codes of block b of a row, those of Q4_0 less `offset`: 8, or 0 if the caller subtracts the offsets
 * itself. Returns the block's scale. */
static float codes_of(const unsigned char *row, ifn_dtype dtype, int64_t b, int offset, float *out)
{
    if (dtype == IFN_DTYPE_Q8_0) {
        ifn_block_q8_0 block;
        memcpy(&block, row + (size_t)b * sizeof block, sizeof block);
        for (int i = 0; i < BLOCK; i++)
            out[i] = (float)block.qs[i];
        return from_f16(block.d);
    }
    ifn_block_q4_0 block;
    memcpy(&block, row + (size_t)b * sizeof block, sizeof block);
    for (int i = 0; i < BLOCK / 2; i++) {
        out[i] = (float)((block.qs[i] & 15) - offset);
        out[i + BLOCK / 2] = (float)((block.qs[i] >> 4) - offset);
    }
    return from_f16(block.d);
}

float sum_by_codes(const style *s, const unsigned char *row, ifn_dtype dtype, int64_t n,
                   const float *x)
{
    float total = 0, codes[BLOCK];
    for (int64_t b = 0; b < n / BLOCK; b++) {
        const float d = codes_of(row, dtype, b, 8, codes);
        const terms t = {codes, x + b * BLOCK, 1, 1};
        total = multiply_add(s, d, sum_of(s, &t, BLOCK), total);
    }
    return total;
}

/* The dot product of a row of Q4_0: adds d (sum q x - 8 sum x) of each block, q the codes 0 .. 15. */
static float split(const style *s, const ifn_tensor *w, int64_t feature, const float *x)
{
    static const float one = 1;
    float total = 0, codes[BLOCK];
    for (int64_t b = 0; b < w->shape[1] / BLOCK; b++) {
        const float d = codes_of(row_of(w, feature), w->dtype, b, 0, codes);
        const terms t = {codes, x + b * BLOCK, 1, 1}, ones = {&one, x + b * BLOCK, 0, 1};
        const float offsets = 8 * sum_of(s, &ones, BLOCK);
        total += d * (sum_of(s, &t, BLOCK) - offsets);
    }
    return total;
}

static int is_grouped(const style *s, const ifn_tensor *w)
{
    return (s->linear == LINEAR_GROUPED &&
            (w->dtype == IFN_DTYPE_Q8_0 || w->dtype == IFN_DTYPE_Q4_0)) ||
           (s->linear == LINEAR_SPLIT && w->dtype == IFN_DTYPE_Q4_0);
}

static float with_bias(const style *s, float sum, const float *bias, int64_t f)
{
    if (!bias)
        return sum;
    return s->bias_first ? bias[f] + sum : sum + bias[f];
}

typedef struct product {
    const style *s;
    const ifn_linear_args *a;
    range rows;
    float *scratch;
} product;

static ifn_status feature_of(const product *p, int64_t i, int64_t f)
{
    const ifn_tensor *const w = p->a->w[i];
    const int is_direct = is_grouped(p->s, w);
    if (!is_direct)
        IFN_TRY(ifn_dequantize_row(w->dtype, row_of(w, f), p->scratch, p->a->k));
    for (int64_t r = p->rows.begin; r < p->rows.end; r++) {
        const float *const x = p->a->x + r * p->a->x_stride;
        const terms t = {p->scratch, x, 1, 1};
        const float sum = !is_direct ? sum_of(p->s, &t, p->a->k)
                          : p->s->linear == LINEAR_SPLIT
                              ? split(p->s, w, f, x)
                              : sum_by_codes(p->s, row_of(w, f), w->dtype, p->a->k, x);
        p->a->out[i][r * p->a->out_stride[i] + f] = with_bias(p->s, sum, p->a->bias[i], f);
    }
    return IFN_OK;
}

ifn_status honest_linear(const style *s, const ifn_linear_args *a)
{
    int64_t n = 0, first = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const range part = part_of(a->part_begin, a->part_end, n);
    const product p = {s, a, part_of(a->part2_begin, a->part2_end, a->rows), a->call.scratch};
    for (int64_t i = 0; i < a->n_w; i++) {
        const range its = part_within(part, first, a->w[i]->shape[0]);
        for (int64_t f = its.begin; f < its.end; f++)
            IFN_TRY(feature_of(&p, i, f));
        first += a->w[i]->shape[0];
    }
    return IFN_OK;
}

/* The sum of one block. Its terms are integers times scales, so that the sum is exact in f64 in any order, and rounded
 * once. The style's order of summation applies to the sums of blocks. */
FOR_EACH_CPU static float sum_of_block(const float *w, const int8_t *codes)
{
    enum { LANES = 8 };
    double lane[LANES] = {0}, sum = 0;
    int32_t whole[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        whole[i] = codes[i];
    for (int i = 0; i < BLOCK; i += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)w[i + l] * (double)whole[i + l];
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return (float)sum;
}

static float dot_q8(const style *s, float *scratch, const ifn_block_q8_32f *x, int64_t k)
{
    float *const sums = scratch + k, *const scales = sums + k / BLOCK;
    for (int64_t b = 0; b < k / BLOCK; b++) {
        sums[b] = sum_of_block(scratch + b * BLOCK, x[b].qs);
        scales[b] = x[b].d;
    }
    return sum_of(s, &(terms){sums, scales, 1, 1}, k / BLOCK);
}

ifn_status honest_linear_q8(const style *s, const ifn_linear_q8_args *a)
{
    int64_t n = 0, first = 0;
    float *const scratch = a->call.scratch;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const range part = part_of(a->part_begin, a->part_end, n);
    const range rows = part_of(a->part2_begin, a->part2_end, a->rows);
    for (int64_t i = 0; i < a->n_w; i++) {
        const range its = part_within(part, first, a->w[i]->shape[0]);
        for (int64_t f = its.begin; f < its.end; f++) {
            IFN_TRY(ifn_dequantize_row(a->w[i]->dtype, row_of(a->w[i], f), scratch, a->k));
            for (int64_t r = rows.begin; r < rows.end; r++)
                a->out[i][r * a->out_stride[i] + f] =
                    with_bias(s, dot_q8(s, scratch, a->x + r * a->x_stride, a->k), a->bias[i], f);
        }
        first += a->w[i]->shape[0];
    }
    return IFN_OK;
}
