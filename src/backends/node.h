/* One backend of an open chain. */
#ifndef IFN_NODE_H
#define IFN_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include <inferno/backend.h>

#include "op_growth.h"

struct ifn_staging;

typedef struct node {
    ifn_backend backend;       /* first: a backend is a pointer to its node */
    ifn_backend_desc desc;     /* this library's size, whatever the original's */
    ifn_op_table table, entry; /* own_ops and ops of the backend */
    ifn_known known[IFN_OP_COUNT];
    bool falls_back;             /* what the leaf refuses its base does */
    struct ifn_staging *staging; /* devices only; owned */
    _Atomic uint64_t refused;    /* what was wrong with the last call that went nowhere; 0: none */
    ifn_backend_env env;
    void *library; /* the plugin this came from, or NULL */
    bool owns_below, keeps_refusals;
    size_t bytes; /* of this allocation */
    char *expression;
    char texts[]; /* expression, options */
} node;

static inline const node *node_of(const ifn_backend *self)
{
    return (const node *)self;
}

/* The backend that this one wraps or stands on; NULL: none. */
static inline ifn_backend *node_below(const ifn_backend *self)
{
    return self->inner ? self->inner : self->base;
}

/* Where a call in pages sets what a leaf that does not declare them is not given; 0: nowhere. */
size_t ifn_node_pages_unknown(const ifn_backend *leaf, ifn_op op, const ifn_call *args);

/* Hands every call on to the inner backend as it came: what the table of a wrapper starts as. */
extern const ifn_op_table ifn_pass_through;

#endif
