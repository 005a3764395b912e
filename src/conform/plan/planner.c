#include "planner.h"

#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "invoke.h"
#include "plan_large.h"
#include "regimes.h"

enum { DRAWS = 200 };

enum { MIXED_TURN = 4, TWIN_TURN = 8 };

const plan_budget plan_budgets[PROFILE_COUNT] = {
#define X(NAME, name, cases, stratum, model, work, sweep) {cases, stratum, model, work, sweep},
    CONFORM_PROFILES(X)
#undef X
};

int plan_names_dtype(const ifn_dtype *list, int n, ifn_dtype dtype)
{
    for (int i = 0; i < n; i++)
        if (list[i] == dtype)
            return 1;
    return n == 0;
}

int planner_is_wanted(const planner *p, ifn_dtype dtype)
{
    return plan_names_dtype(p->weights, p->n_weights, dtype);
}

static bool is_wanted_out(const planner *p, ifn_dtype dtype)
{
    return plan_names_dtype(p->outs, p->n_outs, dtype);
}

static bool is_one_of(const ifn_dtype *list, int n, ifn_dtype dtype)
{
    return n > 0 && plan_names_dtype(list, n, dtype);
}

int planner_split_filter(planner *p)
{
    const spec_op *const spec = p->spec;
    for (int i = 0; i < p->filter->n_dtypes; i++) {
        const ifn_dtype d = p->filter->dtypes[i];
        const bool is_out = is_one_of(spec->out_dtypes, spec->n_out_dtypes, d);
        const int differs = spec->n_dtypes > 1 || spec->n_out_dtypes < 2 || !is_out;
        if (differs && is_one_of(spec->dtypes, spec->n_dtypes, d))
            p->weights[p->n_weights++] = d;
        else if (is_out)
            p->outs[p->n_outs++] = d;
    }
    return p->filter->n_dtypes == 0 || p->n_weights + p->n_outs > 0;
}

void planner_add_strata(planner *p)
{
    const int kinds = conform_use_of(p->module->op) ? 2 : 1;
    for (int i = 0; i < p->spec->n_dtypes; i++)
        for (int prepared = 0; prepared < kinds; prepared++)
            if (planner_is_wanted(p, p->spec->dtypes[i]))
                p->strata[p->n_strata++] = (stratum){p->spec->dtypes[i], prepared};
}

ifn_status planner_find_dims(planner *p, ifn_error *err)
{
    p->n_dims = plan_find_dims(p->module, p->spec, p->dims);
    if (p->n_dims < CONFORM_MAX_DIMS && p->module->dim_names[p->n_dims])
        return ifn_fail(err, IFN_ERR_FORMAT, "spec of %s: no shapes for dimension '%s'",
                        ifn_op_name(p->spec->op), p->module->dim_names[p->n_dims]);
    while (p->n_aliases < CONFORM_MAX_ALIASES && p->module->aliases[p->n_aliases])
        p->n_aliases++;
    return IFN_OK;
}

static int in_shard(const conform_filter *w, const conform_case *c)
{
    return w->n_shards < 2 || conform_case_hash(c) % (uint64_t)w->n_shards == (uint64_t)w->shard;
}

static void count_regime(planner *p, const conform_case *c)
{
    const int regime = conform_regime_of(p->spec, c);
    for (int s = 0; regime >= 0 && s < p->n_strata; s++)
        for (int o = 0; o < p->spec->n_out_dtypes; o++)
            p->n_of[s][o][regime] += p->strata[s].dtype == c->dtype &&
                                     p->strata[s].prepared == c->prepared &&
                                     p->spec->out_dtypes[o] == c->out_dtype;
}

ifn_status planner_append(planner *p, const conform_case *c, ifn_error *err)
{
    conform_plan *plan = p->plan;
    if (plan->n == p->capacity) {
        const int64_t capacity = p->capacity ? 2 * p->capacity : 1024;
        conform_case *grown = realloc(plan->cases, (size_t)capacity * sizeof *grown);
        if (!grown)
            return ifn_fail(err, IFN_ERR_NOMEM, "plan: no memory for %lld cases",
                            (long long)capacity);
        plan->cases = grown;
        p->capacity = capacity;
    }
    if (!is_wanted_out(p, c->out_dtype))
        return IFN_OK;
    conform_cover_gain(&p->cover, c, 1);
    count_regime(p, c);
    conform_reach_count(&p->reach, c,
                        &(conform_verdict){.outcome = OUTCOME_PASS, .far = conform_far_due(c)});
    conform_plan_count(plan, c, in_shard(p->filter, c));
    plan->cases[plan->n++] = *c;
    return IFN_OK;
}

void planner_keep_own(conform_plan *plan, const conform_filter *filter)
{
    int64_t n = 0;
    for (int64_t i = 0; i < plan->n; i++)
        if (in_shard(filter, &plan->cases[i]))
            plan->cases[n++] = plan->cases[i];
    plan->n = n;
}

conform_case planner_blank(planner *p, const stratum *s, uint64_t i)
{
    conform_case c = {.op = p->module->op,
                      .dtype = s->dtype,
                      .prepared = s->prepared,
                      .seed = conform_bits(p->dice.stream, i) >> 32};
    c.tier = conform_draw_tier(p->spec, &c, &p->dice);
    return c;
}

void planner_draw_rest(planner *p, conform_case *c)
{
    const plan_want none = {NULL, NULL}, *const want = p->want ? p->want : &none;
    if (want->regime)
        c->tier = want->regime->tier;
    c->family = want->regime ? want->regime->family : conform_draw_family(p->spec, c, &p->dice);
    c->out_dtype = IFN_DTYPE_F32;
    if (p->spec->n_out_dtypes > 0)
        do
            c->out_dtype = p->spec->out_dtypes[plan_roll(&p->dice, 0, p->spec->n_out_dtypes - 1)];
        while (!is_wanted_out(p, c->out_dtype));
    if (want->out)
        c->out_dtype = *want->out;
    c->alias = (int32_t)plan_roll(&p->dice, 0, p->n_aliases);
}

/* The number of weights that share x; 0 if the op has no such dimension. */
static int64_t weights_of(const planner *p, const conform_case *c)
{
    for (int i = 0; i < p->n_dims; i++)
        if (strcmp(p->module->dim_names[i], "n_w") == 0)
            return c->dim[i];
    return 0;
}

static ifn_dtype draw_dtype(planner *p)
{
    ifn_dtype dtype;
    do
        dtype = p->spec->dtypes[plan_roll(&p->dice, 0, p->spec->n_dtypes - 1)];
    while (!planner_is_wanted(p, dtype));
    return dtype;
}

/* Gives one call in MIXED_TURN weights of several dtypes, as files mix them: q and k in one dtype, v in another. */
static void draw_mixture(planner *p, conform_case *c)
{
    const int64_t n = weights_of(p, c);
    c->n_more = 0;
    if (n < 2 || n > IFN_LINEAR_MAX || p->n_weights == 1 || plan_roll(&p->dice, 1, MIXED_TURN) > 1)
        return;
    while (c->n_more < n - 1)
        c->more[c->n_more++] = draw_dtype(p);
}

static bool is_size(const spec_dim *dim)
{
    return dim->random_high > dim->random_low;
}

/* Makes one size equal to another in one case of TWIN_TURN: squares, equal halves, the same row of two matrices. */
static void draw_twin(planner *p, conform_case *c)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    if (p->n_dims < 2 || plan_roll(&p->dice, 1, TWIN_TURN) > 1)
        return;
    const int from = (int)plan_roll(&p->dice, 0, p->n_dims - 1);
    const int to = (int)plan_roll(&p->dice, 0, p->n_dims - 1);
    const int64_t size = c->dim[from];
    if (is_size(p->dims[from]) && is_size(p->dims[to]) && !p->filter->is_fixed[to] &&
        size >= p->dims[to]->random_low && size <= p->dims[to]->random_high &&
        size % plan_multiple(&shape, c, to) == 0)
        c->dim[to] = size;
}

void planner_draw_sizes(planner *p, conform_case *c, int model)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    for (int i = 0; i < p->n_dims; i++) {
        const int64_t multiple = plan_multiple(&shape, c, i);
        c->dim[i] = model ? plan_model_size(p->dims[i], multiple, &p->dice)
                          : plan_size(p->dims[i], multiple, &p->dice);
        if (p->filter->is_fixed[i])
            c->dim[i] = p->filter->fixed[i];
    }
    if (!model)
        draw_twin(p, c);
}

int planner_draw(planner *p, conform_case *c, int model)
{
    const int64_t most_elements = model ? PLAN_MODEL_ELEMENTS : PLAN_ELEMENTS;
    const int64_t most_work = model ? plan_budgets[p->filter->profile].model_work : PLAN_WORK;
    for (int i = 0; i < DRAWS; i++) {
        planner_draw_rest(p, c);
        /* after some attempts only some of the dimensions are at model size */
        planner_draw_sizes(p, c, model && plan_roll(&p->dice, 0, DRAWS) > i / 4);
        draw_mixture(p, c);
        const int64_t elements = plan_elements(c);
        const int fixed = p->filter->is_fixed[0];
        if (elements >= 0 &&
            (fixed || (elements <= most_elements && p->module->work(c) <= most_work)))
            return 1;
    }
    return 0;
}
