#include "plan_cover.h"

#include "test.h"

TEST(sizes_fall_into_the_classes_that_kernels_distinguish)
{
    static const int64_t different[] = {0, 1, 64, 65, 63, 32, 33, 31, 16, 17, 15, 8, 9, 7, 2, 11};
    for (size_t i = 0; i < N_OF(different); i++)
        for (size_t j = 0; j < i; j++)
            assert_that(conform_size_class(different[i]) != conform_size_class(different[j]),
                        "%d and %d are of one class", (int)different[i], (int)different[j]);
    assert_int_equal(conform_size_class(128), conform_size_class(64));
    assert_int_equal(conform_size_class(4097), conform_size_class(65));
    for (int64_t i = 0; i < 5000; i++)
        assert_in_range(conform_size_class(i), 0, COVER_VALUES - 1);
}

TEST(a_triple_counts_once)
{
    conform_cover cover;
    ifn_error err;
    conform_case c = {.dim = {3, 4, 5}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    assert_ok(conform_cover_open(&cover, 3, &err), err);
    const int all = 8 * 7 * 6 / 6; /* triples of eight factors: three dimensions and five others */
    assert_int_equal(conform_cover_gain(&cover, &c, 0), all);
    assert_int_equal(conform_cover_gain(&cover, &c, 1), all);
    assert_int_equal(conform_cover_gain(&cover, &c, 1), 0);
    c.dim[0] = 64; /* one factor differs, so new are */
    assert_int_equal(conform_cover_gain(&cover, &c, 1), 7 * 6 / 2); /* its pairs with all others */
    assert_int_equal(cover.n_covered, all + 7 * 6 / 2);
    conform_cover_close(&cover);
}
