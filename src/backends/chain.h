/* Opens a chain of backends: takes stages, which the registry chooses, and makes nodes of them. */
#ifndef IFN_CHAIN_H
#define IFN_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include <inferno/backend.h>

/* One backend of a chain, before it is opened. */
typedef struct ifn_stage {
    ifn_backend_desc desc; /* from ifn_desc_accept */
    const char *options;   /* borrowed during the call; never NULL */
    const char *path;      /* of a plugin: what the expression calls it; NULL: desc.name */
    void *library;         /* of a plugin; NULL once the opened node owns it */
    bool keeps_refusals;   /* ifn_backend_options */
    bool implied;          /* a base that the expression does not name, and will not show */
    int32_t n_lanes;       /* set by ifn_chain_open, like n_parts */
    int32_t n_parts;       /* a wrapper's answer to `lanes`; 0: was not asked */
} ifn_stage;

/* Makes the environment of the outermost stage from a program's options, and whether refusals are
 * kept. */
IFN_NODISCARD ifn_status ifn_env_from_options(const ifn_backend_options *options,
                                              ifn_backend_env *out, bool *keeps_refusals,
                                              ifn_error *err);

/* 1 if the descriptor, already accepted, can run here. */
int ifn_desc_is_usable(const ifn_backend_desc *desc, const ifn_backend_env *env);

/*
 * Opens the stages, outermost first in the array, on `below`: an open backend that the last stage
 * borrows as its base or inner, or NULL. Refuses stacks that make no sense.
 */
IFN_NODISCARD ifn_status ifn_chain_open(ifn_stage *stages, size_t n, ifn_backend *below,
                                        const ifn_backend_env *env, ifn_backend **out,
                                        ifn_error *err);

#endif
