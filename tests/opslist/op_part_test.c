#include "op_part.h"

#include "test.h"

static void assert_range(ifn_range range, int64_t begin, int64_t end)
{
    assert_true(range.begin == begin);
    assert_true(range.end == end);
}

TEST(zero_zero_is_the_whole_extent)
{
    assert_range(ifn_part(0, 0, 7), 0, 7);
    assert_range(ifn_part(0, 0, 0), 0, 0);
}

TEST(any_other_part_is_itself)
{
    assert_range(ifn_part(0, 3, 7), 0, 3);
    assert_range(ifn_part(3, 7, 7), 3, 7);
    assert_range(ifn_part(5, 5, 7), 5, 5);
}

TEST(a_part_over_segments_gives_each_its_own_range)
{
    const ifn_range part = {3, 9};
    assert_range(ifn_part_within(part, 0, 5), 3, 5);
    assert_range(ifn_part_within(part, 5, 8), 0, 3);
    assert_range(ifn_part_within(part, 8, 20), 0, 1);
    assert_range(ifn_part_within(part, 9, 20), 0, 0);
    assert_range(ifn_part_within(part, 0, 3), 0, 0);
    assert_range(ifn_part_within(part, 5, 5), 0, 0);
}
