/* Where the call after a failure is written: a file that is complete, or not there at all. */
#ifndef CONFORM_E2E_FILE_H
#define CONFORM_E2E_FILE_H

#include <stdbool.h>

#include "first_bad.h"

typedef struct e2e_file {
    char path[FIRST_BAD_PATH_BYTES];   /* "": there is no place for one */
    char folder[FIRST_BAD_PATH_BYTES]; /* made for it; "": the path was asked for */
} e2e_file;

/* `wanted`, where it is the first file of a run, and with ".2", ".3", ... after it where others
 * stand before it; NULL: one in a new folder below $TMPDIR, or /tmp. */
void e2e_file_open(e2e_file *self, const char *wanted, int n_before);

/* If no file was written the new folder goes, and with it what a process left that died in the
 * middle. */
void e2e_file_close(e2e_file *self, bool is_written);

#endif
