/* What holds for every dtype: errors, bounds of memory, rows of blocks, bad values, all f16 scales. */
#include "blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "f16.h"
#include "guard.h"
#include "row_sets.h"
#include "test.h"

enum { MOST_BYTES = 3 * 256 * 4, MOST_COLS = 3 * 256 };

#define FOR_EACH_DTYPE(dtype)                                                                      \
    for (ifn_dtype dtype = (ifn_dtype)0; dtype < IFN_DTYPE_COUNT; dtype = (ifn_dtype)(dtype + 1))

TEST(wrong_lengths_and_dtypes_are_refused)
{
    const float x[256] = {0};
    float out[256] = {0};
    uint8_t bytes[1024] = {0};
    FOR_EACH_DTYPE(dtype)
    {
        const int64_t block = ifn_dtype_block_elements(dtype);
        const int64_t bad[] = {-block, block > 1 ? block - 1 : -1, block > 1 ? 1 : -2, INT64_MIN};
        for (size_t i = 0; i < N_OF(bad); i++) {
            assert_int_equal(ifn_dequantize_row(dtype, bytes, out, bad[i]), IFN_ERR_SHAPE);
            assert_int_equal(ifn_quantize_row(dtype, x, bytes, bad[i]), IFN_ERR_SHAPE);
        }
    }
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_F32, bytes, out, INT64_MAX), IFN_ERR_SHAPE);
    const ifn_dtype none[] = {IFN_DTYPE_COUNT, (ifn_dtype)-1};
    for (size_t i = 0; i < N_OF(none); i++) {
        assert_int_equal(ifn_dequantize_row(none[i], bytes, out, 0), IFN_ERR_ARGUMENT);
        assert_int_equal(ifn_quantize_row(none[i], x, bytes, 0), IFN_ERR_ARGUMENT);
    }
}

TEST(an_empty_row_is_fine_and_touches_nothing)
{
    FOR_EACH_DTYPE(dtype)
    {
        assert_int_equal(ifn_dequantize_row(dtype, NULL, NULL, 0), IFN_OK);
        assert_int_equal(ifn_quantize_row(dtype, NULL, NULL, 0), IFN_OK);
    }
}

static void fill(float *x, int64_t cols)
{
    for (int64_t i = 0; i < cols; i++)
        x[i] = row_normal("quant_test", (uint64_t)i);
}

typedef guard make_guard(size_t bytes);

/* Encodes and decodes between buffers of exact size. */
static void stays_inside(ifn_dtype dtype, int64_t cols, make_guard *make)
{
    const size_t n_bytes = ifn_dtype_row_bytes(dtype, cols);
    float x[MOST_COLS], want[MOST_COLS];
    uint8_t want_bytes[MOST_BYTES];
    fill(x, cols);
    assert_int_equal(ifn_quantize_row(dtype, x, want_bytes, cols), IFN_OK);
    assert_int_equal(ifn_dequantize_row(dtype, want_bytes, want, cols), IFN_OK);

    guard floats = make((size_t)cols * 4), blocks = make(n_bytes), back = make((size_t)cols * 4);
    memcpy(floats.data, x, (size_t)cols * 4);
    guard_read_only(&floats);
    assert_int_equal(ifn_quantize_row(dtype, floats.data, blocks.data, cols), IFN_OK);
    assert_memory_equal(blocks.data, want_bytes, n_bytes);
    guard_read_only(&blocks);
    assert_int_equal(ifn_dequantize_row(dtype, blocks.data, back.data, cols), IFN_OK);
    assert_memory_equal(back.data, want, (size_t)cols * 4);
    guard_free(&back);
    guard_free(&blocks);
    guard_free(&floats);
}

TEST(not_a_byte_outside_the_row_is_touched)
{
    FOR_EACH_DTYPE(dtype)
    {
        for (int64_t n_blocks = 1; n_blocks <= 3; n_blocks++) {
            stays_inside(dtype, n_blocks * ifn_dtype_block_elements(dtype), guard_at_end);
            stays_inside(dtype, n_blocks * ifn_dtype_block_elements(dtype), guard_at_start);
        }
    }
}

TEST(blocks_may_stand_at_any_address)
{
    FOR_EACH_DTYPE(dtype)
    {
        const int64_t cols = 3 * ifn_dtype_block_elements(dtype);
        const size_t n_bytes = ifn_dtype_row_bytes(dtype, cols);
        float x[MOST_COLS], want[MOST_COLS];
        uint8_t aligned[MOST_BYTES], room[MOST_BYTES + 65];
        fill(x, cols);
        assert_int_equal(ifn_quantize_row(dtype, x, aligned, cols), IFN_OK);
        assert_int_equal(ifn_dequantize_row(dtype, aligned, want, cols), IFN_OK);
        for (size_t offset = 0; offset < 64; offset++) {
            memset(room, 0xa5, sizeof room);
            assert_int_equal(ifn_quantize_row(dtype, x, room + offset, cols), IFN_OK);
            assert_memory_equal(room + offset, aligned, n_bytes);
            assert_int_equal(room[offset + n_bytes], 0xa5);
            assert_decodes(dtype, room + offset, want, cols);
        }
    }
}

TEST(a_block_does_not_depend_on_its_row)
{
    FOR_EACH_DTYPE(dtype)
    {
        const int64_t block = ifn_dtype_block_elements(dtype), cols = 3 * block;
        float x[MOST_COLS];
        uint8_t row[MOST_BYTES];
        fill(x, cols);
        assert_int_equal(ifn_quantize_row(dtype, x, row, cols), IFN_OK);
        for (int64_t i = 0; i < 3; i++)
            assert_encodes(dtype, x + i * block, row + (size_t)i * ifn_dtype_block_bytes(dtype),
                           block);
    }
}

/* Asserts that all elements of the middle block are NaN, and none of its neighbours. */
static void only_the_middle_block_is_nan(ifn_dtype dtype, const float *x)
{
    const int64_t block = ifn_dtype_block_elements(dtype);
    float back[MOST_COLS];
    round_trip(dtype, x, back, 3 * block);
    for (int64_t i = 0; i < 3 * block; i++)
        assert_that(!!isnan(back[i]) == (i / block == 1), "%s: element %lld is %g",
                    ifn_dtype_name(dtype), (long long)i, (double)back[i]);
}

TEST(a_value_that_is_not_finite_spoils_its_block_only)
{
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    FOR_EACH_DTYPE(dtype)
    {
        if (!ifn_dtype_is_quantized(dtype))
            continue;
        const int64_t block = ifn_dtype_block_elements(dtype);
        for (size_t kind = 0; kind < N_OF(bad); kind++) {
            for (int64_t at = block; at < 2 * block; at += 15) {
                float x[MOST_COLS];
                fill(x, 3 * block);
                x[at] = bad[kind];
                only_the_middle_block_is_nan(dtype, x);
            }
        }
    }
}

/* Byte offsets of the f16 fields of a format; -1: it has no minimum. */
static const struct {
    ifn_dtype dtype;
    int d_at, min_at;
} f16_fields[] = {
    {IFN_DTYPE_Q8_0, 0, -1},   {IFN_DTYPE_Q4_0, 0, -1}, {IFN_DTYPE_Q4_1, 0, 2},
    {IFN_DTYPE_Q5_0, 0, -1},   {IFN_DTYPE_Q5_1, 0, 2},  {IFN_DTYPE_Q2_K, 80, 82},
    {IFN_DTYPE_Q3_K, 108, -1}, {IFN_DTYPE_Q4_K, 0, 2},  {IFN_DTYPE_Q5_K, 0, 2},
    {IFN_DTYPE_Q6_K, 208, -1},
};

static void put_f16(uint8_t *block, int at, unsigned half)
{
    if (at >= 0) {
        block[at] = (uint8_t)half;
        block[at + 1] = (uint8_t)(half >> 8);
    }
}

/*
 * With a scale of 1 and a minimum of 0 (or the reverse) a block decodes to small integers w. With
 * any other f16 in that place it must decode to f16 * w, which f32 holds exactly.
 */
static void every_f16_scales(ifn_dtype dtype, uint8_t *block, int at)
{
    const int64_t n = ifn_dtype_block_elements(dtype);
    float w[256], got[256];
    put_f16(block, at, 0x3c00);
    assert_int_equal(ifn_dequantize_row(dtype, block, w, n), IFN_OK);
    for (unsigned half = 0; half < 0x10000; half++) {
        const double factor = (double)ifn_f16_to_f32((uint16_t)half);
        put_f16(block, at, half);
        assert_int_equal(ifn_dequantize_row(dtype, block, got, n), IFN_OK);
        for (int64_t i = 0; i < n; i++) {
            const double want = factor * (double)w[i];
            assert_that((double)got[i] == want || (isnan(got[i]) && isnan(want)),
                        "%s: f16 %04x, element %lld is %a, expected %a", ifn_dtype_name(dtype),
                        half, (long long)i, (double)got[i], want);
        }
    }
}

TEST(every_f16_scale_and_minimum_decodes_exactly)
{
    for (size_t f = 0; f < N_OF(f16_fields); f++) {
        uint8_t block[256];
        for (size_t i = 0; i < sizeof block; i++)
            block[i] = (uint8_t)row_hash("every f16", 1000 * f + i);
        put_f16(block, f16_fields[f].min_at, 0);
        every_f16_scales(f16_fields[f].dtype, block, f16_fields[f].d_at);
        if (f16_fields[f].min_at < 0)
            continue;
        put_f16(block, f16_fields[f].d_at, 0);
        every_f16_scales(f16_fields[f].dtype, block, f16_fields[f].min_at);
    }
}

/* Makes a block of random codes that include the extreme ones, in the first and last byte of the codes. */
static void exact_block(ifn_dtype dtype, uint64_t index, uint8_t *block)
{
    const size_t n_bytes = ifn_dtype_block_bytes(dtype);
    const int has_min = dtype == IFN_DTYPE_Q4_1 || dtype == IFN_DTYPE_Q5_1;
    for (size_t i = 0; i < n_bytes; i++)
        block[i] = (uint8_t)row_hash("exact", 100 * index + i);
    /* A scale within 1 .. 2, a minimum within -4 .. -2: every sum is a whole number of 2^-10. */
    put_f16(block, 0, 0x3c00u | (block[0] | (block[1] & 3) << 8));
    if (has_min)
        put_f16(block, 2, 0xc000u | (block[2] | (block[3] & 3) << 8));
    for (size_t i = 2; dtype == IFN_DTYPE_Q8_0 && i < n_bytes; i++)
        if (block[i] == 0x80)
            block[i] = 0;
    const int high_at = dtype == IFN_DTYPE_Q5_0 ? 2 : dtype == IFN_DTYPE_Q5_1 ? 4 : -1;
    if (high_at >= 0) { /* fifth bit of weight 0 clear, of weight 31 set */
        block[high_at] &= 0xfe;
        block[high_at + 3] |= 0x80;
    }
    block[n_bytes - 16] = dtype == IFN_DTYPE_Q8_0 ? 0x81 : block[n_bytes - 16] & 0xf0;
    block[n_bytes - 1] |= 0xf0;
}

TEST(representable_blocks_come_back_as_they_were)
{
    const ifn_dtype dtypes[] = {IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0,
                                IFN_DTYPE_Q5_1};
    for (size_t t = 0; t < N_OF(dtypes); t++) {
        for (uint64_t index = 0; index < 1000; index++) {
            uint8_t block[34];
            float x[32];
            exact_block(dtypes[t], index, block);
            assert_int_equal(ifn_dequantize_row(dtypes[t], block, x, 32), IFN_OK);
            assert_encodes(dtypes[t], x, block, 32);
        }
    }
}
