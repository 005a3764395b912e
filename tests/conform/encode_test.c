#include "encode.h"

#include <math.h>
#include <string.h>

#include "blocks.h"
#include "test.h"

static unsigned char bytes[64], mask[64];

/* Encodes 32 elements: the given ones, then zeros. */
static const unsigned char *encode(ifn_dtype dtype, const float *x, size_t n)
{
    float row[32] = {0};
    memcpy(row, x, n * sizeof *x);
    conform_encode_row(dtype, row, 32, bytes, mask);
    for (size_t i = 0; i < ifn_dtype_block_bytes(dtype); i++)
        assert_int_equal(mask[i], 0xff);
    return bytes;
}
#define ENCODE(dtype, ...)                                                                         \
    encode(dtype, (const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / 4)

static int code(ifn_dtype dtype, int i)
{
    return conform_code_at(dtype, bytes, i).c;
}

static double unit(ifn_dtype dtype)
{
    return conform_code_at(dtype, bytes, 0).d;
}

TEST(q8_0_rounds_ties_away)
{
    static const int want[] = {127, 1, 2, -1, -3};
    ENCODE(IFN_DTYPE_Q8_0, 127, 0.5f, 1.5f, -0.5f, -2.5f);
    assert_true(unit(IFN_DTYPE_Q8_0) == 1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(code(IFN_DTYPE_Q8_0, i), want[i]);
}

TEST(q8_32f_rounds_ties_to_even)
{
    ifn_block_q8_32f block;
    memcpy(&block, ENCODE(IFN_DTYPE_Q8_32F, 127, 0.5f, 1.5f, -0.5f, -2.5f), sizeof block);
    assert_true(block.d == 1 && block.s == 127 + 2 - 2);
    assert_int_equal(block.qs[1], 0);
    assert_int_equal(block.qs[2], 2);
    assert_int_equal(block.qs[4], -2);
}

/* The first element of largest magnitude becomes the lowest code, whatever its sign. */
TEST(q4_0_and_q5_0_take_the_sign_of_the_extreme)
{
    ENCODE(IFN_DTYPE_Q4_0, 4, -4, 1.75f, -0.25f);
    assert_true(unit(IFN_DTYPE_Q4_0) == -0.5);
    assert_int_equal(code(IFN_DTYPE_Q4_0, 0), -8);
    assert_int_equal(code(IFN_DTYPE_Q4_0, 1), 7);  /* 8 does not exist */
    assert_int_equal(code(IFN_DTYPE_Q4_0, 2), -3); /* -3.5 + 8.5 is 5 */
    assert_int_equal(code(IFN_DTYPE_Q4_0, 3), 1);  /* 0.5 + 8.5 is 9 */
    ENCODE(IFN_DTYPE_Q5_0, -16, 15.5f, 3);
    assert_true(unit(IFN_DTYPE_Q5_0) == 1);
    assert_int_equal(code(IFN_DTYPE_Q5_0, 0), -16);
    assert_int_equal(code(IFN_DTYPE_Q5_0, 1), 15);
    assert_int_equal(code(IFN_DTYPE_Q5_0, 2), 3);
}

TEST(q4_1_and_q5_1_start_at_the_smallest)
{
    ENCODE(IFN_DTYPE_Q4_1, -2, 13, -1.5f);
    assert_true(unit(IFN_DTYPE_Q4_1) == 1);
    assert_true(conform_code_at(IFN_DTYPE_Q4_1, bytes, 0).dmin == 2);
    assert_int_equal(code(IFN_DTYPE_Q4_1, 0), 0);
    assert_int_equal(code(IFN_DTYPE_Q4_1, 1), 15);
    assert_int_equal(code(IFN_DTYPE_Q4_1, 2), 1);
    ENCODE(IFN_DTYPE_Q5_1, -1, 30, 14.25f);
    assert_true(unit(IFN_DTYPE_Q5_1) == 1);
    assert_int_equal(code(IFN_DTYPE_Q5_1, 1), 31);
    assert_int_equal(code(IFN_DTYPE_Q5_1, 2), 15);
}

TEST(vanishing_scales_store_zeros)
{
    ENCODE(IFN_DTYPE_Q8_0, 0x1p-25f, -0x1p-140f);
    assert_true(unit(IFN_DTYPE_Q8_0) == 0 && !signbit(unit(IFN_DTYPE_Q8_0)));
    assert_int_equal(code(IFN_DTYPE_Q8_0, 0), 0);
    ENCODE(IFN_DTYPE_Q4_0, 0x1p-23f);
    assert_true(unit(IFN_DTYPE_Q4_0) == 0 && signbit(unit(IFN_DTYPE_Q4_0)));
    assert_int_equal(code(IFN_DTYPE_Q4_0, 0), 0);
    ENCODE(IFN_DTYPE_Q5_1, 0);
    assert_true(unit(IFN_DTYPE_Q5_1) == 0 && !signbit(unit(IFN_DTYPE_Q5_1)));
    ENCODE(IFN_DTYPE_Q8_32F, 0x1.fffffep-119f);
    assert_true(unit(IFN_DTYPE_Q8_32F) == 0);
    ENCODE(IFN_DTYPE_Q8_32F, 0x1p-118f);
    assert_true(unit(IFN_DTYPE_Q8_32F) > 0);
}

TEST(blocks_that_cannot_be_stored_are_nan)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1,
                                       IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1};
    static const float values[] = {NAN, -INFINITY, 0x1p127f};
    for (size_t d = 0; d < N_OF(dtypes); d++) {
        for (size_t v = 0; v < N_OF(values); v++) {
            ENCODE(dtypes[d], 1, values[v], 2);
            assert_true(isnan(unit(dtypes[d])));
            for (size_t i = 0; i < ifn_dtype_block_bytes(dtypes[d]); i++)
                assert_int_equal(bytes[i], i == 1 ? 0x7e : 0);
        }
    }
    ENCODE(IFN_DTYPE_Q8_32F, 1, INFINITY);
    assert_memory_equal(bytes, "\0\0\xc0\x7f\0\0\0\0\0\0\0", 11);
}

TEST(floats_round_to_even_and_leave_the_nan_open)
{
    const float x[] = {1.00048828125f, 65520, -NAN, 1.5f};
    static const unsigned char f16[] = {0x00, 0x3c, 0x00, 0x7c, 0, 0, 0x00, 0x3e};
    conform_encode_row(IFN_DTYPE_F16, x, 4, bytes, mask);
    for (int i = 0; i < 8; i++)
        if (i != 4 && i != 5)
            assert_true(bytes[i] == f16[i] && mask[i] == 0xff);
    assert_int_equal(bytes[5] & mask[5], 0x7e);
    assert_int_equal(mask[5], 0x7e);
    assert_int_equal(mask[4], 0);
    conform_encode_row(IFN_DTYPE_BF16, x, 4, bytes, mask);
    assert_int_equal(bytes[0] | bytes[1] << 8, 0x3f80);
    assert_int_equal((bytes[4] | bytes[5] << 8) & (mask[4] | mask[5] << 8), 0x7fc0);
    conform_encode_row(IFN_DTYPE_F32, x, 4, bytes, mask);
    assert_memory_equal(bytes, x, sizeof x);
}

TEST(the_k_family_is_not_pinned)
{
    assert_true(conform_is_pinned(IFN_DTYPE_F32) && conform_is_pinned(IFN_DTYPE_Q8_32F));
    assert_false(conform_is_pinned(IFN_DTYPE_Q2_K) || conform_is_pinned(IFN_DTYPE_Q6_K));
}
