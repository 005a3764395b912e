#include "check_scan.h"

#include <math.h>
#include <string.h>

#include <inferno/quant.h>

#include "test.h"

static const check_source host = {NULL, NULL};

/* Rows of f32 with a gap after each. */
static ifn_operand rows_of(const float *x, int64_t rows, int64_t cols, int64_t stride)
{
    return (ifn_operand){.name = "x",
                         .dtype = IFN_DTYPE_F32,
                         .data = x,
                         .rows = rows,
                         .row_bytes = (size_t)cols * sizeof *x,
                         .stride_bytes = (size_t)stride * sizeof *x};
}

static void assert_found(const ifn_operand *o, int64_t row, int64_t element, int is_nan)
{
    check_place place;
    assert_int_equal(ifn_check_scan(o, &host, &place), 1);
    assert_int_equal(place.row, row);
    assert_int_equal(place.element, element);
    assert_int_equal(place.is_nan, is_nan);
}

TEST(every_place_is_seen_and_gaps_are_not)
{
    enum { ROWS = 3, COLS = 37, STRIDE = 40 };
    static float x[ROWS * STRIDE];
    const ifn_operand o = rows_of(x, ROWS, COLS, STRIDE);
    check_place place;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int64_t i = 0; i < ROWS * STRIDE; i++) {
        x[i] = bad[i % 3];
        if (i % STRIDE < COLS)
            assert_found(&o, i / STRIDE, i % STRIDE, i % 3 == 0);
        else
            assert_int_equal(ifn_check_scan(&o, &host, &place), 0);
        x[i] = i % 2 ? 3.4028234e38f : -1e-45f; /* the largest and the smallest are finite */
    }
    assert_int_equal(ifn_check_scan(&o, &host, &place), 0);
}

/* Stores floats as the result of an op would be stored; F32 in the byte order of this machine. */
static void store(ifn_dtype dtype, const float *x, void *out, int64_t n)
{
    if (dtype == IFN_DTYPE_F32)
        memcpy(out, x, (size_t)n * sizeof *x);
    else
        assert_int_equal(ifn_quantize_row(dtype, x, out, n), IFN_OK);
}

/* Puts an encoded NaN or infinity far from the beginning, in each dtype. */
TEST(every_dtype_is_looked_into)
{
    enum { COLS = 1024 };
    for (int d = 0; d < IFN_DTYPE_COUNT; d++) {
        static float x[COLS];
        static unsigned char stored[COLS * 4 + 64];
        const ifn_dtype dtype = (ifn_dtype)d;
        const size_t bytes = ifn_dtype_row_bytes(dtype, COLS);
        const ifn_operand o = {
            .dtype = dtype, .data = stored, .rows = 1, .row_bytes = bytes, .stride_bytes = bytes};
        check_place place;
        for (int i = 0; i < COLS; i++)
            x[i] = (float)(i % 19) - 9.0f;
        store(dtype, x, stored, COLS);
        assert_that(ifn_check_scan(&o, &host, &place) == 0, "%s: finite", ifn_dtype_name(dtype));
        x[1000] = NAN;
        store(dtype, x, stored, COLS);
        assert_that(ifn_check_scan(&o, &host, &place) == 1, "%s: nan", ifn_dtype_name(dtype));
        const int64_t block = ifn_dtype_block_elements(dtype);
        assert_int_equal(place.element, 1000 / block * block);
        assert_int_equal(place.is_nan, 1);
    }
}

TEST(what_has_no_floats_or_no_rows_is_left_alone)
{
    static const float bad[] = {NAN};
    ifn_operand o = rows_of(bad, 1, 1, 1);
    check_place place;
    assert_int_equal(ifn_check_can_scan(&o), 1);
    o.dtype = IFN_DTYPE_COUNT;
    assert_int_equal(ifn_check_can_scan(&o), 0);
    assert_int_equal(ifn_check_scan(&o, &host, &place), 0);
    o = rows_of(NULL, 1, 1, 1);
    assert_int_equal(ifn_check_can_scan(&o), 0);
    assert_int_equal(ifn_check_scan(&o, &host, &place), 0);
    o = rows_of(bad, 0, 1, 1);
    assert_int_equal(ifn_check_scan(&o, &host, &place), 0);
}
