/* The handshake: checks a descriptor, perhaps an older one, and makes it one of this library's size. */
#ifndef IFN_DESCRIPTOR_H
#define IFN_DESCRIPTOR_H

#include <inferno/backend.h>

static inline int ifn_desc_is_wrapper(const ifn_backend_desc *desc)
{
    return (desc->flags & IFN_BACKEND_WRAPPER) != 0;
}

static inline int ifn_desc_is_device(const ifn_backend_desc *desc)
{
    return (desc->flags & IFN_BACKEND_DEVICE) != 0;
}

/*
 * Copies `given` to *out; callbacks newer than `given` become NULL. Refuses, with the reason, a
 * descriptor that this library cannot run. `label` names it in messages until its own name is known
 * to be readable.
 */
IFN_NODISCARD ifn_status ifn_desc_accept(const ifn_backend_desc *given, const char *label,
                                         ifn_backend_desc *out, ifn_error *err);

#endif
