/* Reports into files: complete, or not there at all. */
#ifndef CONFORM_OUTPUT_FILE_H
#define CONFORM_OUTPUT_FILE_H

#include "run_report.h"

/* Has `write` write to a file beside `path`, which takes its name when complete; "-" is standard
 * output. */
IFN_NODISCARD ifn_status conform_write_file(const char *path,
                                            void (*write)(const conform_report *r, FILE *out),
                                            const conform_report *r, ifn_error *err);

#endif
