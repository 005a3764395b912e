/* Turns the status of a failed op into an error that names the op and its place in the model. */
#include "context_priv.h"

#include <stdbool.h>

ifn_status ifn_context_ran(ifn_context *self, const char *op, ifn_status status)
{
    ifn_error why;
    if (status == IFN_OK)
        return IFN_OK;
    const bool is_known = ifn_backend_explain(self->backend, &why);
    const ifn_call here = {.layer = self->layer, .point = self->point};
    char place[40];
    ifn_call_place(&here, place, sizeof place);
    return ifn_fail(self->err, status, "op %s%s%s on backend %s: %s", op, place[0] ? " at " : "",
                    place, self->backend->desc->name,
                    is_known ? why.text : ifn_status_text(status));
}
