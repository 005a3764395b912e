#include <string.h>

#include "bench.h"
#include "json.h"
#include "written.h"

/* Parses a report; malformed text ends the test. */
static void expect_json(const char *text)
{
    const char *end;
    json *value = json_parse(text, &end);
    assert_int_equal(value->type, JSON_OBJECT);
    assert_non_null(json_get(value, "cells"));
    assert_int_equal(end[strspn(end, " \n")], '\0');
    json_free(value);
}

TEST(the_document_is_json_and_has_what_the_schema_says)
{
    conform_report r = bench_measurement();
    conform_report_problem(&r, "tab\there");
    char *text = written(conform_report_json, &r);
    expect_json(text);
    static const char *const parts[] = {
        "\"inferno\": \"conform-report/1\"",
        "\"conformant\": false",
        "\"seed\": \"2a\"",
        "\"label\": \"./mine.so\"",
        "\"worst_ratio\": \"inf\"", /* JSON has no infinity */
        "\"faults\": {\"value\": 1}",
        "\"dtype\": \"F32\", \"weights\": \"raw\", \"executed\": 1, \"refused\": 1",
        "out[0,3]: \\\"<one>\\\" & only",
        "tab\\there",
    };
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(text, parts[i]), "%s is missing in\n%s", parts[i], text);
    free(text);
    conform_report_close(&r);
}

TEST(an_empty_report_is_json)
{
    conform_report r;
    conform_report_open(&r, 0);
    char *text = written(conform_report_json, &r);
    expect_json(text);
    free(text);
    conform_report_close(&r);
}
