/* Chooses the path of the file of cases for the bad call of a failed run, and removes its temporary folder if unused.
 * */
#ifndef CONFORM_E2E_FILE_H
#define CONFORM_E2E_FILE_H

#include <stdbool.h>

#include "first_bad.h"

typedef struct e2e_file {
    char path[FIRST_BAD_PATH_BYTES];   /* "": no file can be written */
    char folder[FIRST_BAD_PATH_BYTES]; /* new folder that holds it; "": the user gave the path */
} e2e_file;

/* Sets the path to `wanted` for the first file of a run, and to `wanted` with ".2", ".3", ... appended after n_before
 * earlier files. `wanted` NULL: a file in a new folder below $TMPDIR, or /tmp. */
void e2e_file_open(e2e_file *self, const char *wanted, int n_before);

/* Removes the new folder if no file was written, together with what a process that died may have left in it. */
void e2e_file_close(e2e_file *self, bool is_written);

#endif
