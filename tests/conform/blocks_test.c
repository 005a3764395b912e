#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

static const ifn_dtype block_dtypes[] = {
    IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1,  IFN_DTYPE_Q2_K,
    IFN_DTYPE_Q3_K, IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K, IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_32F};

/* --- layouts --- */

/* Expected code, scale and minimum of one element in a block of zeros with one byte set, by spec/dtypes. */
typedef struct probe {
    ifn_dtype dtype;
    int byte, value; /* the byte that is set */
    int i;           /* the element that is decoded */
    int c, sc, m;
} probe;

static const probe probes[] = {
    {IFN_DTYPE_Q8_0, 2 + 7, 0x80, 7, -128, 1, 1},
    {IFN_DTYPE_Q4_0, 2 + 3, 0x2f, 3, 7, 1, 1},
    {IFN_DTYPE_Q4_0, 2 + 3, 0x2f, 19, -6, 1, 1},
    {IFN_DTYPE_Q4_1, 4 + 15, 0xa5, 15, 5, 1, 1},
    {IFN_DTYPE_Q4_1, 4 + 15, 0xa5, 31, 10, 1, 1},
    {IFN_DTYPE_Q5_0, 6 + 1, 0x93, 1, 3 - 16, 1, 1},
    {IFN_DTYPE_Q5_0, 6 + 1, 0x93, 17, 9 - 16, 1, 1},
    {IFN_DTYPE_Q5_0, 2 + 2, 0x02, 17, 0, 1, 1}, /* bit 17 of qh: 16 - 16 */
    {IFN_DTYPE_Q5_1, 8 + 4, 0x4e, 4, 14, 1, 1},
    {IFN_DTYPE_Q5_1, 8 + 4, 0x4e, 20, 4, 1, 1},
    {IFN_DTYPE_Q5_1, 4 + 3, 0x80, 31, 16, 1, 1},
    {IFN_DTYPE_Q2_K, 16 + 33, 0xe4, 129, 0, 0, 0}, /* 0xe4 = 3 2 1 0 */
    {IFN_DTYPE_Q2_K, 16 + 33, 0xe4, 161, 1, 0, 0},
    {IFN_DTYPE_Q2_K, 16 + 33, 0xe4, 193, 2, 0, 0},
    {IFN_DTYPE_Q2_K, 16 + 33, 0xe4, 225, 3, 0, 0},
    {IFN_DTYPE_Q2_K, 5, 0x9c, 5 * 16, 0, 12, 9},
    {IFN_DTYPE_Q3_K, 32 + 32 + 2, 0x30, 128 + 66, 3 - 4, -32, 1},
    {IFN_DTYPE_Q3_K, 2, 0x20, 5 * 32 + 2, 4 - 4, -32, 1}, /* bit 5 of hmask */
    {IFN_DTYPE_Q3_K, 96 + 6, 0xb4, 6 * 16, -4, 4 - 32, 1},
    {IFN_DTYPE_Q3_K, 96 + 6, 0xb4, 14 * 16, -4, 11 - 32, 1},
    {IFN_DTYPE_Q3_K, 96 + 8 + 2, 0xc0, 14 * 16, -4, 48 - 32, 1},
    {IFN_DTYPE_Q4_K, 16 + 33, 0x7d, 65, 13, 0, 0},
    {IFN_DTYPE_Q4_K, 16 + 33, 0x7d, 97, 7, 0, 0},
    {IFN_DTYPE_Q4_K, 4 + 2, 0x55, 2 * 32, 0, 21, 0}, /* scale 2; bits 4-5 of scale 6: 1 */
    {IFN_DTYPE_Q4_K, 4 + 2, 0x55, 6 * 32, 0, 16, 0},
    {IFN_DTYPE_Q4_K, 4 + 4 + 1, 0xbf, 1 * 32, 0, 0, 63},
    {IFN_DTYPE_Q4_K, 4 + 4 + 1, 0xbf, 5 * 32, 0, 0, 32},
    {IFN_DTYPE_Q4_K, 4 + 8 + 3, 0x5a, 7 * 32, 0, 10, 5},
    {IFN_DTYPE_Q5_K, 48 + 64 + 9, 0x2e, 128 + 9, 14, 0, 0},
    {IFN_DTYPE_Q5_K, 48 + 64 + 9, 0x2e, 160 + 9, 2, 0, 0},
    {IFN_DTYPE_Q5_K, 16 + 9, 0x10, 4 * 32 + 9, 16, 0, 0},
    {IFN_DTYPE_Q5_K, 4 + 8, 0x21, 4 * 32, 0, 1, 2},
    {IFN_DTYPE_Q6_K, 64 + 40, 0xc5, 128 + 40, 5 - 32, 0, 1},
    {IFN_DTYPE_Q6_K, 64 + 40, 0xc5, 128 + 64 + 40, 12 - 32, 0, 1},
    {IFN_DTYPE_Q6_K, 128 + 32 + 8, 0x80, 128 + 96 + 8, 32 - 32, 0, 1},
    {IFN_DTYPE_Q6_K, 192 + 9, 0xfe, 9 * 16 + 15, -32, -2, 1},
    {IFN_DTYPE_Q8_32F, 8 + 31, 0x81, 31, -127, 1, 1},
};

TEST(each_field_lies_where_the_layout_says)
{
    for (size_t i = 0; i < N_OF(probes); i++) {
        const probe *p = &probes[i];
        unsigned char block[256] = {0};
        block[p->byte] = (unsigned char)p->value;
        const conform_code code = conform_code_at(p->dtype, block, p->i);
        assert_that(code.c == p->c && code.sc == p->sc && code.m == p->m,
                    "probe %d, %s: c %d, sc %d, m %d, expected %d, %d, %d", (int)i,
                    ifn_dtype_name(p->dtype), code.c, code.sc, code.m, p->c, p->sc, p->m);
    }
}

/* d and dmin of each dtype, and the sign of a stored minimum. */
TEST(units_lie_where_the_layout_says)
{
    static const struct {
        ifn_dtype dtype;
        int d, dmin; /* byte offset; -1: none */
    } units[] = {{IFN_DTYPE_Q8_0, 0, -1},  {IFN_DTYPE_Q4_0, 0, -1},   {IFN_DTYPE_Q4_1, 0, 2},
                 {IFN_DTYPE_Q5_0, 0, -1},  {IFN_DTYPE_Q5_1, 0, 2},    {IFN_DTYPE_Q2_K, 80, 82},
                 {IFN_DTYPE_Q4_K, 0, 2},   {IFN_DTYPE_Q3_K, 108, -1}, {IFN_DTYPE_Q5_K, 0, 2},
                 {IFN_DTYPE_Q6_K, 208, -1}};
    for (size_t i = 0; i < N_OF(units); i++) {
        unsigned char block[256] = {0};
        block[units[i].d + 1] = 0x3e; /* 1.5 */
        if (units[i].dmin >= 0)
            block[units[i].dmin + 1] = 0x40; /* 2 */
        const conform_code code = conform_code_at(units[i].dtype, block, 0);
        const double sign = ifn_dtype_block_elements(units[i].dtype) == 32 ? -1 : 1;
        assert_true(code.d == 1.5);
        assert_true(code.dmin == (units[i].dmin >= 0 ? 2 * sign : 0));
    }
}

TEST(what_is_put_is_got)
{
    for (size_t d = 0; d < N_OF(block_dtypes); d++) {
        const ifn_dtype dtype = block_dtypes[d];
        const conform_limits l = conform_limits_of(dtype);
        const int n = (int)ifn_dtype_block_elements(dtype), codes = l.c_high - l.c_low + 1;
        const int scales = l.sc_high - l.sc_low + 1;
        unsigned char block[256] = {0};
        for (int i = 0; i < n; i++)
            conform_put_code(dtype, block, i, l.c_low + (7 * i + 3) % codes);
        for (int i = 0; scales > 1 && i < n; i += l.group)
            conform_put_scale(dtype, block, i, l.sc_low + (11 * i + 5) % scales,
                              l.m_high ? (5 * i + 1) % (l.m_high + 1) : 0);
        for (int i = 0; i < n; i++) {
            const conform_code code = conform_code_at(dtype, block, i);
            const int first = i / l.group * l.group;
            assert_int_equal(code.c, l.c_low + (7 * i + 3) % codes);
            if (scales > 1)
                assert_int_equal(code.sc, l.sc_low + (11 * first + 5) % scales);
            if (l.m_high)
                assert_int_equal(code.m, (5 * first + 1) % (l.m_high + 1));
        }
    }
}

TEST(elements_of_later_blocks_are_found)
{
    unsigned char row[3 * 34] = {0};
    row[2 * 34 + 1] = 0x3c;
    row[2 * 34 + 2 + 5] = 9;
    assert_true(conform_value_at(IFN_DTYPE_Q8_0, row, 2 * 32 + 5) == 9);
    assert_true(conform_value_at(IFN_DTYPE_Q8_0, row, 32 + 5) == 0);
}

/* In blocks of arbitrary bits, decoding a whole row gives what decoding each element gives. */
static void expect_row_at_once(ifn_dtype dtype, int64_t n)
{
    unsigned char row[3 * 292];
    conform_code codes[3 * 256];
    double values[3 * 256];
    for (size_t i = 0; i < sizeof row; i++)
        row[i] = (unsigned char)(i * i * 31 + i * 7 + 5);
    conform_codes(dtype, row, n, codes);
    conform_values(dtype, row, n, values);
    for (int64_t i = 0; i < n; i++) {
        const conform_code code = conform_code_at(dtype, row, i);
        const double value = conform_value_at(dtype, row, i);
        assert_memory_equal(&codes[i], &code, sizeof code);
        assert_true(isnan(value) ? isnan(values[i]) : values[i] == value);
        assert_int_equal(signbit(values[i]) != 0, signbit(value) != 0);
    }
}

TEST(rows_are_read_at_once)
{
    for (size_t d = 0; d < N_OF(block_dtypes); d++) {
        const int64_t block = ifn_dtype_block_elements(block_dtypes[d]);
        for (int64_t n = 0; n <= 3 * block; n += n % 3 ? block / 2 - 1 : 1)
            expect_row_at_once(block_dtypes[d], n);
        expect_row_at_once(block_dtypes[d], 3 * block);
    }
    expect_row_at_once(IFN_DTYPE_F32, 37);
    expect_row_at_once(IFN_DTYPE_F16, 37);
    expect_row_at_once(IFN_DTYPE_BF16, 37);
}

TEST(codes_are_put_at_once)
{
    for (size_t d = 0; d < N_OF(block_dtypes); d++) {
        const ifn_dtype dtype = block_dtypes[d];
        const conform_limits l = conform_limits_of(dtype);
        unsigned char one_by_one[292] = {0}, at_once[292] = {0};
        int codes[256];
        for (int i = 0; i < (int)ifn_dtype_block_elements(dtype); i++) {
            codes[i] = l.c_low + (7 * i + 3) % (l.c_high - l.c_low + 1);
            conform_put_code(dtype, one_by_one, i, codes[i]);
        }
        conform_put_codes(dtype, at_once, codes);
        assert_memory_equal(at_once, one_by_one, sizeof at_once);
    }
}

TEST(values_keep_signs_of_zero_and_nan)
{
    const conform_code minus = {.d = -1, .sc = 1, .m = 1}, nan = {.d = (double)NAN, .sc = 0};
    const conform_code min = {.d = 2, .sc = 3, .c = 5, .dmin = 0.5, .m = 7};
    assert_true(signbit(conform_code_value(&minus)));
    assert_true(isnan(conform_code_value(&nan)));
    assert_true(conform_code_value(&min) == 30 - 3.5);
}

TEST(blocks_that_no_quantizer_gives)
{
    ifn_block_q8_32f block = {.d = 1, .s = 127, .qs = {127}};
    assert_true(conform_block_is_valid(IFN_DTYPE_Q8_32F, &block, 31));
    block.s = 126;
    assert_false(conform_block_is_valid(IFN_DTYPE_Q8_32F, &block, 0));
    block.s = block.qs[0] = 126; /* the largest code is always 127 */
    assert_false(conform_block_is_valid(IFN_DTYPE_Q8_32F, &block, 0));
    block = (ifn_block_q8_32f){.d = 1, .s = -128, .qs = {-128}};
    assert_false(conform_block_is_valid(IFN_DTYPE_Q8_32F, &block, 0));
    block = (ifn_block_q8_32f){.d = 0};
    assert_true(conform_block_is_valid(IFN_DTYPE_Q8_32F, &block, 0));
    block = (ifn_block_q8_32f){.d = NAN};
    assert_true(conform_block_is_valid(IFN_DTYPE_Q8_32F, &block, 0));
}
