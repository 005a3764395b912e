#include "merge.h"

#include <string.h>

#include "complain.h"
#include "output_file.h"
#include "report.h"
#include "run_report.h"

static ifn_status add_file(conform_report *sum, const char *path, ifn_error *err)
{
    conform_report one;
    IFN_TRY(conform_report_read(path, &one, err));
    const int fits = conform_report_merge(sum, &one);
    if (!sum->profile[0]) {
        memcpy(sum->profile, one.profile, sizeof sum->profile);
        sum->seed = one.seed;
    }
    conform_report_close(&one);
    if (!fits)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s: more than %d backends together", path,
                        CONFORM_MAX_SUBJECTS);
    return IFN_OK;
}

ifn_status conform_merge_files(conform_report *sum, int n, char **files, ifn_error *err)
{
    for (int i = 0; i < n; i++)
        IFN_TRY(add_file(sum, files[i], err));
    snprintf(sum->shard, sizeof sum->shard, "merged");
    conform_report_account(sum);
    return IFN_OK;
}

typedef struct outputs {
    const char *json, *html;
} outputs;

/* "--json F" and "--html F" at the end. Returns how many files stand before them. */
static int take_outputs(outputs *out, int n, char **words)
{
    while (n >= 2 && strncmp(words[n - 2], "--", 2) == 0) {
        if (strcmp(words[n - 2], "--json") == 0)
            out->json = words[n - 1];
        else if (strcmp(words[n - 2], "--html") == 0)
            out->html = words[n - 1];
        else
            break;
        n -= 2;
    }
    return n;
}

static int is_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static ifn_status check_words(int n, char **words, const outputs *o, ifn_error *err)
{
    for (int i = 0; i < n; i++)
        if (strncmp(words[i], "--", 2) == 0)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "found '%.60s', expected --json F or --html F "
                            "behind the reports",
                            words[i]);
    if (n < 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "found no report, expected A.json B.json ... [--json F] [--html F]");
    if (is_stream(o->json) && is_stream(o->html))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--json and --html: both go to standard output, expected one of them");
    return IFN_OK;
}

static ifn_status merge(conform_report *sum, int n, char **words, int *is_writing, ifn_error *err)
{
    outputs o = {NULL, NULL};
    n = take_outputs(&o, n, words);
    IFN_TRY(check_words(n, words, &o, err));
    IFN_TRY(conform_merge_files(sum, n, words, err));
    *is_writing = 1;
    if (o.json)
        IFN_TRY(conform_write_file(o.json, conform_report_json, sum, err));
    if (o.html)
        IFN_TRY(conform_write_file(o.html, conform_report_html, sum, err));
    if (!is_stream(o.json) && !is_stream(o.html))
        conform_report_text(sum, 0, stdout);
    return IFN_OK;
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
