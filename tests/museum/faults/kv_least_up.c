/* Half of the smallest f16 number is stored as that number, not as zero, to which ties to even round it. */
#include "museum_kit.h"

#include <math.h>

static void round_up(uint16_t *half, float x)
{
    if (fabsf(x) == 0x1p-25f)
        *half |= 1;
}

ifn_status museum_kv_least_up(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    if (status != IFN_OK || a->cache_dtype != IFN_DTYPE_F16)
        return status;
    for (int64_t h = heads.begin; h < heads.end; h++)
        for (int64_t i = 0; i < a->rows * a->head_dim; i++) {
            const int64_t row = i / a->head_dim, col = i % a->head_dim;
            const int64_t from = (row * a->n_kv_heads + h) * a->head_dim + col;
            const int64_t to = (h * a->max_pos + a->first_pos) * a->head_dim + i;
            round_up((uint16_t *)a->k_cache + to, a->k[from]);
            round_up((uint16_t *)a->v_cache + to, a->v[from]);
        }
    return status;
}
