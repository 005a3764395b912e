#include "reach_json.h"

#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

static char *text_of(const conform_reach *r)
{
    char *out = NULL;
    size_t bytes = 0;
    FILE *const memory = open_memstream(&out, &bytes);
    assert_non_null(memory);
    conform_reach_put(r, IFN_OP_LINEAR, &(json_writer){.out = memory});
    assert_int_equal(fclose(memory), 0);
    return out;
}

static ifn_status read_back(const char *text, conform_reach *out, ifn_error *err)
{
    spec_doc doc;
    const char *const path = temp_path("reach.json");
    *out = (conform_reach){0};
    write_file(path, text, strlen(text));
    assert_ok(spec_doc_open(&doc, path, err), *err);
    const ifn_status status = conform_reach_read(&doc, spec_doc_root(&doc), IFN_OP_LINEAR, out);
    spec_doc_close(&doc);
    temp_clean();
    return status;
}

TEST(a_certificate_reads_back_as_it_was_written)
{
    const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};
    conform_reach r = {0}, back;
    ifn_error err = {0};
    reach_row *row = reach_row_of(&r.reached, (reach_key){IFN_DTYPE_Q4_K, 1, IFN_DTYPE_F32});
    for (int class = 0; class < REACH_LAST_OCTAVES; class += 3)
        row->at[class] = class;
    reach_row_of(&r.refused, (reach_key){IFN_DTYPE_F16, 0, IFN_DTYPE_F32})
        ->at[reach_class(REACH_OCTAVES, 2, 3)] = 7;
    reach_row_of(&r.needed, any)->at[reach_class(REACH_RELATIONS, 9, 0)] = 8;
    /* a dimension that the op lacks is not written */
    memset(&row->at[reach_class(REACH_OCTAVES, 6, 0)], 0, 2 * REACH_N_OCTAVES * sizeof *row->at);
    char *const text = text_of(&r);
    assert_non_null(strstr(text, "{\"dtype\": \"F16\", \"weights\": \"raw\", \"out\": \"F32\", "
                                 "\"octaves\": {\"k\": [0, 0, 0, 7]}}"));
    assert_non_null(strstr(text, "{\"dtype\": \"any\", \"weights\": \"any\", \"out\": \"any\", "
                                 "\"relations\": {\"R9\": [8]}}"));
    assert_ok(read_back(text, &back, &err), err);
    assert_int_equal(back.reached.n, 1);
    assert_memory_equal(back.reached.rows, r.reached.rows, sizeof *r.reached.rows);
    assert_memory_equal(back.refused.rows, r.refused.rows, sizeof *r.refused.rows);
    assert_memory_equal(back.needed.rows, r.needed.rows, sizeof *r.needed.rows);
    free(text);
    conform_reach_close(&r);
    conform_reach_close(&back);
}

TEST(what_a_later_version_counts_is_passed_over)
{
    conform_reach r;
    ifn_error err = {0};
    assert_ok(read_back("{reached: [{dtype: F32, weights: raw, out: F32, moods: {good: [1]}, "
                        "regimes: {T9/new: [3]}, octaves: {k: [0, 4]}}], later: 3}",
                        &r, &err),
              err);
    assert_int_equal(r.reached.n, 1);
    assert_int_equal(r.reached.rows[0].at[reach_class(REACH_OCTAVES, 2, 1)], 4);
    conform_reach_close(&r);
}

TEST(what_makes_no_sense_is_named)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"{reached: 3}", "expected a list"},
        {"{reached: [{dtype: F99}]}", "'F99' is no dtype"},
        {"{reached: [{weights: cooked}]}", "'cooked', expected raw, prepared or any"},
        {"{reached: [{octaves: {k: [-1]}}]}", "-1, expected 0 to"},
        {"{reached: [{relations: {R1: [1, 2]}}]}", "expected at most 1"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        conform_reach r;
        ifn_error err = {0};
        assert_int_equal(read_back(cases[i].text, &r, &err), IFN_ERR_FORMAT);
        assert_that(strstr(err.text, cases[i].why), "'%s' does not say '%s'", err.text,
                    cases[i].why);
        conform_reach_close(&r);
    }
}
