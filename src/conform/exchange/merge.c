#include "merge.h"

#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "join.h"
#include "messages.h"
#include "output_file.h"
#include "run_report.h"

static ifn_status add_file(conform_join *join, const char *path, ifn_error *err)
{
    conform_report one;
    IFN_TRY(conform_report_read(path, &one, err));
    const ifn_status status = conform_join_add(join, path, &one, err);
    conform_report_close(&one);
    return status;
}

ifn_status conform_merge_files(conform_report *sum, int n, char **files, ifn_error *err)
{
    conform_join join = {.sum = sum};
    ifn_status status = IFN_OK;
    for (int i = 0; i < n && status == IFN_OK; i++)
        status = add_file(&join, files[i], err);
    if (status == IFN_OK)
        conform_join_finish(&join);
    conform_join_close(&join);
    return status;
}

typedef struct outputs {
    const char *json, *html, *junit;
    const char *format; /* text, tap or github; NULL: text */
} outputs;

/* "--json F", "--html F", "--junit F", "--format NAME" and "--tap" at the end. Returns how many files stand before
 * them. */
static int take_outputs(outputs *out, int n, char **words)
{
    for (;;) {
        const char *const option = n >= 2 ? words[n - 2] : "";
        const char **const path = strcmp(option, "--json") == 0     ? &out->json
                                  : strcmp(option, "--html") == 0   ? &out->html
                                  : strcmp(option, "--junit") == 0  ? &out->junit
                                  : strcmp(option, "--format") == 0 ? &out->format
                                                                    : NULL;
        if (path)
            *path = words[n - 1];
        else if (n >= 1 && strcmp(words[n - 1], "--tap") == 0)
            out->format = "tap";
        else
            return n;
        n -= path ? 2 : 1;
    }
}

static int is_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int is_format(const outputs *o, const char *name)
{
    return strcmp(o->format ? o->format : "text", name) == 0;
}

static int count_streams(const outputs *o)
{
    return is_stream(o->json) + is_stream(o->html) + is_stream(o->junit) + !is_format(o, "text");
}

static ifn_status check_words(int n, char **words, const outputs *o, ifn_error *err)
{
    for (int i = 0; i < n; i++)
        if (strncmp(words[i], "--", 2) == 0)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "found '%.60s', expected --json F, --html F, --junit F, --format NAME "
                            "or --tap after the reports",
                            words[i]);
    if (n < 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "found no report, expected A.json B.json ... [--json F] [--html F] "
                        "[--junit F] [--format NAME]");
    if (!is_format(o, "text") && !is_format(o, "tap") && !is_format(o, "github"))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--format: found '%.60s', expected text, tap or github", o->format);
    if (count_streams(o) > 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "%d reports go to standard output, expected one of them", count_streams(o));
    IFN_TRY(conform_check_output(o->json, err));
    IFN_TRY(conform_check_output(o->html, err));
    return conform_check_output(o->junit, err);
}

static ifn_status write_reports(const conform_report *sum, const outputs *o, ifn_error *err)
{
    if (o->json)
        IFN_TRY(conform_write_file(o->json, conform_report_json, sum, err));
    if (o->html)
        IFN_TRY(conform_write_file(o->html, conform_report_html, sum, err));
    if (o->junit)
        IFN_TRY(conform_write_file(o->junit, conform_report_junit, sum, err));
    if (is_format(o, "tap"))
        conform_report_tap(sum, stdout);
    else if (is_format(o, "github"))
        conform_report_github(sum, stdout);
    else if (count_streams(o) == 0)
        (isatty(STDOUT_FILENO) ? conform_report_terminal : conform_report_text)(sum, 0, stdout);
    return IFN_OK;
}

static ifn_status merge(conform_report *sum, int n, char **words, int *is_writing, ifn_error *err)
{
    outputs o = {.format = NULL};
    n = take_outputs(&o, n, words);
    IFN_TRY(check_words(n, words, &o, err));
    IFN_TRY(conform_merge_files(sum, n, words, err));
    *is_writing = 1;
    return write_reports(sum, &o, err);
}

int conform_merge_main(int argc, char **argv)
{
    conform_report sum;
    ifn_error err = {0};
    int is_writing = 0;
    conform_report_open(&sum, 0);
    const ifn_status status = merge(&sum, argc - 1, argv + 1, &is_writing, &err);
    const int conformant = conform_report_is_conformant(&sum);
    conform_report_close(&sum);
    if (status != IFN_OK)
        return conform_complain("conform merge", &err, is_writing);
    return conformant ? EXIT_DONE : EXIT_NO;
}
