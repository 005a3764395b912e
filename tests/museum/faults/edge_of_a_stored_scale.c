/* In a Q8_0 cache the largest scale that f16 rounds to 0 keeps its codes, which should be 0. */
#include <math.h>

#include "museum_kit.h"

static void edit(ifn_block_q8_0 *b, const float *x)
{
    const float d = museum_largest(x) / 127.0f;
    for (int i = 0; d == 0x1p-25f && i < 32; i++)
        b->qs[i] = (int8_t)roundf(x[i] * 0x1p25f);
}

ifn_status museum_edge_of_a_stored_scale(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    const int64_t blocks = a->head_dim / 32;
    if (status != IFN_OK || a->cache_dtype != IFN_DTYPE_Q8_0 || a->n_spans != 0 ||
        a->page_rows != 0)
        return status;
    for (int64_t h = heads.begin; h < heads.end; h++)
        for (int64_t i = 0; i < a->rows * blocks; i++) {
            const int64_t to = (h * a->max_pos + a->first_pos) * blocks + i;
            const int64_t from = (i / blocks * a->n_kv_heads + h) * a->head_dim + i % blocks * 32;
            edit((ifn_block_q8_0 *)a->k_cache + to, a->k + from);
            edit((ifn_block_q8_0 *)a->v_cache + to, a->v + from);
        }
    return status;
}
