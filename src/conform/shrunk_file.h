/* The smallest failing cases of a report as golden entries, each under its op's name. */
#ifndef CONFORM_SHRUNK_FILE_H
#define CONFORM_SHRUNK_FILE_H

#include "run_report.h"
#include "spec.h"

/* specs by op; an entry may be NULL. */
IFN_NODISCARD ifn_status conform_write_shrunk(const char *path, const conform_report *report,
                                              spec_op *const *specs, ifn_error *err);

#endif
