/* A case as a golden entry, to be put under "golden:" of spec/ops/<op>.yaml. */
#ifndef CONFORM_GOLDEN_WRITE_H
#define CONFORM_GOLDEN_WRITE_H

#include <stdio.h>

#include "slot.h"

/* Inputs, and what the oracle says of the outputs. Returns 0, and writes a comment, where a tensor
 * has more values than an entry may hold. */
int conform_golden_write(const conform_slot *s, const char *name, FILE *out);

#endif
