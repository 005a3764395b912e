/*
 * What a call of a device has in host memory beside its arguments: ifn_tensor structs of weights, spans and pages. When
 * the call has returned the device has read them, and a caller may use their memory for something else.
 */
#ifndef CONFORM_HOST_LISTS_H
#define CONFORM_HOST_LISTS_H

#include <inferno/signature.h>

#include "judge_run.h"

typedef struct host_lists {
    ifn_tensor w[IFN_LINEAR_MAX]; /* copies that the call gets; not of their data */
    int n_w;
    ifn_span *spans; /* a copy that the call gets, or NULL */
    int64_t n_spans;
    int32_t *pages, *kept; /* the table itself and a copy of it, or NULL */
    int64_t n_pages;       /* entries that the call may read */
} host_lists;

/* How many pointers the argument of a call has: n_w if it is one of the weights. */
int host_lists_count(ifn_op op, const ifn_op_arg *a, const ifn_call *args);

/* Points the call to copies of its tensor structs and of its list of spans. */
void host_lists_show(judge_run *r, ifn_op op, ifn_args *args, host_lists *self);
/* Overwrites all of them when the call has returned. */
void host_lists_spoil(host_lists *self);
/* Gives the table of pages its entries back when the call has run. */
void host_lists_mend(const host_lists *self);

#endif
