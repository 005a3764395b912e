/* `inferno conform level A.json ...`: computes ranks from the counts of reports. Fails if a report states another
 * rank. */
#ifndef CONFORM_LEVEL_COMMAND_H
#define CONFORM_LEVEL_COMMAND_H

#include "options.h"

/* Prints the ranks of all reports together. Returns 0, or 1 if a backend has no rank. */
int conform_level_main(const conform_options *options);

#endif
