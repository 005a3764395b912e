/* `inferno conform level A.json ...`: the ranks of reports, from their counts. What a report says of
 * itself is checked, not believed. */
#ifndef CONFORM_LEVEL_COMMAND_H
#define CONFORM_LEVEL_COMMAND_H

#include "options.h"

/* Of the reports together. 0, or 1 where a backend has none. */
int conform_level_main(const conform_options *options);

#endif
