#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

#define X_VALUES "x: [1, -2.5]"

TEST(values_are_numbers_of_up_to_three_dimensions)
{
    static const struct {
        const char *text;
        int depth;
        int64_t rows, cols;
    } cases[] = {
        {"x: 7", 0, 1, 1},
        {"x: [1, 2, 3]", 1, 1, 3},
        {"x: []", 1, 1, 0},
        {"x: [[1, 2], [3, 4], [5, 6]]", 2, 3, 2},
        {"x: [[[1, 2], [3, 4], [5, 6]]]", 3, 1, 6},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        spec_op *spec = assert_read(X_VALUES, cases[i].text);
        const spec_values *x = spec_find_values(&spec->golden[0], "x");
        assert_int_equal(x->kind, SPEC_NUMBERS);
        if (x->n > 0)
            assert_int_equal(x->depth, cases[i].depth);
        assert_int_equal(x->rows, cases[i].rows);
        assert_int_equal(x->cols, cases[i].cols);
        spec_op_free(spec);
    }
}

TEST(special_values_have_their_yaml_names)
{
    spec_op *spec = assert_read(X_VALUES, "x: [.inf, -.inf, .nan, -0.0]");
    const double *x = spec_find_values(&spec->golden[0], "x")->values;
    assert_true(x[0] == (double)INFINITY && x[1] == -(double)INFINITY);
    assert_true(isnan(x[2]) && x[3] == 0 && signbit(x[3]));
    spec_op_free(spec);
}

TEST(blocks_are_bytes)
{
    spec_op *spec = assert_read(X_VALUES, "x: {bytes: \"003c 7fff\"}");
    const spec_values *x = spec_find_values(&spec->golden[0], "x");
    assert_int_equal(x->kind, SPEC_BYTES);
    assert_int_equal(x->n, 4);
    assert_true(x->values[1] == 0x3c && x->values[3] == 0xff);
    spec_op_free(spec);
    assert_refused(X_VALUES, "x: {bytes: 003}", "16:30: '3', expected bytes of two digits 0 to f");
    assert_refused(X_VALUES, "x: {bytes: \"zz\"}",
                   "16:30: 'zz', expected bytes of two digits 0 to f");
    assert_refused(X_VALUES, "x: {hex: 00}", "16:23: unknown key 'hex', expected bytes");
}

TEST(ragged_lists_are_refused)
{
    assert_refused(X_VALUES, "x: [[1, 2], [3]]",
                   "16:31: 1 values, expected 2 as in the list before");
    assert_refused(X_VALUES, "x: [1, [2]]",
                   "16:27: a number beside lists, expected one or the other");
    assert_refused(X_VALUES, "x: [[1], 2]",
                   "16:28: a number beside lists, expected one or the other");
    assert_refused(X_VALUES, "x: [[[[1]]]]",
                   "16:25: lists nested four deep, expected at most three");
    assert_refused(X_VALUES, "x: [1, two]", "16:26: 'two', expected a number");
}

TEST(there_are_not_more_values_than_fit)
{
    char many[4000] = "x: [[1";
    for (int i = 0; i < 199; i++)
        strcat(many, ", 1");
    strcat(many, "], [1");
    for (int i = 0; i < 199; i++)
        strcat(many, ", 1");
    strcat(many, "]]");
    assert_refused(X_VALUES, many, "16:794: x has more values than fit, expected at most 256");
}

TEST(a_golden_entry_has_a_name)
{
    assert_refused("name: twice, ", "", "16:5: no key 'name', expected one");
    assert_refused("name: twice, ", "name: twice, why: [1], ", "16:24: a list, expected text");
}

#define REFUSE "{name: fewer than none, with: {n: -1}, status: ERR_SHAPE}"

TEST(a_refused_call_says_what_changes_and_which_status)
{
    spec_op *spec = assert_read(REFUSE, "{name: nothing there, why: x is not empty, "
                                        "with: {x: null, out: value}, status: ERR_ARGUMENT}");
    const spec_entry *e = &spec->refuse[0];
    assert_string_equal(e->name, "nothing there");
    assert_int_equal(e->status, IFN_ERR_ARGUMENT);
    assert_int_equal(e->n_values, 2);
    assert_int_equal(e->values[0].kind, SPEC_NULL);
    assert_int_equal(e->values[1].kind, SPEC_NAMED);
    assert_string_equal(e->values[1].text, "value");
    spec_op_free(spec);
    assert_refused("status: ERR_SHAPE", "status: OK",
                   "19:52: 'OK', expected an error as ERR_SHAPE");
    assert_refused("status: ERR_SHAPE", "status: IFN_ERR_SHAPE",
                   "19:52: 'IFN_ERR_SHAPE', expected an error as ERR_SHAPE");
    assert_refused(", status: ERR_SHAPE", "", "19:5: no key 'status', expected one");
}
