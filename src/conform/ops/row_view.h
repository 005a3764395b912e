/*
 * Finds the independent rows of a call from its arguments alone. Any of these rows may be computed by a call of
 * their own, in any order (numerics 12, R2 and R8).
 */
#ifndef CONFORM_ROW_VIEW_H
#define CONFORM_ROW_VIEW_H

#include <stdbool.h>

#include <inferno/ops.h>

enum { ROW_VIEW_FIELDS = 1 + IFN_LINEAR_MAX };

/* A pointer of the argument struct that advances from row to row. */
typedef struct row_field {
    size_t at;            /* its offset in the struct */
    size_t bytes, stride; /* of a row, and from row to row */
    bool is_out;
} row_field;

typedef struct row_view {
    int64_t n;    /* rows, or elements of an op that has no rows; 0: the op has neither */
    size_t count; /* the offset of their number in the struct */
    int n_fields; /* pointers that are NULL are left out */
    row_field fields[ROW_VIEW_FIELDS];
} row_view;

row_view conform_row_view(ifn_op op, const ifn_args *args);
/* True if the op has independent rows. */
bool conform_row_view_is_known(ifn_op op);

/* Get and set the pointer of a field. */
void *conform_row_field(const ifn_args *args, const row_field *field);
void conform_row_field_set(ifn_args *args, const row_field *field, const void *data);

/* Restricts the call that the view was made from to rows [begin, begin + n). */
void conform_row_view_take(const row_view *view, ifn_args *args, int64_t begin, int64_t n);

#endif
