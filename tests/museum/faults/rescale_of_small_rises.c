/*
 * If the maximum of a block of keys exceeds the previous maximum by less than 2^-10, the sums so far are not
 * rescaled.
 */
#include <math.h>

#include "museum_kit.h"

enum { DIM = 576 };

/* One query over F32 keys side by side: what has been added up, in f64. */
typedef struct online {
    double most, sum, out[DIM];
    int is_wrong; /* a rise was taken for nothing */
} online;

static double score(const ifn_attention_args *a, const float *q, const float *key)
{
    double sum = 0;
    for (int64_t i = 0; i < a->head_dim; i++)
        sum += (double)q[i] * (double)key[i];
    return sum * (double)a->scale;
}

static void rise_to(online *o, const ifn_attention_args *a, double most)
{
    const double rise = most - o->most;
    const double factor = rise < 0x1p-10 ? 1 : exp(-rise);
    o->is_wrong |= rise > 0 && rise < 0x1p-10;
    o->most = most > o->most ? most : o->most;
    o->sum *= factor;
    for (int64_t i = 0; i < a->head_dim; i++)
        o->out[i] *= factor;
}

static void add_block(online *o, const ifn_attention_args *a, const float *q, const float *k,
                      const float *v, int64_t n)
{
    double most = -INFINITY;
    for (int64_t t = 0; t < n; t++)
        most = fmax(most, score(a, q, k + t * a->head_dim));
    rise_to(o, a, most);
    for (int64_t t = 0; t < n; t++) {
        const double weight = exp(score(a, q, k + t * a->head_dim) - o->most);
        o->sum += weight;
        for (int64_t i = 0; i < a->head_dim; i++)
            o->out[i] += weight * (double)v[t * a->head_dim + i];
    }
}

static void attend(const ifn_attention_args *a, int64_t row, int64_t head)
{
    const int64_t keys = a->first_pos + row + 1, query = row * a->n_heads + head;
    const int64_t first = head / (a->n_heads / a->n_kv_heads) * a->max_pos * a->head_dim;
    const float *const k = (const float *)a->k_cache + first, *const v =
                                                                  (const float *)a->v_cache + first;
    online o = {.most = -INFINITY};
    for (int64_t t = 0; t < keys; t += IFN_ATTENTION_BLOCK) {
        const int64_t n = keys - t < IFN_ATTENTION_BLOCK ? keys - t : IFN_ATTENTION_BLOCK;
        add_block(&o, a, a->q + query * a->head_dim, k + t * a->head_dim, v + t * a->head_dim, n);
    }
    for (int64_t i = 0; o.is_wrong && i < a->head_dim; i++)
        a->out[query * a->head_dim + i] = (float)(o.out[i] / o.sum);
}

ifn_status museum_rescale_of_small_rises(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->n_spans > 0 || a->page_rows > 0 ||
        a->cache_dtype != IFN_DTYPE_F32 || a->head_dim > DIM)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++)
            attend(a, r, h);
    return status;
}
