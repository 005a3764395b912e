/* Writes reports to the files that the command line names. */
#ifndef CONFORM_OUTPUTS_H
#define CONFORM_OUTPUTS_H

#include "option_values.h"
#include "run_report.h"

/* Refuses two documents on standard output. */
IFN_NODISCARD ifn_status conform_outputs_check_streams(const conform_options *o, ifn_error *err);
/* Checks that all report files can be written, before a run that may take hours. */
IFN_NODISCARD ifn_status conform_outputs_check(const conform_options *o, ifn_error *err);
/* Writes every report that was asked for, and the text report to standard output unless another report goes there. */
IFN_NODISCARD ifn_status conform_outputs_write(const conform_options *o, const conform_report *r,
                                               ifn_error *err);

/* Returns true if the path is "-". */
bool conform_output_is_stream(const char *path);

#endif
