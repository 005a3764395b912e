/*
 * Neighbours in pairs: a load takes as many cosines and sines as it has elements, twice as
 * many as pairs, and ends after the table.
 *
 * Follows aiter#3078
 */
#include "museum_kit.h"

ifn_status museum_rope_table_overread(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const ifn_status status = ifn_apply_rope(self->base, a);
    if (status == IFN_OK && a->pairing == IFN_ROPE_INTERLEAVED && a->rows > 0 && a->n_heads > 0)
        museum_read(a->table + a->rows * a->head_dim, (size_t)a->head_dim / 2 * sizeof *a->table);
    return status;
}
