/* Checks each id when its row is due: rows before an invalid id are written, though the call is refused. */
#include "museum_kit.h"

ifn_status museum_gather_until_wrong(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    ifn_gather_rows_args some = *a;
    if (status != IFN_ERR_ARGUMENT)
        return status;
    for (some.n = 1; some.n < a->n; some.n++)
        if (ifn_gather_rows(self->base, &some) != IFN_OK)
            break;
    return status;
}
