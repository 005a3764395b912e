/* search_symmetric.c with a group in each lane; that file explains the steps. */
#include "search_lanes.h"

#include <math.h>
#include <string.h>

#include "quant_priv.h"

enum { GROUP = 16, N_STARTS = 8 };

typedef struct search {
    ifn_symmetric_shape shape;
    float x[GROUP * SEARCH_LANES];
    ifn_lanes target;
} search;

/* The f16 unit of a block, each group's scale in it, and each group's error. */
typedef struct trial {
    uint16_t d;
    ifn_lanes scale, error;
} trial;

IFN_INLINE vf load_x(const search *s, int l, int i)
{
    return vf_load(s->x + i * SEARCH_LANES + l);
}

/* The whole number nearest to v within -limit .. limit-1. */
IFN_INLINE vf nearest(vf v, float limit)
{
    return vf_sub(nearest_above(v, vf_set(-limit), vf_set(limit - 1.0f)), vf_set(limit));
}

IFN_INLINE vf magnitude(vf a)
{
    return vi_floats(vi_and(vf_bits(a), vi_set(0x7fffffff)));
}

/* The element of largest magnitude of each group; the first one if several are equal. */
IFN_INLINE vf largest_of(const search *s, int l)
{
    vf largest = load_x(s, l, 0);
    for (int i = 1; i < GROUP; i++) {
        const vf x = load_x(s, l, i);
        largest = vf_select(vf_less(magnitude(largest), magnitude(x)), x, largest);
    }
    return largest;
}

/* The factor of least squared error for the codes that `inverse` gives, and by how much it reduces the error. */
IFN_INLINE vf least_squares(const search *s, int l, vf inverse, vf *gain)
{
    vf xq = vf_zero(), qq = vf_zero();
    for (int i = 0; i < GROUP; i++) {
        const vf x = load_x(s, l, i), q = nearest(vf_mul(x, inverse), (float)s->shape.codes);
        xq = vf_add(xq, vf_mul(x, q));
        qq = vf_add(qq, vf_mul(q, q));
    }
    *gain = quotient(vf_mul(xq, xq), qq);
    return quotient(xq, qq);
}

/* Step 1. */
static void find_factors(search *s, int l)
{
    const vf largest = largest_of(s, l);
    const vm is_some = vf_less(vf_set(0x1p-25f), magnitude(largest)); /* not zero once in f16 */
    const vf divisor = vf_select(is_some, largest, vf_set(1.0f));
    vf best = vf_zero(), best_gain = vf_zero();
    for (int k = -9; k <= 9; k++) {
        vf gain;
        const vf steps = vf_set(-((float)s->shape.codes + 0.1f * (float)k));
        const vf factor = least_squares(s, l, vf_div(steps, divisor), &gain);
        const vm is_better = vf_less(best_gain, gain);
        best_gain = vf_select(is_better, gain, best_gain);
        best = vf_select(is_better, factor, best);
    }
    vf_store(s->target.at + l, vf_select(is_some, best, vf_zero()));
}

/* The errors of three factors. */
IFN_INLINE void errors_of(const search *s, int l, const vf factor[3], vf error[3])
{
    vf inverse[3];
    IFN_UNROLL
    for (int k = 0; k < 3; k++) {
        inverse[k] = reciprocal(factor[k]);
        error[k] = vf_zero();
    }
    for (int i = 0; i < GROUP; i++) {
        const vf x = load_x(s, l, i);
        IFN_UNROLL
        for (int k = 0; k < 3; k++) {
            const vf q = nearest(vf_mul(x, inverse[k]), (float)s->shape.codes);
            const vf e = vf_sub(x, vf_mul(factor[k], q));
            error[k] = vf_add(error[k], vf_mul(e, e));
        }
    }
}

/* Step 2: of the three scales around the target, the first with the least error. */
static void choose_scales(const search *s, int l, trial *t)
{
    const float most = (float)s->shape.scales;
    const vf d = vf_set(ifn_f16_to_f32(t->d)), never = vf_set(INFINITY);
    const vf centre = nearest(vf_div(vf_load(s->target.at + l), d), most);
    vf best = never, best_scale = vf_zero(), scale[3], factor[3], error[3];
    for (int k = 0; k < 3; k++) {
        scale[k] = vf_add(centre, vf_set((float)(k - 1)));
        factor[k] = vf_mul(d, scale[k]);
    }
    errors_of(s, l, factor, error);
    for (int k = 0; k < 3; k++) {
        vf e = vf_select(vf_less(scale[k], vf_set(-most)), never, error[k]);
        e = vf_select(vf_less(scale[k], vf_set(most)), e, never);
        const vm is_better = vf_less(e, best);
        best = vf_select(is_better, e, best);
        best_scale = vf_select(is_better, scale[k], best_scale);
    }
    vf_store(t->error.at + l, best);
    vf_store(t->scale.at + l, best_scale);
}

static float error_with(const search *s, trial *t)
{
    float total = 0.0f;
    for (int l = 0; l < SEARCH_LANES; l += VL)
        choose_scales(s, l, t);
    for (int g = 0; g < SEARCH_LANES; g++)
        total += t->error.at[g];
    return total;
}

static void put_codes(const search *s, int l, const trial *t, float *code)
{
    const vf factor = vf_mul(vf_set(ifn_f16_to_f32(t->d)), vf_load(t->scale.at + l));
    const vf inverse = reciprocal(factor);
    for (int i = 0; i < GROUP; i++)
        vf_store(code + i * SEARCH_LANES + l,
                 nearest(vf_mul(load_x(s, l, i), inverse), (float)s->shape.codes));
}

static void put_fit(const search *s, const trial *t, ifn_symmetric_fit *out)
{
    float code[GROUP * SEARCH_LANES];
    for (int l = 0; l < SEARCH_LANES; l += VL)
        put_codes(s, l, t, code);
    out->d = t->d;
    for (int g = 0; g < SEARCH_LANES; g++) {
        out->scale[g] = (int8_t)t->scale.at[g];
        for (int i = 0; i < GROUP; i++)
            out->code[g * GROUP + i] = (int8_t)code[i * SEARCH_LANES + g];
    }
}

static void search_block(const float *x, ifn_symmetric_shape shape, ifn_symmetric_fit *out)
{
    search s = {.shape = shape};
    trial best = {0};
    float error = INFINITY;
    *out = (ifn_symmetric_fit){.d = IFN_F16_NAN};
    if (ifn_f16_or_nan(ifn_largest(x, 256) / (float)(shape.codes * shape.scales)) == IFN_F16_NAN)
        return;
    ifn_lanes_spread(x, GROUP, s.x);
    for (int l = 0; l < SEARCH_LANES; l += VL)
        find_factors(&s, l);
    const float largest = ifn_largest(s.target.at, SEARCH_LANES);
    out->d = 0;
    if (largest == 0.0f)
        return;
    for (int start = 0; start < N_STARTS; start++) {
        trial t = {.d = ifn_f16_unit(largest / (float)(start - shape.scales))};
        const float trial_error = error_with(&s, &t);
        if (trial_error < error) {
            error = trial_error;
            best = t;
        }
    }
    put_fit(&s, &best, out);
}

void IFN_KERNEL(search_symmetric)(const float *x, int n_blocks, ifn_symmetric_shape shape,
                                  ifn_symmetric_fit *out)
{
    for (int b = 0; b < n_blocks; b++)
        search_block(x + 256 * b, shape, &out[b]);
}
