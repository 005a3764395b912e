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
    ifn_backend_desc desc;     /* a copy of this library's size, whatever size the original has */
    ifn_op_table table, entry; /* own_ops and ops of the backend */
    ifn_known known[IFN_OP_COUNT];
    bool falls_back;             /* calls that the leaf refuses run on its base */
    struct ifn_staging *staging; /* devices only; owned */
    _Atomic uint64_t refused;    /* why the last call that no backend ran was refused; 0: none */
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

/* The offset of `pages` in the arguments if the call sets it and the leaf does not declare pages; else 0. */
size_t ifn_node_pages_unknown(const ifn_backend *leaf, ifn_op op, const ifn_call *args);

/* Hands every call on to the inner backend unchanged: the initial table of a wrapper. */
extern const ifn_op_table ifn_pass_through;

#endif
