/* The committed baselines are complete, hold on any machine, and are sharp enough to fail a run. */
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "run_report.h"
#include "test.h"

static const char *const baseline = "tests/conform/baselines/scalar-ci.json";

static conform_report read_baseline(void)
{
    conform_report r;
    ifn_error err = {0};
    assert_ok(conform_report_read(source_path(baseline), &r, &err), err);
    return r;
}

TEST(it_is_of_a_whole_run_that_passed)
{
    conform_report r = read_baseline();
    assert_int_equal(r.n_tested, 1);
    assert_string_equal(r.label[0], "scalar");
    assert_string_equal(r.profile, "ci");
    assert_string_equal(r.shard, "0/1");
    assert_true(conform_report_is_conformant(&r));
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(&r, (ifn_op)op, 0);
        assert_that(c->passed >= 10000 && c->passed == c->cases, "%s: %lld of %lld cases passed",
                    ifn_op_name((ifn_op)op), (long long)c->passed, (long long)c->cases);
    }
    conform_report_close(&r);
}

TEST(it_names_no_machine)
{
    char *text = read_file(source_path(baseline), NULL);
    assert_non_null(text);
    static const char *const paths[] = {"\"/", "home/", "tmp/", "./"};
    for (size_t i = 0; i < N_OF(paths); i++)
        assert_that(!strstr(text, paths[i]), "found %s", paths[i]);
    free(text);
}

/* Compares the baseline with a copy of it in which only the worst error of one op has changed. */
TEST(the_run_fails_where_a_worst_error_has_doubled)
{
    conform_report then = read_baseline();
    int n_sharp = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_report now = read_baseline();
        conform_cell *c = conform_report_cell(&now, (ifn_op)op, 0);
        conform_report_compare(&now, &then);
        assert_int_equal(now.n_problems, 0);
        if (c->ratio > 0.01) {
            c->ratio *= 2.01;
            conform_report_compare(&now, &then);
            assert_int_equal(now.n_problems, 1);
            assert_non_null(strstr(now.problems[0], ifn_op_name((ifn_op)op)));
            assert_false(conform_report_is_conformant(&now));
            n_sharp++;
        }
        conform_report_close(&now);
    }
    assert_true(n_sharp >= 10);
    conform_report_close(&then);
}
