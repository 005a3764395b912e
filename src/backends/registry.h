/* The registry with its list as an argument, so that tests bring lists of their own. */
#ifndef IFN_REGISTRY_H
#define IFN_REGISTRY_H

#include <stddef.h>

#include <inferno/backend.h>

typedef struct ifn_registry {
    const ifn_backend_desc *const *descs;
    size_t n;
} ifn_registry;

/* ifn_backend_open and ifn_backend_open_desc on this list. */
IFN_NODISCARD ifn_status ifn_registry_open(const ifn_registry *registry, const char *expression,
                                           const ifn_backend_options *options, ifn_backend **out,
                                           ifn_error *err);
IFN_NODISCARD ifn_status ifn_registry_open_desc(const ifn_registry *registry,
                                                const ifn_backend_desc *desc,
                                                ifn_backend *base_or_inner,
                                                const char *text_options,
                                                const ifn_backend_options *options,
                                                ifn_backend **out, ifn_error *err);

#endif
