/* Where reports go, as the command line has it. */
#ifndef CONFORM_OUTPUTS_H
#define CONFORM_OUTPUTS_H

#include "option_values.h"
#include "run_report.h"

/* Two documents on one stream are none. */
IFN_NODISCARD ifn_status conform_outputs_check_streams(const conform_options *o, ifn_error *err);
/* What cannot be written is said before hours are spent on it. */
IFN_NODISCARD ifn_status conform_outputs_check(const conform_options *o, ifn_error *err);
/* Every report that was asked for; where none of them takes standard output, a text goes there. */
IFN_NODISCARD ifn_status conform_outputs_write(const conform_options *o, const conform_report *r,
                                               ifn_error *err);

/* Whether the path is "-". */
bool conform_output_is_stream(const char *path);

#endif
