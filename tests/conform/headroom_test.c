#include "headroom.h"

#include <math.h>

#include "test.h"

TEST(a_ratio_is_in_the_bin_whose_most_it_does_not_exceed)
{
    static const struct {
        double ratio;
        int bin;
    } of[] = {{0, HEADROOM_EXACT}, {0x1p-20, 1}, {0x1p-8, 1},           {0x1.1p-8, 2}, {0.5, 8},
              {0.500001, 9},       {1, 9},       {1.000001, 10},        {2, 10},       {17, 12},
              {3e7, 14},           {0x1p41, 15}, {(double)INFINITY, 15}};
    for (size_t i = 0; i < N_OF(of); i++)
        assert_that(headroom_bin(of[i].ratio) == of[i].bin, "%g is in bin %d, expected %d",
                    of[i].ratio, headroom_bin(of[i].ratio), of[i].bin);
    for (int bin = 0; bin < HEADROOM_BINS; bin++)
        assert_int_equal(headroom_bin(headroom_most(bin)), bin);
    assert_true(headroom_most(HEADROOM_LAST_WITHIN) <= 1 &&
                headroom_most(HEADROOM_LAST_WITHIN) >= 1);
}

TEST(bins_have_names)
{
    char room[40];
    assert_string_equal(headroom_name(0, room, sizeof room), "exact");
    assert_string_equal(headroom_name(1, room, sizeof room), "up to 2^-8");
    assert_string_equal(headroom_name(9, room, sizeof room), "2^-1 to 2^0");
    assert_string_equal(headroom_name(15, room, sizeof room), "beyond 2^40");
}
