#include "expression.h"

#include <string.h>

#include "test.h"

static ifn_status split(const char *text, ifn_expression *out, ifn_error *err)
{
    static char copy[256];
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    return ifn_expression_split(copy, out, err);
}

static void assert_stage(const ifn_expression *e, size_t i, const char *name, const char *options)
{
    assert_true(i < e->n);
    assert_string_equal(e->stages[i].name, name);
    assert_string_equal(e->stages[i].options, options);
}

TEST(one_name_is_one_stage)
{
    ifn_expression e;
    assert_int_equal(split("scalar", &e, NULL), IFN_OK);
    assert_int_equal(e.n, 1);
    assert_stage(&e, 0, "scalar", "");
}

TEST(stages_stand_outermost_first)
{
    ifn_expression e;
    assert_int_equal(split("trace:parallel=8:./mine.so=a=b,c:simd=", &e, NULL), IFN_OK);
    assert_int_equal(e.n, 4);
    assert_stage(&e, 0, "trace", "");
    assert_stage(&e, 1, "parallel", "8");
    assert_stage(&e, 2, "./mine.so", "a=b,c");
    assert_stage(&e, 3, "simd", "");
}

TEST(spaces_around_names_and_options_are_dropped)
{
    ifn_expression e;
    assert_int_equal(split(" trace :\tparallel = 8 : ./my mine.so", &e, NULL), IFN_OK);
    assert_int_equal(e.n, 3);
    assert_stage(&e, 0, "trace", "");
    assert_stage(&e, 1, "parallel", "8");
    assert_stage(&e, 2, "./my mine.so", "");
}

TEST(a_missing_name_is_an_error)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"trace:", "backend 'trace:': a name is missing after ':'"},
        {":simd", "backend ':simd': a name is missing before ':'"},
        {"trace: ", "backend 'trace: ': a name is missing after ':'"},
        {"trace: :simd", "backend 'trace: :simd': a name is missing before ':'"},
        {"trace::simd", "backend 'trace::simd': a name is missing before ':'"},
        {"=8", "backend '=8': a name is missing before '='"},
        {"trace:=8:simd", "backend 'trace:=8:simd': a name is missing before '='"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_expression e;
        ifn_error err;
        assert_int_equal(split(cases[i].text, &e, &err), IFN_ERR_ARGUMENT);
        assert_string_equal(err.text, cases[i].message);
        assert_int_equal(e.n, 0);
    }
}

TEST(eight_stages_are_the_most)
{
    ifn_expression e;
    ifn_error err;
    assert_int_equal(split("a:b:c:d:e:f:g:h", &e, NULL), IFN_OK);
    assert_int_equal(e.n, IFN_EXPRESSION_MAX);
    assert_int_equal(split("a:b:c:d:e:f:g:h:i", &e, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'a:b:c:d:e:f:g:h:i': more than 8 in one stack");
}
