#include "plan_cases.h"

#include <stdbool.h>

#include "exhaustive.h"
#include "golden.h"
#include "invoke.h"
#include "plan_mixed.h"
#include "plan_octaves.h"
#include "plan_reach.h"
#include "regimes.h"

enum { CANDIDATES = 8 };

/* Case i, of strata that take turns. */
static conform_case blank_in_turn(planner *p, int64_t i)
{
    return planner_blank(p, &p->strata[i % p->n_strata], (uint64_t)i);
}

static ifn_status add_model_sizes(planner *p, ifn_error *err)
{
    bool has_model = 0;
    for (int i = 0; i < p->n_dims; i++)
        has_model |= p->dims[i]->model_n > 0;
    for (int64_t i = 0; has_model && i < plan_budgets[p->filter->profile].n_model; i++) {
        conform_case c = blank_in_turn(p, i);
        if (planner_draw(p, &c, 1))
            IFN_TRY(planner_append(p, &c, err));
    }
    return IFN_OK;
}

/* Adds n drawn cases. For the first half each case is the one of CANDIDATES draws that covers most new triples. */
static ifn_status add_drawn(planner *p, int64_t n, ifn_error *err)
{
    const int64_t n_greedy = n / 2;
    for (int64_t i = 0; i < n; i++) {
        conform_case best = blank_in_turn(p, i + 1000000), c = best;
        int gain = -1;
        for (int j = 0; j < (i < n_greedy ? CANDIDATES : 1); j++) {
            if (!planner_draw(p, &c, 0))
                break;
            const int its = conform_cover_gain(&p->cover, &c, 0);
            if (its > gain) {
                gain = its;
                best = c;
            }
        }
        if (gain >= 0)
            IFN_TRY(planner_append(p, &best, err));
    }
    return IFN_OK;
}

/* Steps to the next combination of sizes, which are counted like digits of a number. Returns 0 after the last one. */
static int next_sizes(const planner *p, const spec_always *always, int at[CONFORM_MAX_DIMS])
{
    for (int i = p->n_dims - 1; i >= 0; i--) {
        if (++at[i] < always->sizes[p->dims[i] - p->spec->dims].n)
            return 1;
        at[i] = 0;
    }
    return 0;
}

/* The most elements of a case of an `always` entry, all tensors together, by the first profile that has the entry. */
static const int always_elements[PROFILE_COUNT] = {
    [PROFILE_SMOKE] = 1 << 23, [PROFILE_CI] = 1 << 25, [PROFILE_NIGHTLY] = 1 << 28};

/* Adds all sizes of an entry in one dtype and form. */
static ifn_status add_sizes(planner *p, const spec_always *always, const stratum *s, ifn_error *err)
{
    int at[CONFORM_MAX_DIMS] = {0};
    do {
        conform_case c = planner_blank(p, s, p->dice.next++);
        planner_draw_rest(p, &c);
        for (int i = 0; i < p->n_dims; i++)
            c.dim[i] = always->sizes[p->dims[i] - p->spec->dims].values[at[i]];
        if (plan_elements(&c) < 0)
            c.alias = 0; /* these sizes cannot have the overlap that was drawn */
        const int64_t elements = plan_elements(&c);
        if (elements < 0 || elements > always_elements[always->from])
            return ifn_fail(
                err, IFN_ERR_FORMAT,
                "spec of %s: always '%s': %s in %s, expected one of at most %d elements",
                ifn_op_name(p->spec->op), always->name,
                elements < 0 ? "there is no such case" : "too large a case",
                ifn_dtype_name(s->dtype), always_elements[always->from]);
        IFN_TRY(planner_append(p, &c, err));
    } while (next_sizes(p, always, at));
    return IFN_OK;
}

/* The first regime of a family; the reader of the spec has checked that there is one. */
static const spec_regime *regime_with(const spec_op *spec, conform_family family)
{
    int i = 0;
    while (i < spec->n_regimes - 1 && spec->regimes[i].family != family)
        i++;
    return &spec->regimes[i];
}

/* Adds the sizes of an entry in each output dtype and each family that it names. */
static ifn_status add_kinds(planner *p, const spec_always *always, const stratum *s, ifn_error *err)
{
    const int outs = always->n_out_dtypes ? always->n_out_dtypes : 1;
    const int families = always->n_families ? always->n_families : 1;
    for (int i = 0; i < outs * families; i++) {
        const plan_want want = {
            always->n_families ? regime_with(p->spec, always->families[i % families]) : NULL,
            always->n_out_dtypes ? &always->out_dtypes[i / families] : NULL};
        p->want = &want;
        const ifn_status status = add_sizes(p, always, s, err);
        p->want = NULL;
        IFN_TRY(status);
    }
    return IFN_OK;
}

/* Draws cases of a regime until it has `least` of them, or until no such case can be drawn. */
static ifn_status add_missing(planner *p, int s, int out, int regime, int32_t least, ifn_error *err)
{
    const plan_want want = {&p->spec->regimes[regime], &p->spec->out_dtypes[out]};
    conform_case c;
    ifn_status status = IFN_OK;
    p->want = &want;
    while (status == IFN_OK && p->n_of[s][out][regime] < least) {
        c = planner_blank(p, &p->strata[s], p->dice.next++);
        if (!planner_draw(p, &c, 0))
            break;
        status = planner_append(p, &c, err);
    }
    p->want = NULL;
    return status;
}

static ifn_status add_regimes(planner *p, ifn_error *err)
{
    const int32_t least = conform_regime_least(p->filter->profile);
    const plan_dice dice = p->dice;
    p->dice = (plan_dice){.stream = conform_stream_of(dice.stream.key, "regimes")};
    for (int s = 0; s < p->n_strata; s++)
        for (int out = 0; out < p->spec->n_out_dtypes; out++)
            for (int regime = 0; regime < p->spec->n_regimes; regime++) {
                const conform_case c = {.dtype = p->strata[s].dtype,
                                        .tier = p->spec->regimes[regime].tier,
                                        .family = p->spec->regimes[regime].family};
                if (conform_regime_of(p->spec, &c) == regime)
                    IFN_TRY(add_missing(p, s, out, regime, least, err));
            }
    p->dice = dice;
    return IFN_OK;
}

/* Adds the `always` entries. They have their own random stream, so that they do not change the other draws. */
static ifn_status add_always(planner *p, ifn_error *err)
{
    const plan_dice dice = p->dice;
    p->dice = (plan_dice){.stream = conform_stream_of(dice.stream.key, "always")};
    for (int i = 0; i < p->spec->n_always; i++) {
        const spec_always *const always = &p->spec->always[i];
        if (always->from > (int)p->filter->profile)
            continue;
        for (int s = 0; s < p->n_strata; s++)
            if (plan_names_dtype(always->dtypes, always->n_dtypes, p->strata[s].dtype))
                IFN_TRY(add_kinds(p, always, &p->strata[s], err));
    }
    p->dice = dice;
    return IFN_OK;
}

static ifn_status add_golden(planner *p, ifn_error *err)
{
    for (int i = 0; i < p->spec->n_golden; i++) {
        conform_case c;
        IFN_TRY(conform_golden_case(p->spec, (uint32_t)i + 1, &c, err));
        if (planner_is_wanted(p, c.dtype))
            IFN_TRY(planner_append(p, &c, err));
    }
    return IFN_OK;
}

static ifn_status add_refused(planner *p, ifn_error *err)
{
    for (int i = 0; i < p->spec->n_refuse; i++) {
        const conform_case c = conform_refuse_case(p->spec, (uint32_t)i + 1);
        if (planner_is_wanted(p, c.dtype))
            IFN_TRY(planner_append(p, &c, err));
    }
    return IFN_OK;
}

/* Adds evenly spaced pieces of a sweep; the seed chooses the first. */
static ifn_status add_sweep(planner *p, const conform_sweep *sweep, int i, ifn_error *err)
{
    const int64_t n = conform_sweep_pieces(sweep), most = plan_budgets[p->filter->profile].n_swept;
    const int64_t wanted = p->filter->is_exhaustive || most == 0 || most > n ? n : most;
    const conform_stream s = conform_stream_of(p->dice.stream.key, "walk");
    const int64_t first = conform_integer(s, (uint64_t)i, 0, n - 1);
    for (int64_t j = 0; j < wanted; j++) {
        const conform_case c = conform_sweep_piece(sweep, (first + j * n / wanted) % n);
        IFN_TRY(planner_append(p, &c, err));
    }
    return IFN_OK;
}

static ifn_status add_sweeps(planner *p, ifn_error *err)
{
    conform_sweep sweep;
    for (int i = 0; conform_sweep_of(p->module->op, i, &sweep); i++)
        if (planner_is_wanted(p, sweep.c.dtype))
            IFN_TRY(add_sweep(p, &sweep, i, err));
    return IFN_OK;
}

static int64_t count_of(const planner *p)
{
    const conform_filter *w = p->filter;
    if (w->n_cases > 0)
        return w->n_cases;
    const int64_t n = plan_budgets[w->profile].n_cases;
    const int64_t strata = plan_budgets[w->profile].n_stratum * p->n_strata;
    return conform_use_of(p->module->op) && strata > n ? strata : n;
}

enum { AIMS = 256 };

/* Adds one case that falls into the class of the hole, or none if AIMS draws find no such case within filter and
 * budget. */
static ifn_status add_aimed(planner *p, const reach_hole *hole, ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const plan_aimer aimer = {p->spec, &shape, p->filter->profile, &p->dice};
    for (int i = 0; i < AIMS; i++) {
        const stratum *const s = &p->strata[plan_roll(&p->dice, 0, p->n_strata - 1)];
        const reach_key key = {(int32_t)s->dtype, s->prepared, hole->key.out};
        conform_case c = planner_blank(p, s, p->dice.next++);
        if (!reach_stands_for(hole->key, key))
            continue;
        planner_draw_rest(p, &c);
        planner_draw_sizes(p, &c, 0);
        if (!plan_aim(&aimer, &c, hole))
            continue;
        const int64_t elements = plan_elements(&c);
        if (elements >= 0 && (plan_is_large(hole->class) ||
                              (elements <= PLAN_ELEMENTS && p->module->work(&c) <= PLAN_WORK)))
            return planner_append(p, &c, err);
    }
    return IFN_OK;
}

static ifn_status close_hole(planner *p, const reach_hole *hole, ifn_error *err)
{
    for (int64_t i = hole->n; i < hole->needed; i++) {
        const int64_t n = reach_sum(&p->reach.reached, hole->key, hole->class);
        if (n >= hole->needed)
            break;
        IFN_TRY(add_aimed(p, hole, err));
        if (reach_sum(&p->reach.reached, hole->key, hole->class) == n)
            break;
    }
    return IFN_OK;
}

/* Adds cases for classes that the profile promises and the drawn cases have not reached. */
static ifn_status add_promised(planner *p, ifn_error *err)
{
    const plan_dice dice = p->dice;
    plan_holes holes;
    ifn_status status = plan_holes_find(&holes, &p->reach, p->spec, p->filter->profile, err);
    p->dice = (plan_dice){.stream = conform_stream_of(dice.stream.key, "missing")};
    for (int i = 0; status == IFN_OK && i < holes.n; i++)
        if (plan_can_aim(holes.holes[i].class))
            status = close_hole(p, &holes.holes[i], err);
    plan_holes_close(&holes);
    p->dice = dice;
    return status;
}

static ifn_status fill_plan(planner *p, ifn_error *err)
{
    const bool is_shaped = conform_filter_is_shaped(p->filter);
    if (p->filter->is_exhaustive)
        return add_sweeps(p, err);
    if (!is_shaped) {
        IFN_TRY(add_golden(p, err));
        IFN_TRY(add_refused(p, err));
    }
    if (p->n_strata == 0)
        return IFN_OK;
    if (!is_shaped)
        IFN_TRY(add_model_sizes(p, err));
    IFN_TRY(add_drawn(p, count_of(p), err));
    if (!is_shaped && p->filter->n_cases == 0)
        IFN_TRY(planner_add_large(p, err));
    if (!is_shaped)
        IFN_TRY(add_always(p, err));
    if (!is_shaped && p->filter->n_cases == 0)
        IFN_TRY(planner_add_mixed(p, err));
    if (!is_shaped && p->filter->n_cases == 0)
        IFN_TRY(add_regimes(p, err));
    if (is_shaped || p->filter->n_cases)
        return IFN_OK;
    IFN_TRY(add_sweeps(p, err));
    return add_promised(p, err);
}

ifn_status conform_plan_open(conform_plan *self, const spec_op *spec, const conform_filter *filter,
                             ifn_error *err)
{
    planner p = {
        .module = conform_module_of(spec->op), .spec = spec, .filter = filter, .plan = self};
    p.dice.stream = conform_stream_of(filter->seed, ifn_op_name(spec->op));
    *self = (conform_plan){0};
    IFN_TRY(planner_find_dims(&p, err));
    if (!planner_split_filter(&p))
        return IFN_OK;
    planner_add_strata(&p);
    IFN_TRY(conform_cover_open(&p.cover, p.n_dims, err));
    const ifn_status status = fill_plan(&p, err);
    planner_keep_own(self, filter);
    self->n_triples = p.cover.n_covered;
    conform_cover_close(&p.cover);
    conform_reach_close(&p.reach);
    if (status != IFN_OK)
        conform_plan_close(self);
    return status;
}
