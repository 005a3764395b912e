/*
 * linear of bf16 weights with tile registers, which few processors have: the test emulates them, and uses the vectors that
 * every processor of this kind has. A row must have the same bits alone, in vectors, and among others, in tiles; whatever
 * the rows, the part, the scratch and the form of the weight.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bf16_tiles.h"
#include "gemm_slices.h"
#include "level.h"
#include "op_weights.h"

struct emulated_bf16_tiles emulated_bf16_tiles;

/* A product, and its weight as the emulated level packs it. */
typedef struct product {
    ifn_tensor w;
    ifn_simd_weight packed;
    uint16_t *halves;
    float *x, *bias;
    int64_t rows, n, k;
    void *image;
} product;

static float a_float(op_case *c, int least, int most)
{
    const int exponent = least + (int)op_below(c, most - least + 1);
    const float x = ldexpf(1.0f + (float)op_below(c, 1 << 23) * 0x1p-23f, exponent);
    return op_below(c, 2) ? x : -x;
}

static void pack(product *p)
{
    const ifn_simd_packing *const packing = &IFN_KERNEL(pair_packing);
    free(p->image);
    p->image = aligned_alloc(64, (packing->bytes(&p->w, IFN_USE_LINEAR) + 63) / 64 * 64);
    packing->pack(&p->w, p->image);
    p->packed = (ifn_simd_weight){.linear = p->image, .packing = packing, .rows = p->image};
}

/* Elements of x have exponents least .. least + 8, one in 16 is 0; those of the weight least_w .. least_w + 8. */
static product a_product(op_case *c, int64_t rows, int64_t n, int64_t k, int least, int least_w)
{
    product p = {.rows = rows, .n = n, .k = k};
    p.halves = malloc((size_t)(n * k) * sizeof *p.halves);
    p.x = malloc((size_t)(rows * k) * sizeof *p.x);
    p.bias = malloc((size_t)n * sizeof *p.bias);
    for (int64_t i = 0; i < n * k; i++)
        p.halves[i] = ifn_f32_to_bf16(a_float(c, least_w, least_w + 8));
    for (int64_t i = 0; i < rows * k; i++)
        p.x[i] = op_below(c, 16) ? a_float(c, least, least + 8) : 0.0f;
    for (int64_t i = 0; i < n; i++)
        p.bias[i] = a_float(c, -4, 4);
    p.w = (ifn_tensor){
        .name = "w", .data = p.halves, .dtype = IFN_DTYPE_BF16, .n_dims = 2, .shape = {n, k}};
    pack(&p);
    return p;
}

static void free_product(product *p)
{
    free(p->halves);
    free(p->x);
    free(p->bias);
    free(p->image);
}

/* Computes features [begin, end) of rows [first, first + rows); scratch_bytes a multiple of 64, or 0. Returns the number of
 * products of tiles. */
static int64_t run(const product *p, bool is_packed, size_t scratch_bytes, int64_t first,
                   int64_t rows, int64_t begin, int64_t end, float *out)
{
    const int64_t before = emulated_bf16_tiles.n_products;
    ifn_linear_args a =
        IFN_ARGS(linear, .part_begin = begin, .part_end = end, .x = p->x + first * p->k,
                 .rows = rows, .k = p->k, .x_stride = p->k, .n_w = 1, .w = {&p->w},
                 .packed = {is_packed ? &p->packed : NULL}, .out = {out + first * p->n},
                 .bias = {p->bias}, .out_stride = {p->n});
    a.call.scratch = scratch_bytes ? aligned_alloc(64, scratch_bytes) : NULL;
    a.call.scratch_bytes = scratch_bytes;
    if (scratch_bytes)
        memset(a.call.scratch, 0xff, scratch_bytes);
    assert_int_equal(IFN_KERNEL(linear)(NULL, &a), IFN_OK);
    assert_int_equal(emulated_bf16_tiles.is_open, 0);
    free(a.call.scratch);
    return emulated_bf16_tiles.n_products - before;
}

static size_t asked_for(const product *p)
{
    const ifn_limits limits = {
        .limits_bytes = sizeof limits, .rows = p->rows, .max_pos = 1, .k = p->k, .n = p->n};
    return (IFN_KERNEL(gemm_slices_scratch_bytes)(&limits) + 63) / 64 * 64;
}

static void expect_equal(const product *p, const char *what, const float *got, const float *want)
{
    for (int64_t i = 0; i < p->rows * p->n; i++)
        assert_that(
            memcmp(&got[i], &want[i], sizeof *got) == 0 || (isnan(got[i]) && isnan(want[i])),
            "%s: row %d of %d, feature %d of %d, k %d: %a, expected %a", what, (int)(i / p->n),
            (int)p->rows, (int)(i % p->n), (int)p->n, (int)p->k, (double)got[i], (double)want[i]);
}

/* Every way to compute the product has the bits of single rows of a raw weight, which are left in `want`. */
static void expect_the_same_bits(const product *p, float *want)
{
    const size_t bytes = (size_t)(p->rows * p->n) * sizeof(float);
    float *const got = malloc(bytes);
    for (int64_t r = 0; r < p->rows; r++)
        assert_int_equal(run(p, false, 0, r, 1, 0, 0, want), 0);
    memset(got, 0xff, bytes);
    for (int64_t r = 0; r < p->rows; r++)
        assert_int_equal(run(p, true, asked_for(p), r, 1, 0, 0, got), 0);
    expect_equal(p, "packed, row by row", got, want);
    for (int i = 0; i < 4; i++) {
        memset(got, 0xff, bytes);
        const int64_t n = run(p, i % 2, i / 2 ? asked_for(p) : 0, 0, p->rows, 0, 0, got);
        assert_true(n > 0 || p->rows == 1);
        expect_equal(p, i % 2 ? "packed" : "raw", got, want);
    }
    memset(got, 0xff, bytes);
    const int64_t cut = PAIR_COLUMNS; /* the first place where a packed weight may be cut */
    (void)run(p, true, asked_for(p), 0, p->rows, 0, p->n < cut ? p->n : cut, got);
    if (cut < p->n)
        (void)run(p, true, asked_for(p), 0, p->rows, cut, p->n, got);
    expect_equal(p, "in two parts", got, want);
    memset(got, 0xff, bytes);
    (void)run(p, false, asked_for(p), 0, p->rows, 0, p->n / 3 + 1, got);
    if (p->n / 3 + 1 < p->n)
        (void)run(p, false, asked_for(p), 0, p->rows, p->n / 3 + 1, p->n, got);
    expect_equal(p, "raw, in two parts", got, want);
    free(got);
}

/* Each sum is within gamma(16 + 3 ceil(k / 32) + 1) of the truth, the last for the bias. */
static void expect_near_the_truth(const product *p, const float *got)
{
    const double depth = 17.0 + 3.0 * (double)((p->k + 31) / 32);
    for (int64_t i = 0; i < p->rows * p->n; i++) {
        const float *const x = p->x + i / p->n * p->k;
        const uint16_t *const w = p->halves + i % p->n * p->k;
        double truth = (double)p->bias[i % p->n], size = fabs(truth);
        for (int64_t k = 0; k < p->k; k++) {
            const double term = (double)x[k] * (double)ifn_bf16_to_f32(w[k]);
            truth += term;
            size += fabs(term);
        }
        const double error = fabs((double)got[i] - truth);
        assert_that(error <= depth * 0x1p-24 * size + (double)p->k * 0x1p-149,
                    "element %d of %d x %d, k %d: off by %g of %g", (int)i, (int)p->rows, (int)p->n,
                    (int)p->k, error, size);
    }
}

static void expect_all(product *p)
{
    float *const got = malloc((size_t)(p->rows * p->n) * sizeof *got);
    expect_the_same_bits(p, got);
    expect_near_the_truth(p, got);
    free(got);
}

TEST(rows_alone_and_in_tiles_have_the_same_bits)
{
    static const int64_t rows[] = {2, 15, 16, 17, 32, 33, 47}, ns[] = {1, 15, 16, 17, 32, 33, 75},
                         ks[] = {64, 65, 95, 96, 256, 257, 300};
    for (uint64_t seed = 0; seed < 40; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR, seed);
        product p = a_product(&c, rows[op_below(&c, N_OF(rows))], ns[op_below(&c, N_OF(ns))],
                              ks[op_below(&c, N_OF(ks))], -4, -8);
        expect_all(&p);
        free_product(&p);
    }
}

/* More rows, and more elements of k, than one step takes. */
TEST(steps_follow_each_other)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR, 1);
    product p = a_product(&c, 131, 33, 1313, -4, -8);
    expect_all(&p);
    free_product(&p);
}

/* Tiles would take slices, products or sums of these for zeros. */
TEST(small_numbers_count)
{
    static const int exponents[][2] = {{-90, -8},   {-103, -8}, {-110, -8},  {-126, -8}, {-149, -8},
                                       {-100, -20}, {-60, -60}, {-20, -110}, {0, -133}};
    for (uint64_t i = 0; i < N_OF(exponents); i++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR, i);
        product p = a_product(&c, 19, 37, 353, exponents[i][0], exponents[i][1]);
        memset(p.bias, 0, 37 * sizeof *p.bias);
        expect_all(&p);
        free_product(&p);
    }
}

/* Rows of whose steps one alone is small. */
TEST(small_numbers_of_one_step_count)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR, 0);
    product p = a_product(&c, 19, 37, 353, 0, 0);
    memset(p.bias, 0, 37 * sizeof *p.bias);
    for (int64_t k = 0; k < p.k; k++)
        p.x[k] = p.x[p.k + k] = p.x[2 * p.k + k] = 0.0f;
    p.x[5] = 0x1p-140f;            /* its sum is small when the second step begins */
    p.x[p.k + 301] = 0x1p-140f;    /* the last step */
    p.x[2 * p.k + 7] = 0x1.01p10f; /* the weight is small where this is not */
    p.halves[7] = 1;
    pack(&p);
    expect_all(&p);
    free_product(&p);
}

TEST(what_is_not_finite_is_what_other_levels_give)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR, 0);
    product p = a_product(&c, 35, 40, 96, -4, -8);
    p.x[3 * 96 + 5] = INFINITY;
    p.x[4 * 96 + 6] = NAN;
    p.x[34 * 96] = FLT_MAX;
    p.halves[7 * 96 + 9] = 0xff80; /* minus infinity */
    p.halves[38 * 96 + 1] = 0x7f80;
    p.halves[39 * 96 + 2] = 0x7f81; /* a signalling NaN */
    pack(&p);
    float *const got = malloc(35 * 40 * sizeof *got);
    expect_the_same_bits(&p, got);
    for (int64_t r = 0; r < 35; r++)
        for (int64_t n = 0; n < 40; n++) {
            double truth = (double)p.bias[n];
            for (int64_t k = 0; k < 96; k++)
                truth += (double)p.x[r * 96 + k] * (double)ifn_bf16_to_f32(p.halves[n * 96 + k]);
            const float sum = got[r * 40 + n], rounded = (float)truth;
            assert_that(isfinite(rounded) ? isfinite(sum)
                        : isnan(rounded)  ? isnan(sum)
                                          : sum == rounded,
                        "row %d, feature %d: %g, expected %g", (int)r, (int)n, (double)sum, truth);
        }
    free(got);
    free_product(&p);
}

TEST(packed_rows_are_what_was_packed)
{
    static const int64_t ks[] = {1, 2, 31, 64, 97};
    for (uint64_t i = 0; i < N_OF(ks); i++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR, i);
        product p = a_product(&c, 1, 35, ks[i], 0, 0);
        float row[97];
        for (int64_t n = 0; n < p.n; n++) {
            p.packed.packing->row(&p.w, p.image, n, row);
            for (int64_t k = 0; k < p.k; k++)
                assert_true(row[k] == ifn_bf16_to_f32(p.halves[n * p.k + k]));
        }
        free_product(&p);
    }
}

/* Products of few elements are those of the level below, packed or not. */
TEST(short_sums_take_no_tiles)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR, 0);
    product p = a_product(&c, 33, 40, 63, 0, 0);
    float *const raw = malloc(33 * 40 * sizeof *raw), *const packed = malloc(33 * 40 * sizeof *raw);
    assert_int_equal(run(&p, false, asked_for(&p), 0, 33, 0, 0, raw), 0);
    assert_int_equal(run(&p, true, asked_for(&p), 0, 33, 0, 0, packed), 0);
    expect_equal(&p, "packed", packed, raw);
    free(raw);
    free(packed);
    free_product(&p);
}
