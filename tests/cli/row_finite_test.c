#include "row_finite.h"

#include <math.h>

#include "test.h"

TEST(the_first_value_that_is_no_number_is_found)
{
    float values[4] = {0, -3e38f, 1e-45f, 1};
    assert_int_equal(row_first_not_finite(values, 4), -1);
    assert_int_equal(row_first_not_finite(values, 0), -1);
    values[3] = -INFINITY;
    assert_int_equal(row_first_not_finite(values, 4), 3);
    assert_int_equal(row_first_not_finite(values, 3), -1);
    values[1] = NAN;
    assert_int_equal(row_first_not_finite(values, 4), 1);
}

TEST(it_is_found_at_every_place_of_a_row)
{
    enum { N = 40 };
    float values[N] = {0};
    for (int i = 0; i < N; i++) {
        values[i] = NAN;
        assert_int_equal(row_first_not_finite(values, N), i);
        assert_int_equal(row_first_not_finite(values, i), -1);
        values[i] = -3e38f;
        assert_int_equal(row_first_not_finite(values, N), -1);
    }
}

TEST(it_is_named_by_file_tensor_row_and_element)
{
    const float values[2] = {1, INFINITY};
    ifn_error err = {.status = IFN_OK};
    assert_int_equal(row_check_finite(&(row_place){"a.gguf", "t", 7}, values, 1, &err), IFN_OK);
    assert_int_equal(row_check_finite(&(row_place){"a.gguf", "t", 7}, values, 2, &err),
                     IFN_ERR_FORMAT);
    assert_string_equal(err.text,
                        "a.gguf: t: row 7: found inf at element 1, expected finite weights");
    assert_int_equal(row_fail(&(row_place){NULL, "t", 7}, 3, 70000, "too large for F16", &err),
                     IFN_ERR_FORMAT);
    assert_string_equal(err.text, "t: row 7: found 70000 at element 3, too large for F16");
}
