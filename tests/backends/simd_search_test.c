/*
 * quantize_rows of every level into the formats that search, and into those with vectors of their
 * own, has the bits of ifn_quantize_row: on samples of every kind, over the whole range of floats,
 * on blocks that cannot be stored among blocks that can, and on any number of blocks.
 */
#include <math.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/quant.h>

#include "random.h"
#include "row_sets.h"
#include "test.h"

static const char *const levels[] = {
#define X(NAME, name) "simd=" name,
    IFN_CPU_LEVELS(X)
#undef X
};

static const ifn_dtype dtypes[] = {IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K, IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K,
                                   IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_0, IFN_DTYPE_F16};

enum { MAX_COLS = 5 * 256, TRIALS = 200 };

static void assert_same_row(ifn_backend *backend, ifn_dtype dtype, const float *x, int64_t cols,
                            const char *what)
{
    static unsigned char got[MAX_COLS * 4 + 1], expected[MAX_COLS * 4];
    const size_t bytes = ifn_dtype_row_bytes(dtype, cols);
    const ifn_quantize_rows_args a =
        IFN_ARGS(quantize_rows, .out = got, .x = x, .rows = 1, .cols = cols, .out_dtype = dtype);
    got[bytes] = 0xa5;
    assert_int_equal(ifn_quantize_rows(backend, &a), IFN_OK);
    assert_int_equal(ifn_quantize_row(dtype, x, expected, cols), IFN_OK);
    assert_int_equal(got[bytes], 0xa5);
    for (size_t i = 0; i < bytes; i++)
        assert_that(got[i] == expected[i], "%s, %s, %s: byte %d of %d is %d, expected %d",
                    ifn_backend_expression(backend), ifn_dtype_name(dtype), what, (int)i,
                    (int)bytes, got[i], expected[i]);
}

typedef void check(ifn_backend *backend, ifn_dtype dtype);

static void on_every_level(check *fn)
{
    for (size_t l = 0; l < N_OF(levels); l++) {
        ifn_backend *backend;
        if (ifn_backend_open(levels[l], NULL, &backend, NULL) != IFN_OK)
            continue;
        for (size_t d = 0; d < N_OF(dtypes); d++)
            fn(backend, dtypes[d]);
        ifn_backend_close(backend);
    }
}

static void check_samples(ifn_backend *backend, ifn_dtype dtype)
{
    for (size_t set = 0; set < N_OF(row_set_names); set++) {
        float x[64 * 256];
        assert_true(row_set_fill(row_set_names[set], x, 64 * 256));
        for (int64_t at = 0; at + MAX_COLS <= 64 * 256; at += MAX_COLS)
            assert_same_row(backend, dtype, x + at, MAX_COLS, row_set_names[set]);
    }
}

/* Numbers of mixed magnitudes, ties and zeros of both signs; in two of three groups the rest has one sign. */
static float any_float(int group_kind, int exponent)
{
    const float size = ldexpf((float)below(1 << 24), exponent - 24 - (int)below(3));
    if (below(9) == 0)
        return below(2) ? 0.0f : -0.0f;
    if (below(9) == 0)
        return ldexpf((float)(below(65) - 32) * 0.5f, exponent - 6);
    return group_kind == 0 ? size : group_kind == 1 ? -size : below(2) ? size : -size;
}

static void check_ranges(ifn_backend *backend, ifn_dtype dtype)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        float x[MAX_COLS];
        const int64_t cols = 256 * (1 + below(MAX_COLS / 256));
        const int base = (int)below(300) - 160;
        for (int64_t i = 0; i < cols; i++)
            x[i] = any_float((int)(i / 16 % 3), base + (int)(i / 32 % 8 * below(2)));
        assert_same_row(backend, dtype, x, cols, "a range");
    }
}

static void check_spoiled(ifn_backend *backend, ifn_dtype dtype)
{
    static const float spoilers[] = {NAN, -INFINITY, INFINITY, 3.4e38f, -3.4e38f, 7e7f, -7e7f};
    for (int trial = 0; trial < TRIALS; trial++) {
        float x[MAX_COLS];
        const int64_t cols = 256 * (1 + below(MAX_COLS / 256));
        for (int64_t i = 0; i < cols; i++)
            x[i] = any_float(2, -4);
        for (int64_t n = below(4); n > 0; n--)
            x[below(cols)] = spoilers[below(N_OF(spoilers))];
        assert_same_row(backend, dtype, x, cols, "spoiled blocks");
    }
}

TEST(samples_have_the_bits_of_the_plain_search)
{
    on_every_level(check_samples);
}

TEST(so_have_numbers_of_every_size)
{
    on_every_level(check_ranges);
}

TEST(so_have_blocks_next_to_what_cannot_be_stored)
{
    on_every_level(check_spoiled);
}
