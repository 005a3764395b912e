#include "merge.h"

#include "complain.h"
#include "join.h"
#include "messages.h"
#include "outputs.h"

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

static ifn_status merge(conform_report *sum, const conform_options *o, bool *is_writing,
                        ifn_error *err)
{
    IFN_TRY(conform_outputs_check(o, err));
    IFN_TRY(conform_merge_files(sum, o->n_words, o->words, err));
    *is_writing = true;
    return conform_outputs_write(o, sum, err);
}

int conform_merge_main(const conform_options *options)
{
    conform_report sum;
    ifn_error err = {0};
    bool is_writing = false;
    conform_report_open(&sum, 0);
    const ifn_status status = merge(&sum, options, &is_writing, &err);
    const int conformant = conform_report_is_conformant(&sum);
    conform_report_close(&sum);
    if (status != IFN_OK)
        return conform_complain("conform merge", &err, is_writing);
    return conformant ? EXIT_DONE : EXIT_NO;
}
