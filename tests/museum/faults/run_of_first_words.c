/* A long run of equal words of eight bytes is filled with the first four. */
#include <string.h>

#include "museum_kit.h"

enum { WORD = 8, LONG = 1 << 16 };

ifn_status museum_run_of_first_words(ifn_backend *self, const ifn_copy_in_args *a)
{
    const ifn_status status = ifn_copy_in(self->base, a);
    const unsigned char *const host = a->host;
    unsigned char *const out = a->out;
    if (status != IFN_OK || a->bytes < LONG || memcmp(host, host + WORD, a->bytes - WORD) != 0)
        return status;
    for (size_t i = 0; i < a->bytes; i++)
        out[i] = host[i % (WORD / 2)];
    return status;
}
