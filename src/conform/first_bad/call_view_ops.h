/* The part of call_view.h that knows the argument structs of ops. */
#ifndef CONFORM_CALL_VIEW_OPS_H
#define CONFORM_CALL_VIEW_OPS_H

#include "call_case.h"

/* Fills in a view whose out->c.op is set. i, row: as in conform_call_view_row; row -1: all rows. */
const char *conform_view_of(const ifn_args *a, int i, int64_t row, call_view *out);

#endif
