/* The merge adds up in the first block of its partials, though these are an input. */
#include "museum_kit.h"

ifn_status museum_merge_in_place(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (status == IFN_OK && a->phase == IFN_ATTENTION_MERGE && a->rows > 0 && a->n_heads > 0)
        a->partials[0] = 0;
    return status;
}
