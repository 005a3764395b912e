#include "merge.h"

#include <string.h>

#include "output_file.h"
#include "run_report.h"

static int complain(const char *text)
{
    fprintf(stderr, "inferno: conform merge: %s\n", text);
    return 2;
}

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

static ifn_status merge_files(conform_report *sum, int n, char **files, const char *json,
                              ifn_error *err)
{
    for (int i = 0; i < n; i++)
        IFN_TRY(add_file(sum, files[i], err));
    snprintf(sum->shard, sizeof sum->shard, "merged");
    if (json)
        IFN_TRY(conform_write_file(json, conform_report_json, sum, err));
    if (!json || strcmp(json, "-") != 0)
        conform_report_text(sum, 0, stdout);
    return IFN_OK;
}

int conform_merge_main(int argc, char **argv)
{
    const char *json = NULL;
    conform_report sum;
    ifn_error err = {0};
    int n = argc - 1;
    if (n >= 2 && strcmp(argv[n - 1], "--json") == 0) {
        json = argv[n];
        n -= 2;
    }
    if (n < 1)
        return complain("found no report, expected A.json B.json ... [--json F]");
    conform_report_open(&sum, 0);
    const ifn_status status = merge_files(&sum, n, argv + 1, json, &err);
    const int conformant = conform_report_is_conformant(&sum);
    conform_report_close(&sum);
    if (status != IFN_OK)
        return complain(err.text);
    return conformant ? 0 : 1;
}
