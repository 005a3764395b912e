#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

#define LINE "{double: \"add(x, x)\"}"

TEST(a_law_is_made_of_ops_args_dims_and_lines_above)
{
    static const char *const good[] = {
        "{double: \"add(x, scale(x, 1 / n))\"}",
        "{double: \"scale(x, -(value + 2) * 3.5 - n)\"}",
        "{double: x, each: i < n + 1}",
        "{each: \"i < n\", double: \"scale(x, i)\"}",
        "{double: \"scale(x, ---n)\"}",
        "{double: \"fill_strict_upper_tri(x, -inf, 0)\"}",
        "{double: \"quantize_rows(x[0, 0:n], dtype)\"}",
        "{out: \"copy_contiguous_into(x, 0)\", double: out}",
        "{double: x, \"out[n - 1]\": x}",
    };
    for (size_t i = 0; i < N_OF(good); i++)
        spec_op_free(assert_read(LINE, good[i]));
}

TEST(what_a_law_does_not_know_is_refused)
{
    static const struct {
        const char *line, *message;
    } bad[] = {
        {"{double: \"add(x, y)\"}",
         "11:14: law: 'y)', expected an arg, a dim or a name defined above"},
        {"{double: \"add(x, double)\"}",
         "11:14: law: 'double)', expected an arg, a dim or a name defined above"},
        {"{double: addd(x)}",
         "11:14: law: 'addd(x)', expected an op of tensors and numbers with one result"},
        {"{double: \"argmax_with_prob(x)\"}",
         "11:14: law: 'argmax_with_prob(x)', expected an op of tensors and numbers with one "
         "result"},
        {"{double: \"linear(x)\"}",
         "11:14: law: 'linear(x)', expected an op of tensors and numbers with one result"},
        {"{double: x y}", "11:14: law: 'y', expected an operator or the end"},
        {"{double: \"add(x, x\"}", "11:14: law: '', expected add(x, y)"},
        {"{double: add(x)}", "11:14: law: ')', expected add(x, y)"},
        {"{double: \"scale(x, 1, 2)\"}", "11:14: law: ', 2)', expected scale(x, value)"},
        {"{double: \"scale(x, x)\"}", "11:14: law: 'x)', expected a number"},
        {"{double: \"scale(2, x)\"}", "11:14: law: '2, x)', expected a tensor"},
        {"{double: x + 1}", "11:14: law: 'x + 1', expected a number"},
        {"{double: 1 * x}", "11:14: law: ' x', expected a number"},
        {"{double: -x}", "11:14: law: 'x', expected a number"},
        {"{double: \"value[0]\"}", "11:14: law: 'value[0]', expected a tensor"},
        {"{double: \"x[0\"}", "11:14: law: '', expected ']' or ','"},
        {"{double: \"x[0:1, 0]\"}", "11:14: law: ', 0]', expected ']' or ','"},
        {"{double: (x}", "11:14: law: '', expected ')'"},
        {"{double: 1 +}", "11:14: law: '', expected a number, a name or '('"},
        {"{double: x ^ 2}", "11:14: law: '^ 2', expected an operator or the end"},
        {"{double: n}", "11:14: law: 'n', expected a tensor"},
        {"{\"2\": x, double: x}", "11:6: law: '2', expected a name, an output or a part of one"},
        {"{x: x, double: x}", "11:6: law: 'x', expected another name than an input's"},
        {"{double: x, each: i}", "11:23: law: 'i', expected 'name < count'"},
        {"{double: x, each: i < x}", "11:23: law: a tensor, expected a number of times"},
        {"{double: \"copy_contiguous_into(x, 0)\"}",
         "11:14: law: copy_contiguous_into writes a part, expected it to define an output"},
        {"{double: x_with_a_name_of_24_bytes}",
         "11:14: law: 'x_with_a_name_of_24_bytes', expected a shorter name"},
    };
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_refused(LINE, bad[i].line, bad[i].message);
}

TEST(lines_know_what_they_define)
{
    spec_op *spec = assert_read(LINE, "{each: i < n, double: \"add(x, x)\"}");
    assert_int_equal(spec->n_law, 3);
    assert_true(spec->law[0].repeats && !spec->law[1].repeats);
    assert_string_equal(spec->law[1].name, "double");
    assert_int_equal(spec->law[1].target, 0);
    assert_int_equal(spec->terms[spec->law[1].value].index, IFN_OP_ADD);
    assert_int_equal(spec->terms[spec->law[2].target].kind, TERM_ARG);
    assert_int_equal(spec->law[2].line, 12);
    spec_op_free(spec);
    assert_refused("  - " LINE, "  - add(x, x)", "11:5: a single value, expected a map");
    char many[1000] = "";
    for (int i = 0; i < 16; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "  - {l%d: x}\n", i);
    strcat(many, "  - {double: x}");
    assert_refused("  - " LINE, many, "27:5: entry 17 of a list, expected at most 16");
}

TEST(a_reason_stands_for_a_law_and_not_beside_one)
{
    spec_op *spec = assert_read("law:\n  - " LINE "\n  - {out: \"scale(double, value / 2)\"}\n",
                                "no_law: nothing is computed\n");
    assert_int_equal(spec->n_law, 0);
    assert_string_equal(spec->no_law, "nothing is computed");
    spec_op_free(spec);
    assert_refused("law:\n", "no_law: nothing is computed\nlaw:\n",
                   "1:1: law and no_law, expected one of them");
}

TEST(nesting_has_an_end)
{
    char deep[200] = "{double: \"";
    for (int i = 0; i < 40; i++)
        strcat(deep, "(");
    strcat(deep, "x\"}");
    assert_refused(LINE, deep, "11:14: law: '((((((((x', expected less nesting");
}
