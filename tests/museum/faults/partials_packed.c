/*
 * The address of a row's partials is computed from the last block of this part, not of the whole call.
 *
 * Follows flash-attention#2388
 */
#include <string.h>

#include "museum_kit.h"

/* Moves the partials of a part of the blocks to where they would be in a call of only blocks.end blocks. */
static void pack(const ifn_attention_args *a, int64_t all, museum_range blocks, museum_range heads)
{
    const int64_t n = 2 + a->head_dim, some = blocks.end;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++)
            for (int64_t b = blocks.begin; b < blocks.end; b++)
                memmove(a->partials + ((r * a->n_heads + h) * some + b) * n,
                        a->partials + ((r * a->n_heads + h) * all + b) * n,
                        (size_t)n * sizeof(float));
}

ifn_status museum_partials_packed(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const int64_t all = (a->first_pos + a->rows + IFN_ATTENTION_BLOCK - 1) / IFN_ATTENTION_BLOCK;
    const museum_range blocks = museum_part(a->part2_begin, a->part2_end, all);
    if (status == IFN_OK && a->phase == IFN_ATTENTION_PARTIALS && blocks.end < all)
        pack(a, all, blocks, museum_part(a->part_begin, a->part_end, a->n_heads));
    return status;
}
