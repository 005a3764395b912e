#include "generation.h"

#include <string.h>

#include "test.h"

static generation_size fit(int64_t trained, int64_t asked, size_t n_prompt, int64_t n)
{
    generation_size size;
    ifn_error err = {0};
    assert_ok(generation_fit(trained, asked, n_prompt, n, &size, &err), err);
    return size;
}

static void assert_unfit(int64_t trained, int64_t asked, size_t n_prompt, const char *text)
{
    generation_size size;
    ifn_error err = {0};
    assert_int_equal(generation_fit(trained, asked, n_prompt, 5, &size, &err), IFN_ERR_ARGUMENT);
    assert_that(strstr(err.text, text) != NULL, "expected '%s' in: %s", text, err.text);
}

TEST(without_a_number_the_context_is_filled)
{
    const generation_size size = fit(128, 0, 28, GENERATION_NO_LIMIT);
    assert_int_equal(size.max_pos, 128);
    assert_int_equal(size.n, 100);
    assert_true(size.cut && !size.beyond);
}

TEST(a_number_that_fits_takes_no_more_context_than_it_needs)
{
    const generation_size size = fit(128, 0, 28, 10);
    assert_int_equal(size.max_pos, 38);
    assert_int_equal(size.n, 10);
    assert_true(!size.cut && !size.beyond);
    assert_true(!fit(128, 0, 28, 100).beyond);
    assert_true(!fit(128, 0, 28, 100).cut);
}

TEST(a_number_may_leave_the_trained_context_behind)
{
    const generation_size size = fit(128, 0, 28, 101);
    assert_int_equal(size.max_pos, 129);
    assert_int_equal(size.n, 101);
    assert_true(!size.cut && size.beyond);
}

TEST(a_context_asked_for_is_a_hard_limit)
{
    const generation_size size = fit(128, 40, 28, 13);
    assert_int_equal(size.max_pos, 40);
    assert_int_equal(size.n, 12);
    assert_true(size.cut && !size.beyond);
    assert_int_equal(fit(128, 200, 28, GENERATION_NO_LIMIT).n, 172);
    assert_true(!fit(128, 200, 28, 172).cut);
    assert_int_equal(fit(128, 28, 28, 1).n, 0);
}

TEST(a_prompt_that_does_not_fit_is_refused_with_both_numbers)
{
    assert_unfit(128, 0, 129, "129 tokens, the context (what the model was trained for) holds 128");
    assert_unfit(128, 40, 41, "41 tokens, the context (--ctx) holds 40");
    assert_unfit(128, 0, 0, "the prompt is empty");
}

TEST(reasons_to_stop_have_names)
{
    assert_string_equal(generation_stop_name(STOP_END), "end");
    assert_string_equal(generation_stop_name(STOP_LENGTH), "length");
    assert_string_equal(generation_stop_name(STOP_CONTEXT), "context");
}
