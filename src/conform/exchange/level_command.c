#include "level_command.h"

#include <string.h>

#include "complain.h"
#include "merge.h"
#include "messages.h"
#include "report_rank.h"

static ifn_status check_file(const char *path, ifn_error *err)
{
    conform_report one;
    ifn_status status = IFN_OK;
    IFN_TRY(conform_report_read(path, &one, err));
    for (int s = 0; s < one.n_tested && status == IFN_OK; s++) {
        const char *name = conform_rank_name(conform_standing_of(&one, s).rank);
        if (one.said[s][0] && strcmp(one.said[s], name) != 0)
            status = ifn_fail(err, IFN_ERR_FORMAT, "%s: %s: says %s, its counts say %s", path,
                              one.label[s], one.said[s], name);
    }
    conform_report_close(&one);
    return status;
}

static ifn_status read_all(conform_report *sum, int n, char **files, ifn_error *err)
{
    for (int i = 0; i < n; i++)
        IFN_TRY(check_file(files[i], err));
    return conform_merge_files(sum, n, files, err);
}

static int all_have_one(const conform_report *r)
{
    int n = 0;
    for (int s = 0; s < r->n_tested; s++)
        n += conform_standing_of(r, s).rank != RANK_NONE;
    return n > 0 && n == r->n_tested;
}

int conform_level_main(const conform_options *options)
{
    conform_report sum;
    ifn_error err = {0};
    int exit_status;
    conform_report_open(&sum, 0);
    if (read_all(&sum, options->n_words, options->words, &err) == IFN_OK) {
        conform_report_ranks(&sum, stdout);
        exit_status = all_have_one(&sum) ? EXIT_DONE : EXIT_NO;
    } else {
        exit_status = conform_complain("conform level", &err, 0);
    }
    conform_report_close(&sum);
    return exit_status;
}
