#include "op_check_util.h"

#include <string.h>

#include "test.h"

static op_checker fresh(ifn_error *err)
{
    if (err)
        err->text[0] = '\0';
    return (op_checker){.op = "op", .err = err};
}

TEST(the_first_failure_is_the_one_that_is_told)
{
    ifn_error err;
    op_checker c = fresh(&err);
    ifn_expect_window(&c, "m", 0, 1, 1);
    assert_true(ifn_checker_ok(&c));
    ifn_expect_window(&c, "m", -1, 1, 1);
    ifn_expect_sum(&c, "n", INT64_MAX, 1);
    ifn_checker_fail(&c, IFN_ERR_ARGUMENT, "later");
    assert_false(ifn_checker_ok(&c));
    assert_int_equal(c.status, IFN_ERR_SHAPE);
    assert_string_equal(err.text, "op: m -1: 1 from there on do not fit 1");
}

TEST(a_failure_needs_no_error_to_fill)
{
    op_checker c = fresh(NULL);
    ifn_expect_window(&c, "m", -1, 1, 1);
    assert_int_equal(c.status, IFN_ERR_SHAPE);
}

static int window_fits(int64_t begin, int64_t n, int64_t extent)
{
    op_checker c = fresh(NULL);
    ifn_expect_window(&c, "begin", begin, n, extent);
    return ifn_checker_ok(&c);
}

TEST(windows_lie_inside)
{
    assert_true(window_fits(0, 7, 7));
    assert_true(window_fits(7, 0, 7));
    assert_true(window_fits(0, 0, 0));
    assert_false(window_fits(-1, 2, 7));
    assert_false(window_fits(1, 7, 7));
    assert_false(window_fits(8, 0, 7));
    assert_false(window_fits(INT64_MAX, 1, INT64_MAX));
    assert_true(window_fits(INT64_MAX - 1, 1, INT64_MAX));
}

TEST(sums_and_products_that_overflow_fail)
{
    ifn_error err;
    op_checker c = fresh(&err);
    assert_true(ifn_expect_sum(&c, "x", INT64_MAX - 1, 1) == INT64_MAX);
    assert_true(ifn_expect_product(&c, "x", 6, 7) == 42);
    assert_true(ifn_checker_ok(&c));
    assert_true(ifn_expect_product(&c, "x", INT64_MAX, 2) == 0);
    assert_string_equal(err.text, "op: x: larger than any memory");
    c = fresh(&err);
    assert_true(ifn_expect_sum(&c, "y", INT64_MAX, 1) == 0);
    assert_string_equal(err.text, "op: y: larger than any memory");
}

TEST(row_bytes_follow_the_dtype)
{
    ifn_error err;
    op_checker c = fresh(&err);
    assert_true(ifn_expect_row_bytes(&c, "t", IFN_DTYPE_Q8_0, "cols", 64) == 68);
    assert_true(ifn_expect_row_bytes(&c, "t", IFN_DTYPE_Q4_K, "cols", 0) == 0);
    assert_true(ifn_checker_ok(&c));
    ifn_expect_row_bytes(&c, "t", IFN_DTYPE_Q4_K, "cols", 100);
    assert_string_equal(err.text, "op: cols 100, expected a multiple of 256 for Q4_K");
    c = fresh(&err);
    ifn_expect_row_bytes(&c, "t", (ifn_dtype)77, "cols", 64);
    assert_string_equal(err.text, "op: t 77 is no dtype");
    c = fresh(&err);
    ifn_expect_row_bytes(&c, "t", IFN_DTYPE_F16, "cols", INT64_MAX - 1);
    assert_string_equal(err.text, "op: cols: larger than any memory");
    c = fresh(&err);
    ifn_expect_row_bytes(&c, "t", IFN_DTYPE_F32, "cols", INT64_MAX - 1);
    assert_string_equal(err.text, "op: cols: larger than any memory");
}

TEST(a_region_fits_the_address_space)
{
    ifn_error err;
    float one[1];
    const size_t huge = SIZE_MAX / 4 + 1;
    op_checker c = fresh(&err);
    assert_true(ifn_expect_rows(&c, "x", NULL, 0, 4, 4).row_bytes == 0);
    assert_true(ifn_expect_rows(&c, "x", NULL, 4, 0, 4).row_bytes == 0);
    assert_true(ifn_expect_rows(&c, "x", one, 1, 4, huge).row_bytes == 4);
    assert_true(ifn_checker_ok(&c));
    ifn_expect_rows(&c, "x", one, 5, 4, huge);
    assert_string_equal(err.text, "op: x: larger than any memory");
    c = fresh(&err);
    ifn_expect_rows(&c, "x", one, 1, (size_t)PTRDIFF_MAX + 1, huge);
    assert_string_equal(err.text, "op: x: larger than any memory");
    c = fresh(&err);
    ifn_expect_rows(&c, "x", (const void *)(UINTPTR_MAX - 6), 1, 8, 8);
    assert_string_equal(err.text, "op: x: larger than any memory");
    c = fresh(&err);
    ifn_expect_rows(&c, "x", NULL, 3, 4, 10);
    assert_string_equal(err.text, "op: x is NULL, expected 24 bytes");
}

static op_region at(uintptr_t base, size_t row_bytes, size_t stride_bytes, size_t rows)
{
    return (op_region){"r", base, row_bytes, stride_bytes, rows};
}

static int apart(op_region a, op_region b)
{
    op_checker c = fresh(NULL), turned = fresh(NULL);
    ifn_expect_apart(&c, &a, &b);
    ifn_expect_apart(&turned, &b, &a);
    assert_int_equal(c.status, turned.status);
    return ifn_checker_ok(&c);
}

TEST(contiguous_regions_meet_or_not)
{
    assert_true(apart(at(100, 10, 10, 1), at(110, 10, 10, 1)));
    assert_false(apart(at(100, 10, 10, 1), at(109, 10, 10, 1)));
    assert_false(apart(at(100, 10, 10, 1), at(100, 10, 10, 1)));
    assert_false(apart(at(100, 10, 10, 1), at(103, 2, 2, 1)));
    assert_true(apart(at(100, 10, 10, 1), at(103, 0, 0, 0)));
}

TEST(interleaved_rows_do_not_overlap)
{
    assert_true(apart(at(100, 4, 12, 5), at(104, 8, 12, 5)));
    assert_false(apart(at(100, 5, 12, 5), at(104, 8, 12, 5)));
    assert_true(apart(at(100, 4, 12, 5), at(104, 8, 12, 2)));
    assert_true(apart(at(100, 4, 12, 2), at(128, 8, 8, 1)));
}

/* Compares with the definition: two regions overlap if some byte is in both. */
TEST(overlap_agrees_with_a_byte_by_byte_search)
{
    int n_overlaps = 0, n_apart = 0;
    for (size_t i = 0; i < 20000; i++) {
        /* The digits of i give small numbers: every combination of widths, strides and offsets. */
        const size_t width = 1 + i % 4, gap = i / 4 % 5, rows = 1 + i / 20 % 4;
        const size_t width2 = 1 + i / 80 % 5, gap2 = i / 400 % 5, rows2 = 1 + i / 2000 % 2;
        const size_t offset = i / 4000 * 3 % 13;
        const op_region a = at(1000, width, width + gap, rows);
        const op_region b = at(1000 + offset, width2, width2 + gap2, rows2);
        unsigned char used[256] = {0};
        int shared = 0;
        for (size_t r = 0; r < rows; r++)
            memset(used + r * a.stride_bytes, 1, width);
        for (size_t r = 0; r < rows2; r++)
            for (size_t k = 0; k < width2; k++)
                shared |= used[offset + r * b.stride_bytes + k];
        assert_int_equal(apart(a, b), !shared);
        n_overlaps += shared;
        n_apart += !shared;
    }
    assert_true(n_overlaps > 1000 && n_apart > 1000);
}

TEST(equal_regions_are_allowed_only_where_asked_for)
{
    ifn_error err;
    op_checker c = fresh(&err);
    const op_region a = at(100, 10, 10, 1), shifted = at(104, 10, 10, 1);
    ifn_expect_apart_or_equal(&c, &a, &a);
    assert_true(ifn_checker_ok(&c));
    ifn_expect_apart_or_equal(&c, &a, &shifted);
    assert_string_equal(err.text, "op: r overlaps r, expected equal or apart");
}

TEST(floats_that_no_memory_holds_are_refused)
{
    ifn_error err;
    op_checker c = fresh(&err);
    const float x = 0;
    ifn_expect_f32(&c, "x", &x, INT64_MAX / 2, 2);
    assert_int_equal(c.status, IFN_ERR_SHAPE);
    assert_string_equal(err.text, "op: x: larger than any memory");
}
