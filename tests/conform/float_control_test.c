#include "float_control.h"

#include "test.h"

static volatile float three = 3;

TEST(another_rounding_is_another_and_goes_again)
{
    const uint64_t own = conform_float_control();
    const float nearest = 1 / three;
    int n_other = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        const uint64_t other = conform_float_control_other(own, seed);
        conform_set_float_control(other);
        const float third = 1 / three;
        const uint64_t found = conform_float_control();
        conform_set_float_control(own);
        assert_true(found == other);
        n_other += third != nearest;
    }
    assert_true(conform_float_control() == own);
    assert_true(1 / three == nearest);
#if defined(__x86_64__) || defined(__aarch64__)
    assert_int_equal(n_other, 2); /* 1/3 rounds up to nearest: rounding up is no other */
#else
    assert_int_equal(n_other, 0);
#endif
}

TEST(flags_of_results_are_not_control)
{
    const uint64_t own = conform_float_control();
    volatile float inexact = 1 / three;
    (void)inexact;
    assert_true(conform_float_control() == own);
}
