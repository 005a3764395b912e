#include "fp_control.h"

#include <fenv.h>

#include "test.h"

TEST(inexact_operations_do_not_show)
{
    const uint64_t before = ifn_fp_control();
    volatile float third = 1.0f;
    third /= 3.0f;
    assert_true(third * 3.0f > 0.5f);
    feraiseexcept(FE_OVERFLOW | FE_INVALID);
    assert_true(ifn_fp_control() == before);
    feclearexcept(FE_ALL_EXCEPT);
}

TEST(a_changed_rounding_shows_and_can_be_undone)
{
    const uint64_t before = ifn_fp_control();
    assert_int_equal(fesetround(FE_UPWARD), 0);
    assert_true(ifn_fp_control() != before);
    ifn_fp_control_set(before);
    assert_true(ifn_fp_control() == before);
    fesetround(FE_TONEAREST);
}
