/* `inferno conform`: plans the cases of each op, runs them, reports. */
#ifndef CONFORM_OPS_COMMAND_H
#define CONFORM_OPS_COMMAND_H

#include "options.h"

/* Returns the exit status. */
int conform_ops_main(const conform_options *options);

#endif
