/* `conform --museum` as a whole, on the plugin that tests/museum builds. */
#include "museum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "test.h"

static void it_is_wanted_where_it_is_named(void **state)
{
    (void)state;
    char command[] = "conform", museum[] = "--museum", with[] = "--museum=x.so", other[] = "--op";
    char *words[] = {command, other, museum}, *equals[] = {command, with},
         *none[] = {command, other};
    assert_true(conform_museum_is_wanted(3, words));
    assert_true(conform_museum_is_wanted(2, equals));
    assert_false(conform_museum_is_wanted(2, none));
}

static void the_faults_of_an_op_are_killed_and_told_about(void **state)
{
    (void)state;
    char *out;
    assert_int_equal(COMMAND(&out, "--op", "concat_dim0", "--op", "copy_in", "--museum", MUSEUM,
                             "--profile", "smoke", "--json=-"),
                     0);
    json *j = json_parse(out, NULL);
    const json *rows = json_get(j, "faults");
    assert_string_equal(json_get(j, "base")->string, "scalar");
    assert_string_equal(json_get(j, "profile")->string, "smoke");
    assert_true(rows->n >= 2); // at least one fault of each op
    for (size_t i = 0; i < rows->n; i++) {
        const char *op = json_get(&rows->items[i], "op")->string;
        assert_true(strcmp(op, "concat_dim0") == 0 || strcmp(op, "copy_in") == 0);
        assert_string_equal(json_get(&rows->items[i], "outcome")->string, "killed");
    }
    json_free(j);
    free(out);
}

static void a_fault_that_too_few_cases_miss_makes_it_fail(void **state)
{
    (void)state;
    char *out;
    assert_int_equal(COMMAND(&out, "--museum=" MUSEUM, "--op", "transpose_2d", "--profile", "smoke",
                             "--cases=1"),
                     1);
    assert_non_null(strstr(out, "SURVIVES"));
    free(out);
}

static void one_fault_is_tried_by_its_name(void **state)
{
    (void)state;
    char *out;
    assert_int_equal(COMMAND(&out, "--museum", MUSEUM, "--fault=bytes_in_words", "--profile=smoke"),
                     0);
    assert_non_null(strstr(out, "\nbytes_in_words "));
    assert_non_null(strstr(out, "\n1 faults over scalar"));
    free(out);
}

static void wrong_usage_says_so(void **state)
{
    (void)state;
    assert_int_equal(COMMAND(NULL, "--museum", "/nowhere/museum.so"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", NO_MUSEUM), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--case", "x"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--backend=scalar", "--backend=scalar"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--backend", "nobody", "--op", "add"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--op", "multiply"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--fault", "nobody"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--op", "linear", "--op"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(it_is_wanted_where_it_is_named),
        RUN(the_faults_of_an_op_are_killed_and_told_about),
        RUN(a_fault_that_too_few_cases_miss_makes_it_fail),
        RUN(one_fault_is_tried_by_its_name),
        RUN(wrong_usage_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
