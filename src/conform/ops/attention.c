/* attention: causal, grouped-query, over the cache; in one call or in its two phases */
#include <math.h>
#include <string.h>

#include "attention_cache.h"
#include "attention_dims.h"
#include "attention_graded.h"
#include "attention_needle.h"
#include "attention_stagnant.h"
#include "gen.h"
#include "halves.h"

static int64_t n_heads(const conform_case *c)
{
    return c->dim[ATTENTION_N_KV_HEADS] * c->dim[ATTENTION_GROUP];
}

static void add_cache(conform_layout *l, const char *name, const conform_case *c)
{
    const int64_t rows = c->dim[ATTENTION_N_KV_HEADS] * conform_attention_max_pos(c);
    conform_add_blocks(l, name, ROLE_IN, c->dtype, rows, c->dim[ATTENTION_HEAD_DIM]);
    l->t[l->n - 1].masked = 1;
}

static void add_partials(conform_layout *l, const conform_case *c)
{
    const int64_t keys = c->dim[ATTENTION_FIRST_POS] + c->dim[ATTENTION_ROWS];
    const int64_t blocks = (keys + IFN_ATTENTION_BLOCK - 1) / IFN_ATTENTION_BLOCK;
    if (c->dim[ATTENTION_CUT_KEYS])
        conform_add_f32(l, "partials", ROLE_BETWEEN, c->dim[ATTENTION_ROWS] * n_heads(c) * blocks,
                        2 + c->dim[ATTENTION_HEAD_DIM]);
    else
        conform_add_absent(l, "partials");
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM];
    if (!conform_is_cache_dtype(c->dtype) || head_dim % ifn_dtype_block_elements(c->dtype) != 0)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "q", ROLE_IN, c->dim[ATTENTION_ROWS] * n_heads(c), head_dim);
    add_cache(out, "k_cache", c);
    add_cache(out, "v_cache", c);
    add_partials(out, c);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[ATTENTION_ROWS] * n_heads(c), head_dim);
    return IFN_OK;
}

/* Fills positions that no row sees with 0xff bytes, which are NaN in every dtype. */
static void mask_cache(const conform_case *c, const conform_tensor *t, unsigned char *cache)
{
    const int64_t max_pos = conform_attention_max_pos(c);
    const int64_t visible = c->dim[ATTENTION_FIRST_POS] + c->dim[ATTENTION_ROWS];
    const size_t row_bytes = ifn_dtype_row_bytes(t->dtype, t->cols);
    for (int64_t r = 0; r < t->rows; r++)
        if (r % max_pos >= visible && row_bytes > 0)
            memset(cache + (size_t)r * row_bytes, 0xff, row_bytes);
}

/* --- T0, one-hot: keys are vectors of +-1, and a query is a multiple of the key it selects --- */

/* The sign, +1 or -1, of a component of the key in a row of the cache. */
static int key_sign(conform_stream signs, int64_t head_dim, int64_t cache_row, int64_t component)
{
    return conform_bits(signs, (uint64_t)(cache_row * head_dim + component)) & 1 ? 1 : -1;
}

static void put_key(const conform_case *c, int64_t cache_row, unsigned char *row)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM];
    const conform_stream signs = conform_stream_of(c->seed, "sign");
    for (int64_t i = 0; i < head_dim; i++)
        conform_put_integer(c->dtype, row, i, key_sign(signs, head_dim, cache_row, i));
}

static void fill_selection(const conform_case *c, const conform_tensor *k, void *const *data)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM], heads = n_heads(c);
    const int64_t max_pos = conform_attention_max_pos(c);
    const conform_stream signs = conform_stream_of(c->seed, "sign");
    float *q = data[0];
    for (int64_t r = 0; r < k->rows; r++)
        put_key(c, r,
                (unsigned char *)data[1] + (size_t)r * ifn_dtype_row_bytes(c->dtype, head_dim));
    for (int64_t i = 0; i < c->dim[ATTENTION_ROWS] * heads; i++) {
        const int64_t last = c->dim[ATTENTION_FIRST_POS] + i / heads;
        const int64_t pos =
            conform_integer(conform_stream_of(c->seed, "hot"), (uint64_t)i, 0, last);
        const int64_t kv_head = i % heads / c->dim[ATTENTION_GROUP];
        for (int64_t j = 0; j < head_dim; j++)
            q[i * head_dim + j] =
                256.0f * (float)key_sign(signs, head_dim, kv_head * max_pos + pos, j);
    }
}

/* Fills T0 cases. In families other than ONE_HOT all queries are 0, so that every visible key has exactly the same
 * weight. */
static void fill_exact(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t keys = conform_attention_max_pos(c);
    const int selects = c->family == FAMILY_ONE_HOT;
    conform_case k = *c, v = *c;
    k.family = FAMILY_NORMAL;
    v.family = selects ? FAMILY_NORMAL : FAMILY_LATTICE;
    conform_fill_blocks(&k, "k_cache", OPERAND_B, c->dtype, keys, data[1], l->t[1].rows,
                        l->t[1].cols);
    conform_fill_blocks(&v, "v_cache", OPERAND_B, c->dtype, keys, data[2], l->t[2].rows,
                        l->t[2].cols);
    if (selects)
        fill_selection(c, &l->t[1], data);
    else if (l->t[0].bytes > 0)
        memset(data[0], 0, l->t[0].bytes);
}

/* --- walls: keys whose score is -inf. One KV head in four has only such keys. In the others they fill the first block
 * of 256 or, if there are more, the first few blocks; after that they come in runs of 256, 32 or 1 --- */

static bool is_walled(const conform_case *c, int64_t cache_row)
{
    static const int lengths[] = {IFN_ATTENTION_BLOCK, 32, 1};
    const int64_t max_pos = conform_attention_max_pos(c), pos = cache_row % max_pos;
    const int64_t last = c->dim[ATTENTION_FIRST_POS], most = last / IFN_ATTENTION_BLOCK;
    const int64_t run = pos / lengths[conform_hash(c->seed, "wall", 0) % 3];
    if (conform_hash(c->seed, "nothing but walls", (uint64_t)(cache_row / max_pos)) % 4 == 0)
        return true;
    /* one key that every row sees stays */
    if (pos >= last)
        return false;
    const int64_t first =
        most ? 1 + (int64_t)(conform_hash(c->seed, "wall", 1) % (uint64_t)most) : 0;
    return pos / IFN_ATTENTION_BLOCK < first || run == 0 ||
           conform_hash(c->seed, "run", (uint64_t)run) % 4 == 0;
}

/* Writes a non-finite value to component i of a row of the cache; in Q8_0 to the scale of its block. */
static void put_component(const conform_case *c, unsigned char *row, int64_t i, float value)
{
    const uint16_t half = conform_f16_nearest((double)value);
    ifn_block_q8_0 *const block = (ifn_block_q8_0 *)(void *)row + i / 32;
    if (c->dtype == IFN_DTYPE_F32)
        memcpy(row + 4 * i, &value, sizeof value);
    else if (c->dtype == IFN_DTYPE_F16)
        memcpy(row + 2 * i, &half, sizeof half);
    else
        block->d = half, block->qs[i % 32] = 1;
}

/* Makes every component of a key -inf; queries are above 0, so its score is -inf. */
static void put_wall(const conform_case *c, unsigned char *row)
{
    for (int64_t i = 0; i < c->dim[ATTENTION_HEAD_DIM]; i++)
        put_component(c, row, i, -INFINITY);
}

static void build_walls(const conform_case *c, const conform_layout *l, void *const *data)
{
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, c->dim[ATTENTION_HEAD_DIM]);
    float *q = data[0];
    for (int64_t i = 0; i < l->t[0].rows * l->t[0].cols; i++)
        q[i] = 0.5f + fabsf(q[i]);
    for (int64_t r = 0; r < l->t[1].rows; r++)
        if (is_walled(c, r))
            put_wall(c, (unsigned char *)data[1] + (size_t)r * row_bytes);
}

/* --- one NaN: SPECIALS as drawn have a non-finite component in every key, so that no block of keys is without. In
 * half of the cases, therefore, one element of one key or value is NaN, and everything else is finite --- */

static bool has_one_nan(const conform_case *c)
{
    return c->family == FAMILY_SPECIALS && conform_hash(c->seed, "one NaN", 0) & 1;
}

static void put_one_nan(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM], max_pos = conform_attention_max_pos(c);
    const int64_t seen = c->dim[ATTENTION_FIRST_POS] + c->dim[ATTENTION_ROWS];
    const conform_stream s = conform_stream_of(c->seed, "one NaN");
    const int t = conform_bits(s, 0) & 3 ? 1 : 2;
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, head_dim);
    if (l->t[t].bytes == 0 || seen < 1)
        return;
    const int64_t head = conform_integer(s, 1, 0, l->t[t].rows / max_pos - 1);
    const int64_t row = head * max_pos + conform_integer(s, 2, 0, seen - 1);
    const int64_t at = conform_integer(s, 3, 0, head_dim - 1);
    unsigned char *const to = (unsigned char *)data[t] + (size_t)row * row_bytes;
    put_component(c, to, at, NAN);
}

static conform_family family_of_inputs(const conform_case *c)
{
    if (has_one_nan(c))
        return FAMILY_NORMAL;
    if (c->family == FAMILY_GRADED)
        return FAMILY_NORMAL;
    return c->family == FAMILY_RISING || conform_scores_have_one_sign(c) ? FAMILY_POSITIVE
                                                                         : c->family;
}

/* TINY draws no subnormal second factors. In every other case of an F32 cache this makes values, and so results,
 * subnormal, to find backends that flush them. */
static void make_values_subnormal(const conform_case *c, const conform_tensor *t, float *v)
{
    if (c->family != FAMILY_TINY || c->dtype != IFN_DTYPE_F32 ||
        conform_hash(c->seed, "subnormal values", 0) & 1)
        return;
    conform_fill_f32(c, t->name, OPERAND_PLAIN, 1, v, t->rows, t->cols, t->cols);
    for (int64_t i = 0; i < t->rows * t->cols; i++)
        v[i] = ldexpf(v[i], fabsf(v[i]) < 0x1p-80f ? -12 : -65);
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM];
    if (c->family == FAMILY_NEEDLE) {
        conform_fill_needles(c, data);
    } else if (c->family == FAMILY_STAGNANT) {
        conform_fill_stagnant_scores(c, data);
    } else if (c->tier == TIER_T0) {
        fill_exact(c, l, data);
    } else {
        conform_case inputs = *c;
        inputs.family = family_of_inputs(c);
        conform_fill_f32(&inputs, "q", OPERAND_A, head_dim, data[0], l->t[0].rows, head_dim,
                         head_dim);
        for (int t = 1; t <= 2; t++)
            conform_fill_blocks(&inputs, l->t[t].name, OPERAND_B, c->dtype, head_dim, data[t],
                                l->t[t].rows, l->t[t].cols);
        make_values_subnormal(c, &l->t[2], data[2]);
    }
    if (has_one_nan(c))
        put_one_nan(c, l, data);
    if (c->family == FAMILY_GRADED || c->family == FAMILY_RISING)
        conform_grade_keys(c, data);
    if (c->family == FAMILY_WALL)
        build_walls(c, l, data);
    for (int t = 1; t <= 2; t++)
        mask_cache(c, &l->t[t], data[t]);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    ifn_attention_args *const a = &call->args.attention;
    (void)l;
    (void)data;
    a->max_pos = conform_attention_max_pos(c);
    a->n_heads = n_heads(c);
    a->scale = conform_attention_scale(c);
    a->phase = c->dim[ATTENTION_CUT_KEYS] ? IFN_ATTENTION_PARTIALS : IFN_ATTENTION_WHOLE;
}

static int64_t work(const conform_case *c)
{
    const int64_t keys = c->dim[ATTENTION_FIRST_POS] + c->dim[ATTENTION_ROWS];
    return 2 * c->dim[ATTENTION_ROWS] * keys * n_heads(c) * c->dim[ATTENTION_HEAD_DIM];
}

const conform_module conform_module_attention = {
    .op = IFN_OP_ATTENTION,
    .dim_names = {"rows", "first_pos", "slack", "n_kv_heads", "group", "head_dim", "cut_keys"},
    .block_dim = "head_dim",
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_attention,
    .work = work,
    .model_sizes = "rows=1,first_pos=511,n_kv_heads=8,group=2,head_dim=128;"
                   "rows=64,first_pos=448,n_kv_heads=8,group=2,head_dim=128",
    .model_dtypes = "F32,F16,Q8_0",
};
