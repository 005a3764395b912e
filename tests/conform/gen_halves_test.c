#include "gen_halves.h"

#include "blocks.h"
#include "test.h"

enum { ROWS = 16, COLS = 64, N = ROWS * COLS };

static int count_subnormal(conform_family family, conform_operand operand, ifn_dtype dtype)
{
    const conform_case c = {.tier = TIER_T1, .dtype = dtype, .family = family, .seed = 3};
    uint16_t x[N];
    int n = 0;
    conform_fill_halves(&c, "x", operand, dtype, COLS, (unsigned char *)x, ROWS, COLS);
    for (int i = 0; i < N; i++)
        n += (x[i] & 0x7fff) && !(x[i] & 0x7c00);
    return n;
}

TEST(tables_of_small_numbers_are_subnormal_in_f16)
{
    assert_true(count_subnormal(FAMILY_TINY, OPERAND_PLAIN, IFN_DTYPE_F16) > N / 2);
    assert_true(count_subnormal(FAMILY_EDGES, OPERAND_PLAIN, IFN_DTYPE_F16) > 0);
    assert_int_equal(count_subnormal(FAMILY_NORMAL, OPERAND_PLAIN, IFN_DTYPE_F16), 0);
    assert_int_equal(count_subnormal(FAMILY_TINY, OPERAND_B, IFN_DTYPE_F16), 0);
}

/* Factors of integer products need few bits: for F16 they are truncated, not rounded. */
TEST(halves_hold_what_fits_them)
{
    const conform_case c = {.tier = TIER_T0, .dtype = IFN_DTYPE_F16, .family = FAMILY_LATTICE};
    uint16_t x[N];
    conform_fill_halves(&c, "x", OPERAND_B, IFN_DTYPE_F16, COLS, (unsigned char *)x, ROWS, COLS);
    for (int64_t i = 0; i < N; i++)
        assert_true(conform_value_at(IFN_DTYPE_F16, x, i) != 0);
}
