/*
 * The rows of a call that have nothing to do with each other, from its arguments alone: any of them
 * may be called for by themselves, in any order (numerics 12, R2 and R8).
 */
#ifndef CONFORM_ROW_VIEW_H
#define CONFORM_ROW_VIEW_H

#include <stdbool.h>

#include <inferno/ops.h>

enum { ROW_VIEW_FIELDS = 1 + IFN_LINEAR_MAX };

/* A pointer of the argument struct that goes from row to row. */
typedef struct row_field {
    size_t at;            /* where it stands in the struct */
    size_t bytes, stride; /* of a row, and from row to row */
    bool is_out;
} row_field;

typedef struct row_view {
    int64_t n;    /* rows, or elements of an op that has no rows; 0: the op has no such thing */
    size_t count; /* where their number stands in the struct */
    int n_fields; /* those that are NULL are left out */
    row_field fields[ROW_VIEW_FIELDS];
} row_view;

row_view conform_row_view(ifn_op op, const ifn_args *args);
/* Whether rows of the op, where there are any, have nothing to do with each other. */
bool conform_row_view_is_known(ifn_op op);

/* The pointer of a field, and setting it. */
void *conform_row_field(const ifn_args *args, const row_field *field);
void conform_row_field_set(ifn_args *args, const row_field *field, const void *data);

/* Makes of a call, whose view this is, the same call of rows [begin, begin + n) alone. */
void conform_row_view_take(const row_view *view, ifn_args *args, int64_t begin, int64_t n);

#endif
