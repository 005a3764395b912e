/* Bytes after the last whole word are not read back. */
#include "museum_kit.h"

ifn_status museum_readback_in_words(ifn_backend *self, const ifn_copy_out_args *a)
{
    ifn_copy_out_args words = *a;
    words.bytes = a->bytes / 4 * 4;
    return ifn_copy_out(self->base, &words);
}
