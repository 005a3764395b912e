#include "op_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>

enum { F16_ONE = 0x3c00, MAX_BLOCK_BYTES = 256, MAX_BLOCK = 256 };

/* Byte offset of a quantized format's f16 scale; a minimum follows it. */
static const size_t scales_at[IFN_DTYPE_COUNT] = {
#define X(NAME, name) [IFN_DTYPE_##NAME] = offsetof(ifn_block_##name, d),
    IFN_BLOCK_DTYPES(X)
#undef X
};

int64_t op_group(ifn_dtype dtype)
{
    const int is_16 = dtype == IFN_DTYPE_Q2_K || dtype == IFN_DTYPE_Q3_K || dtype == IFN_DTYPE_Q6_K;
    return is_16 ? 16 : 32;
}

static void set_half(void *block, size_t at, uint16_t bits)
{
    memcpy((char *)block + at, &bits, sizeof bits);
}

/* Returns 1 if a block with scale 0 decodes to something else than 0 once the number after the scale is not 0. */
int op_has_minimum(ifn_dtype dtype)
{
    const size_t bytes = ifn_dtype_block_bytes(dtype), at = scales_at[dtype];
    unsigned char block[MAX_BLOCK_BYTES];
    float values[MAX_BLOCK];
    if (!ifn_dtype_is_quantized(dtype) || at + 4 > bytes)
        return 0;
    memset(block, 0xff, bytes);
    set_half(block, at, 0);
    set_half(block, at + 2, F16_ONE);
    assert_int_equal(ifn_dequantize_row(dtype, block, values, ifn_dtype_block_elements(dtype)),
                     IFN_OK);
    return values[0] != 0.0f;
}

void op_set_scales(ifn_dtype dtype, void *block, uint16_t d, uint16_t minimum)
{
    set_half(block, scales_at[dtype], d);
    if (op_has_minimum(dtype))
        set_half(block, scales_at[dtype] + 2, minimum);
}

static double scale_at(const unsigned char *block, size_t offset)
{
    float value = 0.0f;
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_F16, block + offset, &value, 1), IFN_OK);
    return (double)value;
}

/* Decodes one block with the scales (1, 0) and (0, 1): the results are integers, so nothing rounds. */
static void expand_block(ifn_dtype dtype, const unsigned char *block, double *scaled,
                         double *minimum)
{
    const int64_t n = ifn_dtype_block_elements(dtype);
    const int has_minimum = op_has_minimum(dtype);
    const double d = scale_at(block, scales_at[dtype]);
    const double m = has_minimum ? scale_at(block, scales_at[dtype] + 2) : 0.0;
    unsigned char unit[MAX_BLOCK_BYTES];
    float codes[MAX_BLOCK], minima[MAX_BLOCK];
    memcpy(unit, block, ifn_dtype_block_bytes(dtype));
    op_set_scales(dtype, unit, F16_ONE, 0);
    assert_int_equal(ifn_dequantize_row(dtype, unit, codes, n), IFN_OK);
    op_set_scales(dtype, unit, 0, F16_ONE);
    assert_int_equal(ifn_dequantize_row(dtype, unit, minima, n), IFN_OK);
    for (int64_t i = 0; i < n; i++) {
        scaled[i] = d * (double)codes[i];
        minimum[i] = has_minimum ? m * (double)minima[i] : 0.0;
    }
}

static void expand(op_weights *w, const unsigned char *blocks)
{
    const ifn_dtype dtype = w->tensor.dtype;
    const int64_t n = w->tensor.shape[0] * w->tensor.shape[1];
    const int64_t block = ifn_dtype_block_elements(dtype);
    for (int64_t i = 0; i < n; i += block) {
        const unsigned char *const at = blocks + (size_t)(i / block) * ifn_dtype_block_bytes(dtype);
        if (ifn_dtype_is_quantized(dtype)) {
            expand_block(dtype, at, w->scaled + i, w->minimum + i);
        } else {
            float value;
            assert_int_equal(ifn_dequantize_row(dtype, at, &value, 1), IFN_OK);
            w->scaled[i] = (double)value;
        }
    }
}

void op_weights_init_with(op_weights *w, op_case *c, ifn_dtype dtype, int64_t n, int64_t k,
                          const void *blocks)
{
    *w = (op_weights){.tensor = {.name = "w", .dtype = dtype, .n_dims = 2, .shape = {n, k}}};
    w->scaled = calloc((size_t)(n * k) + 1, sizeof *w->scaled);
    w->minimum = calloc((size_t)(n * k) + 1, sizeof *w->minimum);
    w->tensor.data = op_input(c, blocks, (size_t)n * ifn_dtype_row_bytes(dtype, k));
    expand(w, blocks);
}

/* Returns an f16 of any sign with a full significand, 2^-9 .. 2^-2. */
static uint16_t random_scale(op_case *c)
{
    return (uint16_t)(op_below(c, 2) << 15 | (6 + op_below(c, 7)) << 10 | op_below(c, 1024));
}

static void random_block(op_case *c, ifn_dtype dtype, unsigned char *block, op_scales scales)
{
    if (!ifn_dtype_is_quantized(dtype)) {
        const float value = op_float(c, scales == OP_SCALES_ONE ? OP_LATTICE : OP_PLAIN);
        assert_int_equal(ifn_quantize_row(dtype, &value, block, 1), IFN_OK);
        return;
    }
    for (size_t i = 0; i < ifn_dtype_block_bytes(dtype); i++)
        block[i] = (unsigned char)op_below(c, 256);
    if (scales == OP_SCALES_ONE)
        op_set_scales(dtype, block, F16_ONE, F16_ONE);
    else
        op_set_scales(dtype, block, random_scale(c), random_scale(c));
}

void op_weights_init(op_weights *w, op_case *c, ifn_dtype dtype, int64_t n, int64_t k,
                     op_scales scales)
{
    const size_t block_bytes = ifn_dtype_block_bytes(dtype);
    const size_t n_blocks = (size_t)(n * k / ifn_dtype_block_elements(dtype));
    unsigned char *const blocks = malloc(n_blocks * block_bytes + 1);
    for (size_t i = 0; i < n_blocks; i++)
        random_block(c, dtype, blocks + i * block_bytes, scales);
    op_weights_init_with(w, c, dtype, n, k, blocks);
    free(blocks);
}

void op_weights_fini(op_weights *w)
{
    free(w->scaled);
    free(w->minimum);
    *w = (op_weights){.tensor = {.name = ""}};
}

void op_activations(op_case *c, ifn_block_q8_32f *x, int64_t n, op_scales scales)
{
    const int64_t largest = scales == OP_SCALES_ONE ? 7 : 127;
    for (int64_t i = 0; i < n; i++) {
        const float d = op_float(c, OP_PLAIN);
        x[i] = (ifn_block_q8_32f){.d = scales == OP_SCALES_ONE ? 1.0f : d < 0.0f ? -d : d};
        for (int j = 0; j < 32; j++) {
            x[i].qs[j] = (int8_t)(op_below(c, 2 * largest + 1) - largest);
            x[i].s += x[i].qs[j];
        }
    }
}

void op_expect_dot(const op_case *c, const op_weights *w, int64_t f, const ifn_block_q8_32f *x,
                   const float *bias, op_scales scales, float got)
{
    const ifn_dtype dtype = w->tensor.dtype;
    const int64_t k = w->tensor.shape[1];
    const int64_t n_groups = k / op_group(dtype);
    op_sum s = {0};
    double floor = 0.0;
    for (int64_t j = k - 1; j >= 0; j--) {
        const double q = (double)x[j / 32].qs[j % 32], d = (double)x[j / 32].d;
        op_add(&s, w->scaled[f * k + j] * q * d);
        op_add(&s, w->minimum[f * k + j] * q * d);
        floor += OP_SMIN * (1.0 + fabs(q)); /* less than the floor of 7.3 */
    }
    double h = (double)(n_groups * (1 + op_has_minimum(dtype)) + 8);
    if (bias) {
        op_add(&s, (double)*bias);
        h += 1.0;
    }
    const double bound = op_sum_bound(&s, h) + floor;
    op_expect(c, "feature", f, got, op_value(&s), scales == OP_SCALES_ONE ? 0.0 : bound);
}
