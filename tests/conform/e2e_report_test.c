/* The printed table, and the rows of a report written to JSON and read back. */
#include "e2e_report.h"

#include <stdlib.h>
#include <string.h>

#include "output_file.h"
#include "paths.h"
#include "test.h"

static conform_report report_of_two(void)
{
    conform_report r;
    e2e_row good = {.model = "m.gguf",
                    .graph = "fused",
                    .activations = "f32",
                    .kv = "basic",
                    .rule = "exact",
                    .runs = 4,
                    .steps = 40,
                    .worst = 0.25,
                    .kl_mean = 1e-13,
                    .kl_99 = 2e-13,
                    .kl_max = 3e-13,
                    .tried = 3,
                    .held = 3,
                    .demanded = 2};
    e2e_row bad = good;
    conform_report_open(&r, 1);
    memcpy(r.label[0], "mine", 5);
    snprintf(bad.graph, sizeof bad.graph, "primitive");
    snprintf(bad.check, sizeof bad.check, "logits");
    snprintf(bad.detail, sizeof bad.detail, "text, whole, step 3: off");
    snprintf(bad.first_bad, sizeof bad.first_bad, "layer 1, up, op linear");
    snprintf(bad.again, sizeof bad.again, "inferno conform e2e m.gguf --seed 3");
    bad.failed = 1;
    bad.ties = 2;
    conform_report_add_row(&r, &good);
    conform_report_add_row(&r, &bad);
    return r;
}

TEST(rows_are_evidence)
{
    conform_report r = report_of_two();
    assert_int_equal(r.end_to_end[0].executed, 8);
    assert_int_equal(r.end_to_end[0].failed, 1);
    assert_false(conform_report_is_conformant(&r));
    conform_report_close(&r);
}

TEST(the_table_has_a_line_for_each_row_and_for_each_failure)
{
    const char *const path = temp_path("table.txt");
    conform_report r = report_of_two();
    FILE *const f = fopen(path, "w");
    e2e_report_text(&r, f);
    fclose(f);
    char *const text = read_file(path, NULL);
    assert_non_null(strstr(text, "m.gguf on mine\n"));
    assert_non_null(strstr(text, "  fused f32, kv basic      exact      4      0     40     0.25"
                                 "  3.0e-13     0     3/3     ok\n"));
    assert_non_null(strstr(text, "2     3/3     FAILED\n"));
    assert_non_null(strstr(text, "  m.gguf on mine: primitive f32, kv basic, exact: logits: text, "
                                 "whole, step 3: off\n    first bad op: layer 1, up, op linear\n"
                                 "    again: inferno conform e2e m.gguf --seed 3\n"));
    free(text);
    conform_report_close(&r);
}

TEST(many_runs_and_steps_are_columns_of_their_own)
{
    const char *const path = temp_path("many.txt");
    conform_report r = report_of_two();
    FILE *const f = fopen(path, "w");
    snprintf(r.rows[0].rule, sizeof r.rows[0].rule, "company");
    r.rows[0].runs = 10000;
    r.rows[0].steps = 36000000;
    e2e_report_text(&r, f);
    fclose(f);
    char *const text = read_file(path, NULL);
    assert_non_null(strstr(text, "company 10000      0 36000000 "));
    free(text);
    conform_report_close(&r);
}

TEST(rows_come_back_from_json_and_are_merged)
{
    char path[256];
    ifn_error err = {0};
    conform_report r = report_of_two(), back, sum;
    snprintf(path, sizeof path, "%s", temp_path("r.json"));
    assert_ok(conform_write_file(path, conform_report_json, &r, &err), err);
    assert_ok(conform_report_read(path, &back, &err), err);
    assert_int_equal(back.n_rows, 2);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(&back.rows[i], &r.rows[i], sizeof(e2e_row));
    assert_int_equal(back.end_to_end[0].executed, 8);
    conform_report_open(&sum, 0);
    assert_true(conform_report_merge(&sum, &back) && conform_report_merge(&sum, &r));
    assert_int_equal(sum.n_rows, 4);
    assert_int_equal(sum.end_to_end[0].failed, 2);
    conform_report_close(&sum);
    conform_report_close(&back);
    conform_report_close(&r);
}

/* A report whose evidence contradicts its own list of rows is refused. */
TEST(evidence_that_does_not_add_up_is_refused)
{
    char path[256];
    ifn_error err = {0};
    conform_report r = report_of_two(), back;
    snprintf(path, sizeof path, "%s", temp_path("lie.json"));
    r.end_to_end[0].failed = 0;
    assert_ok(conform_write_file(path, conform_report_json, &r, &err), err);
    assert_int_equal(conform_report_read(path, &back, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "mine: 8 runs of whole models, 0 failed, expected what its "
                                     "list adds up to, 8 and 1"));
    conform_report_close(&r);
}

static char *verdict_of(const conform_report *r)
{
    const char *const path = temp_path("verdict.txt");
    FILE *const f = fopen(path, "w");
    e2e_report_text(r, f);
    e2e_report_verdict(r, f);
    fclose(f);
    return read_file(path, NULL);
}

TEST(the_verdict_says_the_arithmetic)
{
    conform_report r = report_of_two();
    char *text = verdict_of(&r);
    assert_non_null(strstr(text, "m.gguf on mine\n"));
    assert_non_null(strstr(text, "\n8 runs of whole models, 1 failed, 0.0 s: NOT conformant\n"));
    free(text);
    snprintf(conform_report_cell(&r, IFN_OP_LINEAR, 0)->arithmetic, 32, "products in bf16");
    text = verdict_of(&r);
    assert_non_null(strstr(text, "m.gguf on mine, products in bf16\n"));
    assert_non_null(strstr(text, " s: NOT conformant, products in bf16\n"));
    free(text);
    conform_report_close(&r);
}
