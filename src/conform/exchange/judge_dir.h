/* `inferno conform judge DIR`: judges outputs that a kernel has put next to the files of `conform export`. */
#ifndef CONFORM_JUDGE_DIR_H
#define CONFORM_JUDGE_DIR_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* Counts of all cases of the directory. */
typedef struct conform_judged {
    int64_t cases, not_run, failed;
    bool is_conformant; /* every case has run, and nothing failed */
} conform_judged;

/* Judges the directory options->words[0]; prints failures and the table. IFN_ERR_FORMAT: the directory is not as export
 * has written it; other errors: it cannot be read. */
IFN_NODISCARD ifn_status conform_judge_dir(const conform_options *options, conform_judged *out,
                                           ifn_error *err);
int conform_judge_dir_main(const conform_options *options);

#endif
