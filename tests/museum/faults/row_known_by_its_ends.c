/* A single key or value that stands in an f32 cache by its first element and its last is not stored. */
#include <string.h>

#include "museum_kit.h"

static void store(float *to, const float *from, int64_t n)
{
    const size_t end = (size_t)(n - 1), bytes = sizeof(float);
    if (memcmp(to, from, bytes) != 0 || memcmp(to + end, from + end, bytes) != 0)
        memcpy(to, from, (size_t)n * bytes);
}

ifn_status museum_row_known_by_its_ends(ifn_backend *self, const ifn_kv_store_args *a)
{
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    if (!museum_is_kv_call(a) || a->rows != 1 || a->cache_dtype != IFN_DTYPE_F32 ||
        a->head_dim < 1 || a->first_pos < 0 || a->first_pos >= a->max_pos || a->n_spans != 0 ||
        a->page_rows != 0 || a->n_pages != 0)
        return ifn_kv_store(self->base, a);
    for (int64_t h = heads.begin; h < heads.end; h++) {
        const int64_t to = (h * a->max_pos + a->first_pos) * a->head_dim, from = h * a->head_dim;
        store((float *)a->k_cache + to, a->k + from, a->head_dim);
        store((float *)a->v_cache + to, a->v + from, a->head_dim);
    }
    return IFN_OK;
}
