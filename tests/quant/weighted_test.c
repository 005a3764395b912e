#include <inferno/quant.h>

#include <math.h>
#include <string.h>

#include "row_sets.h"
#include "test.h"

enum { COLS = 512, MOST_BYTES = COLS * 4 };

static const ifn_dtype searched[] = {IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0,
                                     IFN_DTYPE_Q5_1, IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K,
                                     IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K, IFN_DTYPE_Q6_K};

/* Makes values of about unit size, and column importances, some of which are a thousand times as large. */
static void make(uint64_t seed, float x[COLS], float columns[COLS])
{
    for (int i = 0; i < COLS; i++) {
        const uint64_t h = row_hash("weighted", seed * COLS + (uint64_t)i);
        x[i] = (float)((double)(h >> 40) / 8388608.0 - 1.0);
        columns[i] = h % 16 == 0 ? 10.0f : 0.01f;
    }
}

static double error_of(ifn_dtype dtype, const float *x, const float *columns,
                       const unsigned char *stored)
{
    float back[COLS];
    double error = 0.0;
    assert_int_equal(ifn_dequantize_row(dtype, stored, back, COLS), IFN_OK);
    for (int i = 0; i < COLS; i++)
        error += (double)columns[i] * pow((double)x[i] - (double)back[i], 2);
    return error;
}

TEST(columns_that_matter_err_less)
{
    for (size_t f = 0; f < N_OF(searched); f++) {
        double plain = 0.0, weighted = 0.0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            float x[COLS], columns[COLS];
            unsigned char a[MOST_BYTES], b[MOST_BYTES];
            make(seed, x, columns);
            assert_int_equal(ifn_quantize_row(searched[f], x, a, COLS), IFN_OK);
            assert_int_equal(ifn_quantize_row_weighted(searched[f], x, columns, b, COLS), IFN_OK);
            plain += error_of(searched[f], x, columns, a);
            weighted += error_of(searched[f], x, columns, b);
        }
        assert_that(weighted < 0.9 * plain, "%s: %g of %g", ifn_dtype_name(searched[f]), weighted,
                    plain);
    }
}

/* A common factor of all columns changes nothing; the importances are the sums of squares of llama.cpp. */
TEST(a_factor_of_all_columns_changes_nothing)
{
    for (size_t f = 0; f < N_OF(searched); f++) {
        float x[COLS], columns[COLS];
        unsigned char a[MOST_BYTES] = {0}, b[MOST_BYTES] = {0};
        make(7, x, columns);
        assert_int_equal(ifn_quantize_row_weighted(searched[f], x, columns, a, COLS), IFN_OK);
        for (int i = 0; i < COLS; i++)
            columns[i] *= 4.0f;
        assert_int_equal(ifn_quantize_row_weighted(searched[f], x, columns, b, COLS), IFN_OK);
        assert_memory_equal(a, b, ifn_dtype_row_bytes(searched[f], COLS));
    }
}

TEST(without_columns_the_bits_are_those_of_before)
{
    static const ifn_dtype rounded[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_BF16,
                                        IFN_DTYPE_Q8_0};
    float x[COLS], columns[COLS];
    unsigned char a[MOST_BYTES], b[MOST_BYTES];
    make(3, x, columns);
    for (size_t f = 0; f < N_OF(searched); f++) {
        assert_int_equal(ifn_quantize_row(searched[f], x, a, COLS), IFN_OK);
        assert_int_equal(ifn_quantize_row_weighted(searched[f], x, NULL, b, COLS), IFN_OK);
        assert_memory_equal(a, b, ifn_dtype_row_bytes(searched[f], COLS));
    }
    for (size_t f = 0; f < N_OF(rounded); f++) {
        assert_int_equal(ifn_quantize_row(rounded[f], x, a, COLS), IFN_OK);
        assert_int_equal(ifn_quantize_row_weighted(rounded[f], x, columns, b, COLS), IFN_OK);
        assert_memory_equal(a, b, ifn_dtype_row_bytes(rounded[f], COLS));
    }
}

/* Tries columns of importance zero, rows of zeros, and values that cannot be stored. */
TEST(odd_rows_are_encoded_too)
{
    float x[COLS] = {0}, columns[COLS] = {0}, back[COLS];
    unsigned char out[MOST_BYTES];
    for (size_t f = 0; f < N_OF(searched); f++) {
        memset(x, 0, sizeof x);
        assert_int_equal(ifn_quantize_row_weighted(searched[f], x, columns, out, COLS), IFN_OK);
        assert_int_equal(ifn_dequantize_row(searched[f], out, back, COLS), IFN_OK);
        for (int i = 0; i < COLS; i++)
            assert_true(back[i] == 0.0f);
        make(1, x, columns);
        memset(columns, 0, sizeof columns);
        assert_int_equal(ifn_quantize_row_weighted(searched[f], x, columns, out, COLS), IFN_OK);
        assert_int_equal(ifn_dequantize_row(searched[f], out, back, COLS), IFN_OK);
        for (int i = 0; i < COLS; i++)
            assert_true(isfinite(back[i]));
        x[0] = NAN;
        assert_int_equal(ifn_quantize_row_weighted(searched[f], x, columns, out, COLS), IFN_OK);
        assert_int_equal(ifn_dequantize_row(searched[f], out, back, COLS), IFN_OK);
        assert_true(isnan(back[1]));
        assert_int_equal(ifn_quantize_row_weighted(searched[f], x, columns, out, 33),
                         IFN_ERR_SHAPE);
    }
}
