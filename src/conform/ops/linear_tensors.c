#include "linear_tensors.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "blocks.h"
#include "gen.h"
#include "gen_regimes.h"

static const char *const w_names[] = {"w_0", "w_1", "w_2", "w_3"};
static const char *const out_names[] = {"out_0", "out_1", "out_2", "out_3"};
static const char *const bias_names[] = {"bias_0", "bias_1", "bias_2", "bias_3"};

/* Draws one of four ways in which the weights of a call differ; the first for GOLDEN and REFUSE cases. */
static int draw_way(const conform_case *c, const char *what)
{
    const bool is_drawn = c->tier != TIER_GOLDEN && c->tier != TIER_REFUSE;
    return is_drawn ? (int)(conform_hash(c->seed, what, 0) % 4) : 0;
}

/* True for the second and third of four weights in one case of four: these have no features. */
static bool is_emptied(const conform_case *c, int64_t i)
{
    return c->dim[LINEAR_N_W] == 4 && (i == 1 || i == 2) && draw_way(c, "emptied") == 3;
}

/* The number of features of weight i: each weight has more than the one before, all have the same, or each has
 * fewer. */
static int64_t features_of(const conform_case *c, int64_t i)
{
    const int way = draw_way(c, "features");
    const int64_t n = c->dim[LINEAR_N];
    if (is_emptied(c, i) && c->family != FAMILY_SAME)
        return 0;
    if (way == 2 || c->family == FAMILY_SAME || (way == 3 && n < i))
        return n;
    return way < 2 ? n + i : n - i;
}

/* The gap between the rows of output i: the same for all outputs, or different ones. */
static int64_t gap_of(const conform_case *c, int64_t i)
{
    const int64_t pad = c->dim[LINEAR_PAD];
    return pad + (pad && conform_hash(c->seed, "gaps", 0) & 1 ? 3 * i : 0);
}

/* True if weight i has a bias. In a case with biases each weight has one, or all but the first, or every other one. */
static bool has_bias(const conform_case *c, int64_t i)
{
    const int way = c->dim[LINEAR_N_W] > 1 ? draw_way(c, "biased") : 0;
    return c->dim[LINEAR_BIAS] && (way < 2 || (way == 2 ? i > 0 : i % 2 == 0));
}

ifn_status conform_linear_layout(const conform_case *c, conform_layout *out)
{
    const int64_t n_w = c->dim[LINEAR_N_W], k = c->dim[LINEAR_K];
    if (n_w < 1 || n_w > IFN_LINEAR_MAX)
        return IFN_ERR_SHAPE;
    for (int64_t i = 0; i < n_w; i++) {
        const ifn_dtype dtype = conform_case_dtype(c, (int)i);
        if (k % ifn_dtype_block_elements(dtype) != 0)
            return IFN_ERR_SHAPE;
        const int64_t n = features_of(c, i);
        conform_add_blocks(out, w_names[i], ROLE_IN, dtype, n, k);
        conform_add_strided(out, out_names[i], ROLE_OUT, c->dim[LINEAR_ROWS], n, n + gap_of(c, i));
        if (has_bias(c, i))
            conform_add_f32(out, bias_names[i], ROLE_IN, 1, n);
        else
            conform_add_absent(out, bias_names[i]);
    }
    return IFN_OK;
}

conform_case conform_linear_alone(const conform_case *c, int i)
{
    conform_case alone = *c;
    alone.dtype = conform_case_dtype(c, i);
    alone.dim[LINEAR_BIAS] = has_bias(c, i);
    alone.n_more = 0;
    return alone;
}

conform_declared conform_linear_declared(const conform_declared *declared, int i)
{
    conform_declared alone = *declared;
    if (i > 0 && i < IFN_LINEAR_MAX) {
        alone.depth = declared->more_depth[i - 1];
        alone.arithmetic = declared->more_arithmetic[i - 1];
    }
    return alone;
}

conform_case conform_linear_narrowest(const conform_case *c)
{
    conform_case narrowest = conform_linear_alone(c, 0);
    const int64_t k = conform_linear_length(c);
    for (int i = 1; i <= c->n_more; i++) {
        const conform_case other = conform_linear_alone(c, i);
        if (conform_lattice_of(&other, k).a < conform_lattice_of(&narrowest, k).a)
            narrowest = other;
    }
    narrowest.dim[LINEAR_BIAS] = c->dim[LINEAR_BIAS];
    return narrowest;
}

static bool is_lattice(const conform_case *c)
{
    return c->family == FAMILY_LATTICE || c->family == FAMILY_ASYMMETRIC;
}

int64_t conform_linear_length(const conform_case *c)
{
    return c->dim[LINEAR_K] + (is_lattice(c) && c->dim[LINEAR_BIAS] ? 1 : 0);
}

/* Fills a bias. On a lattice it is in units of the products. It is 0 in ONE_HOT, where the result must stay a copy, in
 * GRADED, whose small results it would hide, and in STAGNANT, where it would be the largest term. */
static void fill_bias(const conform_case *c, const char *name, float *bias, int64_t n)
{
    const int64_t k = conform_linear_length(c);
    const int exponent = (int)conform_integer(conform_stream_of(c->seed, "exponent"), 1, -4, 4);
    conform_case of_bias = *c;
    /* Equal weights may have different biases. */
    if (c->family == FAMILY_SAME && conform_hash(c->seed, "biases", 0) & 1)
        of_bias.family = FAMILY_NORMAL;
    conform_fill_f32(&of_bias, name, OPERAND_A, k, bias, 1, n, n);
    for (int64_t i = 0; i < n; i++) {
        if (is_lattice(c))
            bias[i] = ldexpf(bias[i], exponent);
        else if (c->family == FAMILY_ONE_HOT || c->family == FAMILY_GRADED ||
                 c->family == FAMILY_STAGNANT)
            bias[i] = 0.0f;
    }
}

/* --- infinite scales: in a third of SPECIALS with blocks, about half of the rows of the weights have a block whose
 * scale or minimum is infinite. Nothing else is special there, and all terms have one sign, so that every order of
 * them, and each form of a block, gives the same infinity --- */

static bool has_infinite_scales(const conform_case *c)
{
    return c->family == FAMILY_SPECIALS && ifn_dtype_is_quantized(c->dtype) &&
           conform_hash(c->seed, "infinite scales", 0) % 3 == 0;
}

conform_family conform_linear_family(const conform_case *c)
{
    return has_infinite_scales(c) ? FAMILY_POSITIVE : c->family;
}

/* True if no minimum of the block is 0. An infinite unit of minima times 0 is NaN in one form of a block and absent in
 * another. */
static bool has_every_minimum(ifn_dtype dtype, const unsigned char *block)
{
    const int64_t group = conform_limits_of(dtype).group;
    for (int64_t i = 0; i < ifn_dtype_block_elements(dtype); i += group)
        if (conform_code_at(dtype, block, i).m == 0)
            return false;
    return conform_limits_of(dtype).has_min;
}

static void put_infinity(const conform_case *c, ifn_dtype dtype, unsigned char *block)
{
    const conform_limits l = conform_limits_of(dtype);
    const conform_code code = conform_code_at(dtype, block, 0);
    const uint64_t bits = conform_hash(c->seed, "infinite scales", 1);
    double d = code.d, dmin = l.m_high ? code.dmin : -code.dmin;
    if (bits & 1 && has_every_minimum(dtype, block))
        dmin = (double)INFINITY;
    else
        d = bits & 2 && !l.has_min ? -(double)INFINITY : (double)INFINITY;
    conform_put_units(dtype, block, conform_f16_nearest(d), conform_f16_nearest(dmin));
}

static void put_infinities(const conform_case *c, ifn_dtype dtype, const conform_tensor *t,
                           unsigned char *data)
{
    const int64_t n_blocks = t->cols / ifn_dtype_block_elements(dtype);
    const size_t block = ifn_dtype_block_bytes(dtype);
    if (!ifn_dtype_is_quantized(dtype) || n_blocks == 0)
        return;
    for (int64_t r = 0; r < t->rows; r++) {
        const int64_t b = conform_lone(conform_stream_of(c->seed, "infinite blocks"), r, n_blocks);
        if (conform_hash(c->seed, "infinite rows", (uint64_t)r) & 1)
            put_infinity(c, dtype, data + (size_t)(r * n_blocks + b) * block);
    }
}

/* In every other case weights of one dtype and width share their first and last rows, to find backends that recognise a
 * weight by these. */
static void share_ends(const conform_case *c, const conform_layout *l, void *const *data)
{
    for (int t = 4; t < l->n && conform_hash(c->seed, "begin alike", 0) & 1; t += 3) {
        const conform_tensor *const first = &l->t[1], *const w = &l->t[t];
        const size_t row = ifn_dtype_row_bytes(conform_case_dtype(c, 0), first->cols);
        if (conform_case_dtype(c, t / 3) != conform_case_dtype(c, 0) || w->rows != first->rows ||
            w->rows < 2)
            continue;
        const size_t last = w->rows > 2 ? (size_t)(w->rows - 1) * row : 0;
        memcpy(data[t], data[1], row);
        memcpy((unsigned char *)data[t] + last, (unsigned char *)data[1] + last, row);
    }
}

void conform_linear_fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const conform_case narrowest = conform_linear_narrowest(c);
    for (int t = 1; t < l->n; t += 3) {
        conform_case alone = conform_linear_alone(c, t / 3);
        alone.family = conform_linear_family(c);
        conform_fill_blocks(&alone, l->t[t].name, OPERAND_B, alone.dtype, conform_linear_length(c),
                            data[t], l->t[t].rows, l->t[t].cols);
        if (alone.dim[LINEAR_BIAS])
            fill_bias(&narrowest, l->t[t + 2].name, data[t + 2], l->t[t + 2].cols);
    }
    share_ends(c, l, data);
    for (int t = 1; t < l->n && has_infinite_scales(c); t += 3)
        put_infinities(c, conform_case_dtype(c, t / 3), &l->t[t], data[t]);
}

void conform_linear_bind(const conform_case *c, const conform_layout *l, void *const *data,
                         conform_call *call, linear_arrays out)
{
    for (int i = 0; i < (int)c->dim[LINEAR_N_W]; i++) {
        const int t = 1 + 3 * i;
        call->weights[i] =
            (ifn_tensor){.name = l->t[t].name,
                         .data = data[t],
                         .dtype = conform_case_dtype(c, i),
                         .n_dims = 2,
                         .shape = {l->t[t].rows, l->t[t].cols, CONFORM_NO_SIZE, CONFORM_NO_SIZE}};
        out.w[i] = &call->weights[i];
        out.out[i] = data[t + 1];
        out.out_stride[i] = l->t[t + 1].stride;
        out.bias[i] = has_bias(c, i) ? data[t + 2] : NULL;
    }
}

conform_lines conform_linear_lines(const conform_case *c, conform_truth *t, int64_t n,
                                   conform_pool *pool)
{
    const conform_grid features = {.n_lines = n,
                                   .length = c->dim[LINEAR_ROWS],
                                   .line_step = 1,
                                   .element_step = n,
                                   .cost = c->dim[LINEAR_K],
                                   .per_line = 3};
    return conform_choose_lines(c, t, &features, pool);
}

int64_t conform_linear_work(const conform_case *c)
{
    int64_t features = 0;
    for (int64_t i = 0; i < c->dim[LINEAR_N_W]; i++)
        features += features_of(c, i);
    return c->dim[LINEAR_ROWS] * features * c->dim[LINEAR_K];
}
