/* `inferno conform merge A.json B.json ... [--json F] [--html F]`: joins the reports of shards. */
#ifndef CONFORM_MERGE_H
#define CONFORM_MERGE_H

#include "options.h"
#include "run_report.h"

int conform_merge_main(const conform_options *options);

/* Adds the reports of the files to an open report, and adds problems for what is missing in the end. */
IFN_NODISCARD ifn_status conform_merge_files(conform_report *sum, int n, char **files,
                                             ifn_error *err);

#endif
