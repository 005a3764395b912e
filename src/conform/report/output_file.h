/* Writes reports to files atomically: after a failure there is no half-written file. */
#ifndef CONFORM_OUTPUT_FILE_H
#define CONFORM_OUTPUT_FILE_H

#include "run_report.h"

typedef void (*conform_writer)(const void *what, FILE *out);
/* Collects in memory what `write` prints about `what`. The caller frees *out. */
IFN_NODISCARD ifn_status conform_collect(conform_writer write, const void *what, char **out,
                                         size_t *bytes, ifn_error *err);
/* Writes what `write` prints to a temporary file next to `path` and renames it to `path` once it is complete. "-" is
 * standard output. */
IFN_NODISCARD ifn_status conform_write_document(const char *path, conform_writer write,
                                                const void *what, ifn_error *err);
/* The same for a report. */
IFN_NODISCARD ifn_status conform_write_file(const char *path,
                                            void (*write)(const conform_report *r, FILE *out),
                                            const conform_report *r, ifn_error *err);

/* Checks that a result can be written to `path`, without changing the file. NULL, "-", devices and pipes pass
 * unchecked: opening them could already have an effect on a reader. Fails with IFN_ERR_ARGUMENT. */
IFN_NODISCARD ifn_status conform_check_output(const char *path, ifn_error *err);

#endif
