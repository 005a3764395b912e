#include <string.h>

#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

#define LINE "{double: \"add(x, x)\"}"

static void a_law_is_made_of_ops_args_dims_and_lines_above(void **state)
{
    (void)state;
    static const char *const good[] = {
        "{double: \"add(x, scale(x, 1 / n))\"}",
        "{double: \"scale(x, -(value + 2) * 3.5 - n)\"}",
        "{double: x, each: i < n + 1}",
        "{each: \"i < n\", double: \"copy_row_2d(x, i)\"}",
        "{double: ---x}",
        "{double: \"fill_strict_upper_tri(x, -inf)\"}",
    };
    for (size_t i = 0; i < N_OF(good); i++)
        spec_op_free(assert_read(LINE, good[i]));
}

static void what_a_law_does_not_know_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } bad[] = {
        {"{double: add(x, y)}", "11:1: law: 'y)', expected an arg, a dim or a name defined above"},
        {"{double: add(x, double)}",
         "11:1: law: 'double)', expected an arg, a dim or a name defined above"},
        {"{double: addd(x)}", "11:1: law: 'addd(x)', expected the name of an op"},
        {"{double: x y}", "11:1: law: 'y', expected an operator or the end"},
        {"{double: add(x, x}", "11:1: law: '', expected ')' or ','"},
        {"{double: (x}", "11:1: law: '', expected ')'"},
        {"{double: x +}", "11:1: law: '', expected a number, a name or '('"},
        {"{double: x ^ 2}", "11:1: law: '^ 2', expected an operator or the end"},
        {"{\"2\": x, double: x}", "11:1: law: '2 = x', expected a name"},
        {"{double: x, each: i}", "11:1: law: '', expected 'name < count'"},
        {"{double: x_with_a_name_of_24_bytes}",
         "11:1: law: 'x_with_a_name_of_24_bytes', expected a shorter name"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        char flow[200];
        strcpy(flow, bad[i].line);
        /* commas inside parentheses would part the map's keys */
        if (strchr(flow, '(') && !strchr(flow, '"')) {
            memmove(flow + 10, flow + 9, strlen(flow) - 8);
            flow[9] = '"';
            flow[strlen(flow) - 1] = '\0';
            strcat(flow, "\"}");
        }
        assert_refused(LINE, flow, bad[i].message);
    }
}

static void nesting_has_an_end(void **state)
{
    (void)state;
    char deep[200] = "{double: \"";
    for (int i = 0; i < 40; i++)
        strcat(deep, "(");
    strcat(deep, "x\"}");
    assert_refused(LINE, deep, "11:1: law: '((((((((x', expected less nesting");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_law_is_made_of_ops_args_dims_and_lines_above),
        RUN(what_a_law_does_not_know_is_refused),
        RUN(nesting_has_an_end),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    temp_clean();
    return failed;
}
