#include "module.h"

#include "test.h"

TEST(a_gap_behind_the_last_row_belongs_to_nobody)
{
    conform_layout l = {0};
    conform_add_strided(&l, "x", ROLE_IN, 3, 5, 8);
    conform_add_strided(&l, "none", ROLE_IN, 0, 5, 8);
    assert_int_equal(l.t[0].bytes, (2 * 8 + 5) * 4);
    assert_int_equal(l.t[1].bytes, 0);
    assert_int_equal(l.t[0].align, 4);
}

TEST(every_element_has_its_size_and_alignment)
{
    conform_layout l = {0};
    conform_add_f32(&l, "f", ROLE_OUT, 2, 3);
    conform_add_i32(&l, "i", ROLE_IN, 7);
    conform_add_blocks(&l, "w", ROLE_IN, IFN_DTYPE_Q4_K, 3, 512);
    conform_add_blocks(&l, "x", ROLE_IN, IFN_DTYPE_Q8_32F, 1, 64);
    conform_add_bytes(&l, "b", ROLE_HOST, 9);
    conform_add_absent(&l, "bias");
    assert_int_equal(l.n, 6);
    assert_int_equal(l.t[0].bytes, 24);
    assert_int_equal(l.t[1].bytes, 28);
    assert_int_equal(l.t[2].bytes, 3 * 288);
    assert_int_equal(l.t[2].align, 2);
    assert_int_equal(l.t[3].bytes, 80);
    assert_int_equal(l.t[3].align, 4);
    assert_int_equal(l.t[4].align, 1);
    assert_true(l.t[5].absent);
    assert_int_equal(conform_tensor_index(&l, "w"), 2);
}

/* The case gives the address modulo 64, or its seed does. */
TEST(every_address_of_an_alignment_has_its_turn)
{
    conform_case c = {.seed = 0};
    unsigned seen = 0;
    for (; c.seed < 400; c.seed++) {
        const size_t residue = conform_residue_of(&c, 1, 4);
        assert_true(residue % 4 == 0 && residue < 64);
        seen |= 1U << residue / 4;
    }
    assert_int_equal(seen, 0xffff);
    c.is_at = 1;
    c.at = 23;
    assert_int_equal(conform_residue_of(&c, 1, 4), 20);
}
