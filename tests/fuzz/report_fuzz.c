/*
 * Any bytes as a report of `inferno conform --json`. An accepted report can be counted, compared, merged, and written
 * in every form; written as JSON and read back, it is written the same again.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "run_report.h"

static void write_json(const void *what, FILE *out)
{
    conform_report_json(what, out);
}

static void write_html(const void *what, FILE *out)
{
    conform_report_html(what, out);
}

static void write_junit(const void *what, FILE *out)
{
    conform_report_junit(what, out);
}

static void write_tap(const void *what, FILE *out)
{
    conform_report_tap(what, out);
}

static void write_text(const void *what, FILE *out)
{
    conform_report_text(what, 1, out);
}

static int read_report(const void *data, size_t bytes, conform_report *out)
{
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_status status = conform_report_read(fuzz_file(data, bytes), out, &err);
    fuzz_expect_said(status, &err);
    return status == IFN_OK;
}

static void expect_json_again(const conform_report *r)
{
    size_t bytes, bytes_again;
    conform_report back;
    char *first = fuzz_written(write_json, r, &bytes);
    FUZZ_EXPECT(read_report(first, bytes, &back));
    char *again = fuzz_written(write_json, &back, &bytes_again);
    FUZZ_EXPECT(strcmp(first, again) == 0);
    free(first);
    free(again);
    conform_report_close(&back);
}

static void write_forms(const conform_report *r)
{
    void (*const forms[])(const void *what, FILE *out) = {write_html, write_junit, write_tap,
                                                          write_text};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t bytes;
        free(fuzz_written(forms[i], r, &bytes));
    }
}

static void merge_into_none(const conform_report *r)
{
    conform_report sum;
    conform_report_open(&sum, 0);
    FUZZ_EXPECT(conform_report_merge(&sum, r));
    conform_report_account(&sum);
    conform_report_compare(&sum, r);
    write_forms(&sum);
    conform_report_close(&sum);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    conform_report r;
    if (!read_report(data, bytes, &r))
        return 0;
    expect_json_again(&r);
    write_forms(&r);
    merge_into_none(&r);
    conform_report_close(&r);
    return 1;
}
