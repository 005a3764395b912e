/* Bytes after the last whole word are not copied. */
#include "museum_kit.h"

ifn_status museum_bytes_in_words(ifn_backend *self, const ifn_copy_in_args *a)
{
    ifn_copy_in_args words = *a;
    words.bytes = a->bytes / 4 * 4;
    return ifn_copy_in(self->base, &words);
}
