/* A buffer of more than a page is read back page by page, but each time from its first page. */
#include "museum_kit.h"

ifn_status museum_readback_first_page(ifn_backend *self, const ifn_copy_out_args *a)
{
    enum { PAGE = 4096 };
    ifn_copy_out_args page = *a;
    ifn_status status = IFN_OK;
    if (a->bytes <= PAGE)
        return ifn_copy_out(self->base, a);
    for (size_t at = 0; status == IFN_OK && at < a->bytes; at += PAGE) {
        page.host = (char *)a->host + at;
        page.bytes = a->bytes - at < PAGE ? a->bytes - at : PAGE;
        status = ifn_copy_out(self->base, &page);
    }
    return status;
}
