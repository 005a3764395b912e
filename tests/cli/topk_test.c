#include "topk.h"

#include <math.h>

#include "test.h"

TEST(the_largest_come_first_and_equals_in_order)
{
    static const float logits[] = {1, 5, -2, 5, 3, 0};
    candidate top[4];
    assert_int_equal(topk(logits, 6, 4, top), 4);
    static const int32_t expected[] = {1, 3, 4, 0};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(top[i].id, expected[i]);
}

TEST(fewer_candidates_than_asked_for_are_all_of_them)
{
    static const float logits[] = {1, 2};
    candidate top[10];
    assert_int_equal(topk(logits, 2, 10, top), 2);
    assert_int_equal(top[0].id, 1);
    assert_int_equal(top[1].id, 0);
}

TEST(probabilities_are_of_the_whole_softmax)
{
    /* ln 1, ln 2, ln 5 give probabilities of 1/8, 2/8, 5/8. They are shifted so far from zero that exp alone
     * overflows. */
    static const float logits[] = {1000.0f, 1000.6931472f, 1001.6094379f};
    candidate top[1];
    assert_int_equal(topk(logits, 3, 1, top), 1);
    assert_int_equal(top[0].id, 2);
    assert_true(fabs(top[0].prob - 0.625) < 1e-4);
}

TEST(a_nan_is_below_everything)
{
    static const float logits[] = {NAN, -INFINITY, 1, NAN};
    candidate top[3];
    assert_int_equal(topk(logits, 4, 3, top), 3);
    assert_int_equal(top[0].id, 2);
    assert_int_equal(top[1].id, 1);
    assert_int_equal(top[2].id, 0);
}
