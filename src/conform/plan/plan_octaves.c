#include "plan_octaves.h"

#include "invoke.h"
#include "long_case.h"
#include "plan_large.h"
#include "regimes.h"

/* A kind has its own count of cases per octave: it is a dtype or, if the op has only one, an output dtype. */
typedef struct kind {
    ifn_dtype dtype, out_dtype;
    bool has_any_out;
} kind;

static int list_kinds(const planner *p, kind kinds[SPEC_MAX_DTYPES])
{
    const bool by_out = p->spec->n_dtypes < 2 && p->spec->n_out_dtypes > 0;
    const int most = by_out ? p->spec->n_out_dtypes : p->spec->n_dtypes;
    int n = 0;
    for (int i = 0; i < most; i++) {
        const ifn_dtype dtype = p->spec->dtypes[by_out ? 0 : i];
        const ifn_dtype out = by_out ? p->spec->out_dtypes[i] : IFN_DTYPE_F32;
        if (planner_is_wanted(p, dtype))
            kinds[n++] = (kind){dtype, out, !by_out};
    }
    return n;
}

/* The number of cases of one kind in each octave of each dimension, with raw and with prepared weights. */
typedef struct census {
    int64_t n[2][CONFORM_MAX_DIMS][64];
} census;

static void count_octaves(const planner *p, const conform_case *c, census *counts)
{
    for (int i = 0; i < p->n_dims; i++)
        if (conform_octave(c->dim[i]) >= 0)
            counts->n[c->prepared != 0][i][conform_octave(c->dim[i])]++;
}

static census census_of(const planner *p, const kind *k)
{
    census counts = {{{{0}}}};
    for (int64_t i = 0; i < p->plan->n; i++) {
        const conform_case *c = &p->plan->cases[i];
        if (c->dtype == k->dtype && (k->has_any_out || c->out_dtype == k->out_dtype) &&
            c->tier != TIER_REFUSE && c->tier != TIER_GOLDEN)
            count_octaves(p, c, &counts);
    }
    return counts;
}

/* The state while octaves are filled. */
typedef struct filling {
    const kind *kind;
    int64_t round;
    census counts;
    double *left; /* seconds */
} filling;

/* Starts a case of one kind in a regime that is informative at any size; the caller draws its sizes. */
static conform_case large_case(planner *p, const kind *k, int32_t prepared, uint64_t number)
{
    const stratum s = {k->dtype, prepared};
    conform_case c = planner_blank(p, &s, number);
    planner_draw_rest(p, &c);
    c.out_dtype = k->has_any_out ? c.out_dtype : k->out_dtype;
    plan_large_regime(p->spec, &c, &p->dice);
    return c;
}

static ifn_status add_in_octave(planner *p, filling *f, int32_t prepared, int dim, int octave,
                                ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    conform_case c = large_case(p, f->kind, prepared, p->dice.next++);
    if (!plan_octave_sizes(&shape, p->filter->profile, &c, dim, octave, &p->dice))
        return IFN_OK;
    *f->left -= plan_seconds(p->module, &c);
    count_octaves(p, &c, &f->counts);
    return planner_append(p, &c, err);
}

/* Adds one case to an octave that has no more than `round` cases, in the form that it has fewer of. The first case is
 * added whatever it costs; so is one of each form if the profile has several rounds. */
static ifn_status fill_octave(planner *p, filling *f, int dim, int octave, ifn_error *err)
{
    const bool has_forms = conform_use_of(p->module->op) != 0;
    const int64_t raw = f->counts.n[0][dim][octave], prepared = f->counts.n[1][dim][octave];
    const bool is_prepared = has_forms && prepared < raw + (octave + dim) % 2;
    const bool lacks_form = has_forms && f->round == 1 && (raw == 0 || prepared == 0);
    if (!lacks_form && (raw + prepared > f->round || (f->round > 0 && *f->left <= 0)))
        return IFN_OK;
    return add_in_octave(p, f, is_prepared, dim, octave, err);
}

static ifn_status fill_octaves(planner *p, filling *f, ifn_error *err)
{
    f->counts = census_of(p, f->kind);
    for (int dim = 0; dim < p->n_dims; dim++)
        for (int octave = conform_octave(p->dims[dim]->limit); octave >= 0; octave--)
            IFN_TRY(fill_octave(p, f, dim, octave, err));
    return IFN_OK;
}

/* The number of heavy cases: one of each kind with each dimension as the longest, or as many as the profile demands. */
static int64_t count_heavy(const planner *p, int n_kinds)
{
    const conform_profile profile = p->filter->profile;
    const int64_t each = (int64_t)n_kinds * p->n_dims;
    const int64_t least = p->module->has_statistics ? plan_heavy(profile) : plan_boxes(profile);
    return each > least ? each : least;
}

/* Adds heavy cases; kinds take turns, then dimensions, and forms of weights. */
static ifn_status add_heavy(planner *p, const kind *kinds, int n_kinds, ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const bool has_forms = conform_use_of(p->module->op) != 0;
    for (int64_t i = 0; i < count_heavy(p, n_kinds); i++) {
        const kind *const k = &kinds[i % n_kinds];
        const int64_t turn = i / n_kinds;
        conform_case c = large_case(p, k, has_forms && (turn + i) % 2, (uint64_t)i + 2000000);
        if (plan_heavy_sizes(&shape, p->filter->profile, &c, (int)(turn % p->n_dims), &p->dice))
            IFN_TRY(planner_append(p, &c, err));
    }
    return IFN_OK;
}

enum { LEAST_TILED_CASES = 6 }; /* of an op, whatever dtypes it has */

/* Adds tiled cases. An error in a corner, where the edges of tiles meet, needs a remainder in several dimensions at
 * once, each beyond the first tile. Kinds take turns, and forms of weights. */
static ifn_status add_tiled(planner *p, const kind *kinds, int n_kinds, ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const bool has_forms = conform_use_of(p->module->op) != 0;
    int64_t n = plan_tiled(p->filter->profile) * n_kinds;
    n = n < LEAST_TILED_CASES ? LEAST_TILED_CASES : n;
    for (int64_t i = 0; i < n; i++) {
        const kind *const k = &kinds[i % n_kinds];
        conform_case c = large_case(p, k, has_forms && (i / n_kinds) % 2, (uint64_t)i + 3000000);
        if (plan_tiled_sizes(&shape, &c, &p->dice))
            IFN_TRY(planner_append(p, &c, err));
    }
    return IFN_OK;
}

/* Adds a case of one kind and one regime with a large dimension. */
static ifn_status add_large_one(planner *p, const kind *k, int32_t prepared,
                                const spec_regime *regime, int dim, ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const plan_want want = {regime,
                            p->spec->n_out_dtypes && !k->has_any_out ? &k->out_dtype : NULL};
    const stratum s = {k->dtype, prepared};
    conform_case c = planner_blank(p, &s, p->dice.next++);
    p->want = &want;
    planner_draw_rest(p, &c);
    p->want = NULL;
    const bool is_one = conform_regime_of(p->spec, &c) >= 0;
    return is_one && plan_large_sizes(&shape, p->filter->profile, &c, dim, &p->dice)
               ? planner_append(p, &c, err)
               : IFN_OK;
}

/* The same for the first kind from `at` on that has the regime. */
static ifn_status add_large_any(planner *p, const kind *kinds, int n_kinds, int at,
                                int32_t prepared, const spec_regime *regime, int dim,
                                ifn_error *err)
{
    const int64_t before = p->plan->n_whole;
    for (int i = 0; i < n_kinds && p->plan->n_whole == before; i++)
        IFN_TRY(add_large_one(p, &kinds[(at + i) % n_kinds], prepared, regime, dim, err));
    return IFN_OK;
}

/* Adds every regime once with each dimension large, for one kind in smoke and for all kinds from ci on, because kernels
 * may handle a regime in short rows and not in long ones. */
static ifn_status add_large_regimes(planner *p, const kind *kinds, int n_kinds, ifn_error *err)
{
    const bool has_forms = conform_use_of(p->module->op) != 0;
    const bool is_smoke = p->filter->profile == PROFILE_SMOKE;
    for (int r = 0; r < p->spec->n_regimes; r++)
        for (int i = 0; i < (is_smoke ? 1 : n_kinds) * p->n_dims; i++) {
            const spec_regime *const regime = &p->spec->regimes[r];
            const int dim = i % p->n_dims, at = (r + i) % n_kinds;
            const int32_t prepared = has_forms && (r + i) % 2;
            IFN_TRY(is_smoke ? add_large_any(p, kinds, n_kinds, at, prepared, regime, dim, err)
                             : add_large_one(p, &kinds[i / p->n_dims], prepared, regime, dim, err));
        }
    return IFN_OK;
}

ifn_status planner_add_large(planner *p, ifn_error *err)
{
    kind kinds[SPEC_MAX_DTYPES];
    const int n = list_kinds(p, kinds);
    const plan_dice dice = p->dice;
    double left = plan_large_seconds(p->filter->profile);
    p->dice = (plan_dice){.stream = conform_stream_of(dice.stream.key, "large")};
    if (n > 0)
        IFN_TRY(add_heavy(p, kinds, n, err));
    if (n > 0)
        IFN_TRY(add_large_regimes(p, kinds, n, err));
    if (n > 0)
        IFN_TRY(add_tiled(p, kinds, n, err));
    for (int64_t round = 0; round < plan_per_octave(p->filter->profile); round++)
        for (int i = 0; i < n; i++) {
            filling f = {.kind = &kinds[i], .round = round, .left = &left};
            IFN_TRY(fill_octaves(p, &f, err));
        }
    p->dice = dice;
    return IFN_OK;
}
