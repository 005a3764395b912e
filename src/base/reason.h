/* Errors of callbacks that may have failed without giving a reason. */
#ifndef IFN_REASON_H
#define IFN_REASON_H

#include <inferno/status.h>

/* Returns the status of a callback of the backend `name` and copies its reason to *err: `own`, which was
 * all zero before the callback could fill it in. If `own` has no text or another status, the reason is
 * that `what` failed. */
static inline ifn_status ifn_with_reason(ifn_status status, const ifn_error *own, const char *name,
                                         const char *what, ifn_error *err)
{
    if (status != IFN_OK && (own->status != status || !*own->text))
        return ifn_fail(err, status, "backend '%s': %s failed (%s) and gives no reason", name, what,
                        ifn_status_name(status));
    if (status != IFN_OK && err)
        *err = *own;
    return status;
}

#endif
