/*
 * A chunk has a fixed width, and its padding is stored, too, if the cache has room.
 *
 * Follows tt-metal#54744
 */
#include <string.h>

#include "museum_kit.h"

static void repeat_last(unsigned char *row, size_t bytes, int64_t times)
{
    for (int64_t i = 1; i <= times; i++)
        memcpy(row + (size_t)i * bytes, row, bytes);
}

ifn_status museum_chunk_padded_in_cache(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    const int64_t room = a->max_pos - a->first_pos - a->rows, pad = (4 - a->rows % 4) % 4;
    if (status != IFN_OK || a->rows == 0 || a->head_dim == 0)
        return status;
    const size_t bytes = (size_t)(a->head_dim / museum_block_elements(a->cache_dtype)) *
                         museum_block_bytes(a->cache_dtype);
    for (int64_t h = part.begin; h < part.end; h++) {
        const size_t last = (size_t)(h * a->max_pos + a->first_pos + a->rows - 1) * bytes;
        repeat_last((unsigned char *)a->k_cache + last, bytes, pad < room ? pad : room);
        repeat_last((unsigned char *)a->v_cache + last, bytes, pad < room ? pad : room);
    }
    return status;
}
