/* `conform --museum` as a whole, on the plugin built in tests/museum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "test.h"

TEST(the_faults_of_an_op_are_killed_and_told_about)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--op", "repeat_row_as_matrix", "--op", "copy_in", "--museum",
                             MUSEUM, "--profile", "smoke", "--json=-"),
                     0);
    json *j = json_parse(out, NULL);
    const json *rows = json_get(j, "faults");
    assert_string_equal(json_get(j, "base")->string, "scalar");
    assert_string_equal(json_get(j, "profile")->string, "smoke");
    assert_true(rows->n >= 2); // at least one fault of each op
    for (size_t i = 0; i < rows->n; i++) {
        const char *op = json_get(&rows->items[i], "op")->string;
        assert_true(strcmp(op, "repeat_row_as_matrix") == 0 || strcmp(op, "copy_in") == 0);
        assert_string_equal(json_get(&rows->items[i], "outcome")->string, "killed");
    }
    json_free(j);
    free(out);
}

/* The case that notices a fault first, and the detector, are the same for any number of processes. */
TEST(the_number_of_processes_changes_no_kill)
{
    char *out[2];
    for (int i = 0; i < 2; i++) {
        char jobs[] = "--jobs=1";
        jobs[strlen(jobs) - 1] = (char)('1' + 2 * i);
        assert_int_equal(COMMAND(&out[i], "--op", "copy_in", "--op", "repeat_row_as_matrix", "--op",
                                 "add", "--museum", MUSEUM, "--profile", "smoke", "--json=-", jobs),
                         0);
    }
    json *a = json_parse(out[0], NULL), *b = json_parse(out[1], NULL);
    const json *rows = json_get(a, "faults"), *others = json_get(b, "faults");
    assert_int_equal(rows->n, others->n);
    for (size_t i = 0; i < rows->n; i++) {
        static const char *const same[] = {"fault", "outcome", "killer"};
        for (size_t k = 0; k < N_OF(same); k++)
            assert_string_equal(json_get(&rows->items[i], same[k])->string,
                                json_get(&others->items[i], same[k])->string);
    }
    json_free(a);
    json_free(b);
    free(out[0]);
    free(out[1]);
}

TEST(a_fault_that_too_few_cases_miss_makes_it_fail)
{
    char *out;
    assert_int_equal(
        COMMAND(&out, "--museum=" MUSEUM, "--op", "copy_row_2d", "--profile", "smoke", "--cases=1"),
        1);
    assert_non_null(strstr(out, "SURVIVES"));
    free(out);
}

TEST(one_fault_is_tried_by_its_name)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--museum", MUSEUM, "--fault=bytes_in_words", "--profile=smoke"),
                     0);
    assert_non_null(strstr(out, "\nbytes_in_words "));
    assert_non_null(strstr(out, "\n1 faults over scalar"));
    free(out);
}

TEST(wrong_usage_says_so)
{
    assert_int_equal(COMMAND(NULL, "--museum", "/nowhere/museum.so"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", NO_MUSEUM), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--case", "x"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--backend=scalar", "--backend=scalar"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--backend", "nobody", "--op", "add"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--op", "multiply"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--fault", "nobody"), 2);
    assert_int_equal(COMMAND(NULL, "--museum", MUSEUM, "--op", "linear", "--op"), 2);
}
