/* Members of argument structs that are no dimension of a case and no tensor, by name. */
#ifndef CONFORM_ARG_FIELDS_H
#define CONFORM_ARG_FIELDS_H

#include <inferno/ops.h>

/* Sets the scalar `name` of a call. Returns 1, or 0 where the op has none of that name. */
int conform_set_field(ifn_op op, ifn_args *args, const char *name, double value);

int conform_has_field(ifn_op op, const char *name);

#endif
