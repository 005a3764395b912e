/* `inferno conform judge DIR`: judges the outputs put beside what `conform export` has written. */
#ifndef CONFORM_JUDGE_DIR_H
#define CONFORM_JUDGE_DIR_H

#include <stdint.h>

#include <inferno/status.h>

/* Of all cases of the directory. */
typedef struct conform_judged {
    int64_t cases, not_run, failed;
    int is_conformant; /* every case has run, and nothing failed */
} conform_judged;

/* Takes the words of the command line from "judge" on; prints failures and the table.
 * IFN_ERR_FORMAT: the directory is not what export has written; other errors: it cannot be read, or
 * the words are no command line. */
IFN_NODISCARD ifn_status conform_judge_dir(int argc, char **argv, conform_judged *out,
                                           ifn_error *err);
int conform_judge_dir_main(int argc, char **argv);

#endif
