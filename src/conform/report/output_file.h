/* Reports into files: complete, or not there at all. */
#ifndef CONFORM_OUTPUT_FILE_H
#define CONFORM_OUTPUT_FILE_H

#include "run_report.h"

/* Has `write` write to a file beside `path`, which takes its name when complete; "-" is standard
 * output. */
typedef void (*conform_writer)(const void *what, FILE *out);
/* What it writes, in memory; the caller frees *out. */
IFN_NODISCARD ifn_status conform_collect(conform_writer write, const void *what, char **out,
                                         size_t *bytes, ifn_error *err);
IFN_NODISCARD ifn_status conform_write_document(const char *path, conform_writer write,
                                                const void *what, ifn_error *err);
/* conform_write_document for a report. */
IFN_NODISCARD ifn_status conform_write_file(const char *path,
                                            void (*write)(const conform_report *r, FILE *out),
                                            const conform_report *r, ifn_error *err);

/* Whether a result can be written to `path`, which stays as it is. NULL, "-", devices and pipes
 * pass: trying them may already tell somebody something. IFN_ERR_ARGUMENT. */
IFN_NODISCARD ifn_status conform_check_output(const char *path, ifn_error *err);

#endif
