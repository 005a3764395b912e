/*
 * A plugin of ABI 2.0. It is built from the headers beside it, which are those of 2.0 and never
 * change, and neither does this file: whatever ABI 2 becomes, it runs.
 *
 * It has the ops whose arguments are likely to grow, in f32, and counts the calls that it is shown.
 */
#include <math.h>
#include <stddef.h>

#include <inferno/backend.h>
#include <inferno/signature.h>

#include "frozen.h"

int64_t frozen_calls[IFN_OP_COUNT];

typedef struct range {
    int64_t begin, end;
} range;

static range part(int64_t begin, int64_t end, int64_t n)
{
    const range all = {0, n}, some = {begin, end};
    return begin == 0 && end == 0 ? all : some;
}

static void count(ifn_op op)
{
    __atomic_fetch_add(&frozen_calls[op], 1, __ATOMIC_RELAXED);
}

static ifn_status add(ifn_backend *self, const ifn_add_args *a)
{
    (void)self;
    count(IFN_OP_ADD);
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    const range r = part(a->part_begin, a->part_end, a->n);
    for (int64_t i = r.begin; i < r.end; i++)
        a->out[i] = a->x[i] + a->y[i];
    return IFN_OK;
}

static void rotate(const float *x, const float *table, float *out, int64_t dim, int32_t pairing)
{
    const int64_t half = dim / 2;
    for (int64_t i = 0; i < half; i++) {
        const int64_t first = pairing == IFN_ROPE_INTERLEAVED ? 2 * i : i;
        const int64_t second = pairing == IFN_ROPE_INTERLEAVED ? 2 * i + 1 : i + half;
        const float x0 = x[first], x1 = x[second], c = table[i], s = table[half + i];
        out[first] = x0 * c - x1 * s;
        out[second] = x0 * s + x1 * c;
    }
}

static ifn_status apply_rope(ifn_backend *self, const ifn_apply_rope_args *a)
{
    (void)self;
    count(IFN_OP_APPLY_ROPE);
    if (a->rows < 0 || a->n_heads < 0 || a->head_dim < 0 || a->head_dim % 2 != 0 ||
        a->pairing < IFN_ROPE_HALF_SPLIT || a->pairing > IFN_ROPE_INTERLEAVED)
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0)
        return IFN_OK;
    const range rows = part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        for (int64_t h = 0; h < a->n_heads; h++) {
            const int64_t at = (r * a->n_heads + h) * a->head_dim;
            rotate(a->x + at, a->table + r * a->head_dim, a->out + at, a->head_dim, a->pairing);
        }
    return IFN_OK;
}

static int fits(ifn_dtype dtype, int64_t rows, int64_t first_pos, int64_t max_pos, int64_t dim)
{
    return rows >= 0 && first_pos >= 0 && dim >= 0 && max_pos >= 0 && rows <= max_pos &&
           first_pos <= max_pos - rows &&
           (dtype == IFN_DTYPE_F32 || dtype == IFN_DTYPE_F16 ||
            (dtype == IFN_DTYPE_Q8_0 && dim % 32 == 0));
}

static ifn_status kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    (void)self;
    count(IFN_OP_KV_STORE);
    if (a->n_kv_heads < 0 || !fits(a->cache_dtype, a->rows, a->first_pos, a->max_pos, a->head_dim))
        return IFN_ERR_SHAPE;
    if (a->cache_dtype != IFN_DTYPE_F32)
        return IFN_ERR_UNSUPPORTED;
    const range heads = part(a->part_begin, a->part_end, a->n_kv_heads);
    for (int64_t h = heads.begin; h < heads.end; h++)
        for (int64_t r = 0; r < a->rows; r++)
            for (int64_t i = 0; i < a->head_dim; i++) {
                const int64_t to = (h * a->max_pos + a->first_pos + r) * a->head_dim + i;
                const int64_t from = (r * a->n_kv_heads + h) * a->head_dim + i;
                ((float *)a->k_cache)[to] = a->k[from];
                ((float *)a->v_cache)[to] = a->v[from];
            }
    return IFN_OK;
}

static const float *key_of(const ifn_attention_args *a, const void *cache, int64_t head, int64_t t)
{
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    return (const float *)cache + (kv_head * a->max_pos + t) * a->head_dim;
}

static float score_of(const ifn_attention_args *a, const float *q, int64_t head, int64_t t)
{
    const float *const k = key_of(a, a->k_cache, head, t);
    float sum = 0.0f;
    for (int64_t i = 0; i < a->head_dim; i++)
        sum += q[i] * k[i];
    return a->scale * sum;
}

static float weight_of(float score, float max)
{
    return score == -INFINITY ? 0.0f : expf(score - max);
}

/* The keys of a block into the running maximum, sum and output of the blocks before. */
static void attend_block(const ifn_attention_args *a, const float *q, int64_t head, range keys,
                         float run[2], float *out)
{
    float scores[IFN_ATTENTION_BLOCK], max = -INFINITY, sum = 0.0f;
    for (int64_t t = keys.begin; t < keys.end; t++) {
        scores[t - keys.begin] = score_of(a, q, head, t);
        max = scores[t - keys.begin] > max ? scores[t - keys.begin] : max;
    }
    for (int64_t t = keys.begin; t < keys.end; t++) {
        scores[t - keys.begin] = weight_of(scores[t - keys.begin], max);
        sum += scores[t - keys.begin];
    }
    const float larger = max > run[0] ? max : run[0];
    const float keep = weight_of(run[0], larger), take = weight_of(max, larger);
    for (int64_t i = 0; i < a->head_dim; i++) {
        float acc = 0.0f;
        for (int64_t t = keys.begin; t < keys.end; t++)
            acc += scores[t - keys.begin] * key_of(a, a->v_cache, head, t)[i];
        out[i] = out[i] * keep + acc * take;
    }
    run[0] = larger;
    run[1] = run[1] * keep + sum * take;
}

static void attend(const ifn_attention_args *a, int64_t row, int64_t head)
{
    const int64_t at = (row * a->n_heads + head) * a->head_dim, n = a->first_pos + row + 1;
    float run[2] = {-INFINITY, 0.0f};
    float *const out = a->out + at;
    for (int64_t i = 0; i < a->head_dim; i++)
        out[i] = 0.0f;
    for (int64_t begin = 0; begin < n; begin += IFN_ATTENTION_BLOCK) {
        const range keys = {begin,
                            begin + IFN_ATTENTION_BLOCK < n ? begin + IFN_ATTENTION_BLOCK : n};
        attend_block(a, a->q + at, head, keys, run, out);
    }
    for (int64_t i = 0; i < a->head_dim; i++)
        out[i] /= run[1];
}

/* Where there is no `phase` yet, all calls are whole. */
#ifdef FROZEN_WITHOUT_PHASE
#define IS_WHOLE(a) 1
#else
#define IS_WHOLE(a) ((a)->phase == IFN_ATTENTION_WHOLE)
#endif

/* Phases are left to whoever it stands on. */
static ifn_status attention(ifn_backend *self, const ifn_attention_args *a)
{
    count(IFN_OP_ATTENTION);
    if (a->cache_dtype == IFN_DTYPE_F32 && !IS_WHOLE(a))
        return ifn_attention(self->base, a);
    if (a->n_heads < 0 || a->n_kv_heads < 0 ||
        (a->n_kv_heads == 0 ? a->n_heads > 0 : a->n_heads % a->n_kv_heads != 0) ||
        !fits(a->cache_dtype, a->rows, a->first_pos, a->max_pos, a->head_dim))
        return IFN_ERR_SHAPE;
    if (a->cache_dtype != IFN_DTYPE_F32)
        return IFN_ERR_UNSUPPORTED;
    if (a->head_dim == 0)
        return IFN_OK;
    const range heads = part(a->part_begin, a->part_end, a->n_heads);
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t head = heads.begin; head < heads.end; head++)
            attend(a, row, head);
    return IFN_OK;
}

static int unsupported(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    (void)out_dtype;
    return (op == IFN_OP_KV_STORE || op == IFN_OP_ATTENTION) && dtype != IFN_DTYPE_F32;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add;
    table->apply_rope = apply_rope;
    table->kv_store = kv_store;
    table->attention = attention;
}

/* What 2.0 has of each op, by name and offset: later hosts have it there, too. */
#define ROW(field)                           {#field, (uint32_t)offsetof(args, field)},
#define EXTENT(field, least)                 ROW(field)
#define EVEN(field)                          ROW(field)
#define BYTES(field)                         ROW(field)
#define INTEGER(field, least, most)          ROW(field)
#define PLACE(field)                         ROW(field)
#define REAL(field, least)                   ROW(field)
#define DTYPE(field, set)                    ROW(field)
#define STRIDES(field, count)                ROW(field)
#define IN(field, element, ...)              ROW(field)
#define IN_OPT(field, element, ...)          ROW(field)
#define OUT(field, element, equal, ...)      ROW(field)
#define OUT_OPT(field, element, equal, ...)  ROW(field)
#define INOUT(field, element, ...)           ROW(field)
#define HOST(field, element, ...)            ROW(field)
#define HOST_OUT(field, element, equal, ...) ROW(field)
#define BETWEEN(field, element)              ROW(field)
#define MANY_OUT(field, element, ...)        ROW(field)
#define MANY_IN_OPT(field, element, ...)     ROW(field)
#define WEIGHT(field, count)                 ROW(field)
#define PACKED(field, count)                 ROW(field)

#define X(NAME, name, cut, cut2, doc)                                                              \
    static const frozen_argument *arguments_of_##name(void)                                        \
    {                                                                                              \
        typedef ifn_##name##_args args;                                                            \
        static const frozen_argument all[] = {IFN_SIGNATURE_##name{NULL, 0}};                      \
        return all;                                                                                \
    }
IFN_OPS(X)
#undef X

const frozen_argument *frozen_arguments(ifn_op op)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return arguments_of_##name();
        IFN_OPS(X)
#undef X
    default:
        return NULL;
    }
}

static const ifn_manifest manifest = {.manifest_bytes = sizeof(ifn_manifest),
                                      .unsupported = unsupported};

IFN_BACKEND_ENTRY(.name = "frozen", .summary = "a plugin of ABI 2.0", .manifest = &manifest,
                  .fill = fill)
