/* All op specs of the source tree, for a group of tests. */
#ifndef CONFORM_ALL_SPECS_H
#define CONFORM_ALL_SPECS_H

#include "spec.h"

extern spec_op *specs[IFN_OP_COUNT];

/* The group's setup and teardown. */
int open_specs(void **state);
int close_specs(void **state);

#endif
