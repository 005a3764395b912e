#include "movement.h"

#include <string.h>

#include "case_pool.h"
#include "test.h"

TEST(raw_operands_hold_all_kinds_of_bits)
{
    conform_layout l = {0};
    conform_add_f32(&l, "x", ROLE_IN, 100, 100);
    const conform_case c = {.seed = 4};
    static float x[10000];
    conform_fill_raw(&c, &l.t[0], x);
    int nans = 0, negative = 0;
    for (int i = 0; i < 10000; i++) {
        nans += x[i] != x[i];
        uint32_t bits;
        memcpy(&bits, &x[i], 4);
        negative += bits >> 31;
    }
    assert_in_range(nans, 15, 70); /* 1 in 256 */
    assert_in_range(negative, 4800, 5200);
}

TEST(a_few_values_are_of_each_kind_in_turn)
{
    conform_layout l = {0};
    int minus_infinity = 0, repeated = 0, one_byte_twice = 0;
    conform_add_f32(&l, "x", ROLE_IN, 1, 1);
    for (int64_t rows = 2; rows < 18; rows++) {
        uint32_t bits;
        const conform_case c = {.dim = {rows}, .family = FAMILY_PATTERNS, .seed = 4};
        conform_fill_raw(&c, &l.t[0], &bits);
        minus_infinity += bits == 0xff800000;
        repeated += bits != 0 && bits == (bits & 255) * 0x01010101u;
        one_byte_twice += (bits & 0xffff) == 0 && bits >> 24 == (bits >> 16 & 255) && bits != 0;
    }
    assert_int_equal(minus_infinity, 1);
    assert_int_equal(repeated, 1);
    assert_int_equal(one_byte_twice, 1);
}

TEST(a_raw_truth_starts_from_what_is_there)
{
    conform_pool pool;
    conform_pool_init(&pool);
    conform_layout l = {0};
    conform_truth t = {0};
    conform_add_i32(&l, "x", ROLE_INOUT, 4);
    const int32_t before[4] = {1, 2, 3, 4}, other[2] = {8, 9};
    unsigned char *want = conform_truth_raw(&t, &l.t[0], before, &pool);
    conform_move(want, 2, other, 1);
    assert_int_equal(t.class, CLASS_RAW);
    assert_memory_equal(t.raw, ((const int32_t[]){1, 2, 9, 4}), 16);
    conform_pool_fini(&pool);
}
