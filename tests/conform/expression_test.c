#include "expression.h"

#include <math.h>
#include <stdio.h>

#include "paths.h"
#include "spec_text.h"
#include "test.h"

#define SHAPE "x: {dtype: f32, shape: [n]}"

static const conform_case five = {.op = IFN_OP_SCALE, .dim = {5}};

/* Evaluates an expression with n = 5 to a size. */
static bool size_of(const char *text, int64_t *out)
{
    char line[96];
    snprintf(line, sizeof line, "x: {dtype: f32, shape: [\"%s\"]}", text);
    spec_op *const spec = assert_read(SHAPE, line);
    const conform_scope scope = {.spec = spec, .c = &five};
    const bool is_whole = conform_whole(&scope, spec->args[0].extent[0], out);
    spec_op_free(spec);
    return is_whole;
}

TEST(expressions_are_worked_out)
{
    static const struct {
        const char *text;
        int64_t value;
    } of[] = {
        {"7", 7},        {"2 + 3 * 4", 14},     {"(2 + 3) * 4", 20}, {"9 - 2 - 3", 4},
        {"64/32/2", 1},  {"((1))", 1},          {"3*n", 15},         {"n + n * n", 30},
        {" n ", 5},      {"-(n)", -5},          {"n / 2", 2},        {"n / 2 * 2", 5},
        {"--n - -1", 6}, {"(n + 1) * (n)", 30},
    };
    for (size_t i = 0; i < N_OF(of); i++) {
        int64_t value = -1;
        assert_true(size_of(of[i].text, &value));
        assert_that(value == of[i].value, "%s: %lld", of[i].text, (long long)value);
    }
}

TEST(what_has_no_size_is_none)
{
    int64_t value;
    assert_false(size_of("1 / 0", &value));
    assert_false(size_of("0 / 0", &value));
    assert_false(size_of("99999999999999999999 * n", &value));
    static const char *const bad[] = {"rows", "n +", "n n", "(n", "n)", "x", "value", "inf"};
    for (size_t i = 0; i < N_OF(bad); i++) {
        char line[96];
        ifn_error err;
        spec_op *spec;
        snprintf(line, sizeof line, "x: {dtype: f32, shape: [\"%s\"]}", bad[i]);
        assert_int_equal(spec_read_changed(SHAPE, line, &spec, &err), IFN_ERR_FORMAT);
    }
}

TEST(scalars_are_those_of_the_call)
{
    spec_op *const spec = assert_read("value / 2", "value / 2 + n");
    const ifn_scale_args args = IFN_ARGS(scale, .value = 3, .n = 5);
    const conform_scope scope = {.spec = spec, .c = &five, .args = &args.call};
    const spec_term *const call = &spec->terms[spec->law[1].value];
    const int sum = spec->terms[call->first].next;
    assert_true(conform_number(&scope, sum) == 6.5);
    assert_true(isnan(conform_number(&(conform_scope){.spec = spec, .c = &five}, sum)));
    spec_op_free(spec);
}

TEST(a_shape_accounts_for_every_element)
{
    int64_t shape[SPEC_MAX_SHAPE];
    spec_op *const spec = assert_read(SHAPE, "x: {dtype: f32, shape: [n, 2]}");
    assert_int_equal(conform_shape_of(spec, &five, &spec->args[0], 10, shape), 2);
    assert_true(shape[0] == 5 && shape[1] == 2);
    assert_int_equal(conform_shape_of(spec, &five, &spec->args[0], 12, shape), 0);
    spec_op_free(spec);
}
