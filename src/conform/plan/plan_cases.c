#include "plan_cases.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "exhaustive.h"
#include "golden.h"
#include "invoke.h"
#include "plan_cover.h"
#include "plan_large.h"
#include "plan_reach.h"
#include "regimes.h"
#include "sampled.h"

static const struct {
    int64_t n_cases, n_stratum, n_model, model_work, n_walked;
} profiles[] = {
#define X(NAME, name, cases, stratum, model, work, walk) {cases, stratum, model, work, walk},
    CONFORM_PROFILES(X)
#undef X
};

enum { CANDIDATES = 8, DRAWS = 200 };

/* A dtype of the op with raw or with prepared weights: each gets its share of the cases. */
typedef struct stratum {
    ifn_dtype dtype;
    int32_t prepared;
} stratum;

/* A regime, or a dtype of the output, that is not drawn; NULL: it is. */
typedef struct plan_want {
    const spec_regime *regime;
    const ifn_dtype *out;
} plan_want;

typedef struct planner {
    const conform_module *module;
    const spec_op *spec;
    const conform_wish *wish;
    const spec_dim *dims[CONFORM_MAX_DIMS]; /* in the module's order */
    int n_dims, n_aliases;
    int n_weights, n_outs; /* --dtype: of weights, cache or table; of what is written; 0: all */
    ifn_dtype weights[SPEC_MAX_DTYPES], outs[SPEC_MAX_DTYPES];
    int n_strata;
    stratum strata[2 * SPEC_MAX_DTYPES];
    plan_dice dice;
    conform_cover cover;
    conform_reach reach; /* of the cases so far, whatever their shard, as if each had passed */
    conform_plan *plan;
    int64_t capacity;
    const plan_want *want; /* NULL: everything is drawn */
    int32_t n_of[2 * SPEC_MAX_DTYPES][SPEC_MAX_DTYPES][SPEC_MAX_REGIMES];
} planner;

/* Whether a list names the dtype; an empty one stands for all. */
static int names_dtype(const ifn_dtype *list, int n, ifn_dtype dtype)
{
    for (int i = 0; i < n; i++)
        if (list[i] == dtype)
            return 1;
    return n == 0;
}

static int is_wanted(const planner *p, ifn_dtype dtype)
{
    return names_dtype(p->weights, p->n_weights, dtype);
}

static int is_wanted_out(const planner *p, ifn_dtype dtype)
{
    return names_dtype(p->outs, p->n_outs, dtype);
}

static int is_one_of(const ifn_dtype *list, int n, ifn_dtype dtype)
{
    return n > 0 && names_dtype(list, n, dtype);
}

/* A dtype is that of weights where they differ, else of what is written where that does. Returns 0
 * if something was wished for, and the op has none of it. */
static int split_wish(planner *p)
{
    const spec_op *const spec = p->spec;
    for (int i = 0; i < p->wish->n_dtypes; i++) {
        const ifn_dtype d = p->wish->dtypes[i];
        const int is_out = is_one_of(spec->out_dtypes, spec->n_out_dtypes, d);
        const int differs = spec->n_dtypes > 1 || spec->n_out_dtypes < 2 || !is_out;
        if (differs && is_one_of(spec->dtypes, spec->n_dtypes, d))
            p->weights[p->n_weights++] = d;
        else if (is_out)
            p->outs[p->n_outs++] = d;
    }
    return p->wish->n_dtypes == 0 || p->n_weights + p->n_outs > 0;
}

static void add_strata(planner *p)
{
    const int kinds = conform_use_of(p->module->op) ? 2 : 1;
    for (int i = 0; i < p->spec->n_dtypes; i++)
        for (int prepared = 0; prepared < kinds; prepared++)
            if (is_wanted(p, p->spec->dtypes[i]))
                p->strata[p->n_strata++] = (stratum){p->spec->dtypes[i], prepared};
}

static ifn_status find_dims(planner *p, ifn_error *err)
{
    while (p->n_dims < CONFORM_MAX_DIMS && p->module->dim_names[p->n_dims]) {
        const char *name = p->module->dim_names[p->n_dims];
        for (int i = 0; i < p->spec->n_dims; i++)
            if (strcmp(p->spec->dims[i].name, name) == 0)
                p->dims[p->n_dims] = &p->spec->dims[i];
        if (!p->dims[p->n_dims])
            return ifn_fail(err, IFN_ERR_FORMAT, "spec of %s: no shapes for dimension '%s'",
                            ifn_op_name(p->spec->op), name);
        p->n_dims++;
    }
    while (p->n_aliases < CONFORM_MAX_ALIASES && p->module->aliases[p->n_aliases])
        p->n_aliases++;
    return IFN_OK;
}

void conform_plan_count(conform_plan *self, const conform_case *c, int is_own)
{
    const uint64_t hash = conform_case_hash(c);
    self->n_whole++;
    self->whole_digest += hash;
    if (is_own)
        self->digest += hash;
}

static int in_shard(const conform_wish *w, const conform_case *c)
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

static ifn_status append(planner *p, const conform_case *c, ifn_error *err)
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
    conform_plan_count(plan, c, in_shard(p->wish, c));
    plan->cases[plan->n++] = *c;
    return IFN_OK;
}

/* What else is drawn depends on the cases so far: those of other shards go when the plan is whole,
 * so that it is the same in each. */
static void keep_own(conform_plan *plan, const conform_wish *wish)
{
    int64_t n = 0;
    for (int64_t i = 0; i < plan->n; i++)
        if (in_shard(wish, &plan->cases[i]))
            plan->cases[n++] = plan->cases[i];
    plan->n = n;
}

/* Case i of the stream. */
static conform_case blank(planner *p, const stratum *s, uint64_t i)
{
    conform_case c = {.op = p->module->op,
                      .dtype = s->dtype,
                      .prepared = s->prepared,
                      .seed = conform_bits(p->dice.stream, i) >> 32};
    c.tier = conform_draw_tier(p->spec, &c, &p->dice);
    return c;
}

/* Strata take turns. */
static conform_case blank_in_turn(planner *p, int64_t i)
{
    return blank(p, &p->strata[i % p->n_strata], (uint64_t)i);
}

static void draw_rest(planner *p, conform_case *c)
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

/* How many weights share x; 0 where the op has no such dimension. */
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
    while (!is_wanted(p, dtype));
    return dtype;
}

enum { MIXED_TURN = 4 };

/* Files mix dtypes: q and k in one, v in another. One call in some has such weights. */
static void draw_mixture(planner *p, conform_case *c)
{
    const int64_t n = weights_of(p, c);
    c->n_more = 0;
    if (n < 2 || n > IFN_LINEAR_MAX || p->n_weights == 1 || plan_roll(&p->dice, 1, MIXED_TURN) > 1)
        return;
    while (c->n_more < n - 1)
        c->more[c->n_more++] = draw_dtype(p);
}

static void draw_sizes(planner *p, conform_case *c, int model)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    for (int i = 0; i < p->n_dims; i++) {
        const int64_t multiple = plan_multiple(&shape, c, i);
        c->dim[i] = model ? plan_model_size(p->dims[i], multiple, &p->dice)
                          : plan_size(p->dims[i], multiple, &p->dice);
        if (p->wish->is_fixed[i])
            c->dim[i] = p->wish->fixed[i];
    }
}

/* Draws until the module has such a case and it is within the budget. Returns 0 if it never is. */
static int draw(planner *p, conform_case *c, int model)
{
    const int64_t most_elements = model ? PLAN_MODEL_ELEMENTS : PLAN_ELEMENTS;
    const int64_t most_work = model ? profiles[p->wish->profile].model_work : PLAN_WORK;
    for (int i = 0; i < DRAWS; i++) {
        draw_rest(p, c);
        /* after some attempts only some of the dimensions are at model size */
        draw_sizes(p, c, model && plan_roll(&p->dice, 0, DRAWS) > i / 4);
        draw_mixture(p, c);
        const int64_t elements = plan_elements(p->module, c);
        const int fixed = p->wish->is_fixed[0];
        if (elements >= 0 &&
            (fixed || (elements <= most_elements && p->module->work(c) <= most_work)))
            return 1;
    }
    return 0;
}

/* What has octaves of its own: a dtype, or where there is only one a dtype of the output. */
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
        if (is_wanted(p, dtype))
            kinds[n++] = (kind){dtype, out, !by_out};
    }
    return n;
}

/* Cases of one kind in each octave of each dimension, weights raw and prepared. */
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

/* What is going on while octaves are filled. */
typedef struct filling {
    const kind *kind;
    int64_t round;
    census counts;
    double *left; /* seconds */
} filling;

static ifn_status add_in_octave(planner *p, filling *f, int32_t prepared, int dim, int octave,
                                ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const stratum s = {f->kind->dtype, prepared};
    conform_case c = blank(p, &s, p->dice.next++);
    draw_rest(p, &c);
    c.out_dtype = f->kind->has_any_out ? c.out_dtype : f->kind->out_dtype;
    plan_large_regime(p->spec, &c, &p->dice);
    if (!plan_octave_sizes(&shape, p->wish->profile, &c, dim, octave, &p->dice))
        return IFN_OK;
    *f->left -= plan_seconds(p->module, &c);
    count_octaves(p, &c, &f->counts);
    return append(p, &c, err);
}

/* One more in an octave that has no more than `round`, of the form it has fewer of. The first is
 * added whatever it costs; so is one of each form where a profile has several. */
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

/* One of each kind with each dimension the longest, or as many as a profile has. */
static int64_t count_heavy(const planner *p, int n_kinds)
{
    const int64_t least = (int64_t)n_kinds * p->n_dims, most = plan_heavy(p->wish->profile);
    return p->module->has_statistics && most > least ? most : least;
}

/* Kinds take turns, then dimensions; and forms of weights. */
static ifn_status add_heavy(planner *p, const kind *kinds, int n_kinds, ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const bool has_forms = conform_use_of(p->module->op) != 0;
    for (int64_t i = 0; i < count_heavy(p, n_kinds); i++) {
        const kind *const k = &kinds[i % n_kinds];
        const int64_t turn = i / n_kinds;
        const stratum s = {k->dtype, has_forms && (turn + i) % 2};
        conform_case c = blank(p, &s, (uint64_t)i + 2000000);
        draw_rest(p, &c);
        c.out_dtype = k->has_any_out ? c.out_dtype : k->out_dtype;
        plan_large_regime(p->spec, &c, &p->dice);
        if (plan_heavy_sizes(&shape, p->wish->profile, &c, (int)(turn % p->n_dims), &p->dice))
            IFN_TRY(append(p, &c, err));
    }
    return IFN_OK;
}

/* One regime at one kind, a dimension of which is large. */
static ifn_status add_large_one(planner *p, const kind *k, int32_t prepared,
                                const spec_regime *regime, int dim, ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const plan_want want = {regime,
                            p->spec->n_out_dtypes && !k->has_any_out ? &k->out_dtype : NULL};
    const stratum s = {k->dtype, prepared};
    conform_case c = blank(p, &s, p->dice.next++);
    p->want = &want;
    draw_rest(p, &c);
    p->want = NULL;
    const bool is_one = conform_regime_of(p->spec, &c) >= 0;
    return is_one && plan_large_sizes(&shape, p->wish->profile, &c, dim, &p->dice)
               ? append(p, &c, err)
               : IFN_OK;
}

/* Of the first kind from `at` on that has it. */
static ifn_status add_large_any(planner *p, const kind *kinds, int n_kinds, int at,
                                int32_t prepared, const spec_regime *regime, int dim,
                                ifn_error *err)
{
    const int64_t before = p->plan->n_whole;
    for (int i = 0; i < n_kinds && p->plan->n_whole == before; i++)
        IFN_TRY(add_large_one(p, &kinds[(at + i) % n_kinds], prepared, regime, dim, err));
    return IFN_OK;
}

/* What kernels do for short rows they forget for long ones: every regime once with each dimension
 * large, of one kind in smoke, of all of them from ci on. */
static ifn_status add_large_regimes(planner *p, const kind *kinds, int n_kinds, ifn_error *err)
{
    const bool has_forms = conform_use_of(p->module->op) != 0;
    const bool is_smoke = p->wish->profile == PROFILE_SMOKE;
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

/* Every octave gets one case, then every octave another, until there are enough or time is up. */
static ifn_status add_large(planner *p, ifn_error *err)
{
    kind kinds[SPEC_MAX_DTYPES];
    const int n = list_kinds(p, kinds);
    const plan_dice dice = p->dice;
    double left = plan_large_seconds(p->wish->profile);
    p->dice = (plan_dice){.stream = conform_stream_of(dice.stream.key, "large")};
    if (n > 0)
        IFN_TRY(add_heavy(p, kinds, n, err));
    if (n > 0)
        IFN_TRY(add_large_regimes(p, kinds, n, err));
    for (int64_t round = 0; round < plan_per_octave(p->wish->profile); round++)
        for (int i = 0; i < n; i++) {
            filling f = {.kind = &kinds[i], .round = round, .left = &left};
            IFN_TRY(fill_octaves(p, &f, err));
        }
    p->dice = dice;
    return IFN_OK;
}

static ifn_status add_model_sizes(planner *p, ifn_error *err)
{
    int has_model = 0;
    for (int i = 0; i < p->n_dims; i++)
        has_model |= p->dims[i]->model_n > 0;
    for (int64_t i = 0; has_model && i < profiles[p->wish->profile].n_model; i++) {
        conform_case c = blank_in_turn(p, i);
        if (draw(p, &c, 1))
            IFN_TRY(append(p, &c, err));
    }
    return IFN_OK;
}

/* Of several candidates the one that covers most new triples; later any will do. */
static ifn_status add_drawn(planner *p, int64_t n, ifn_error *err)
{
    const int64_t n_greedy = n / 2;
    for (int64_t i = 0; i < n; i++) {
        conform_case best = blank_in_turn(p, i + 1000000), c = best;
        int gain = -1;
        for (int j = 0; j < (i < n_greedy ? CANDIDATES : 1); j++) {
            if (!draw(p, &c, 0))
                break;
            const int its = conform_cover_gain(&p->cover, &c, 0);
            if (its > gain) {
                gain = its;
                best = c;
            }
        }
        if (gain >= 0)
            IFN_TRY(append(p, &best, err));
    }
    return IFN_OK;
}

/* The sizes of an entry as digits: the next number, or 0 after the last. */
static int next_sizes(const planner *p, const spec_always *always, int at[CONFORM_MAX_DIMS])
{
    for (int i = p->n_dims - 1; i >= 0; i--) {
        if (++at[i] < always->sizes[p->dims[i] - p->spec->dims].n)
            return 1;
        at[i] = 0;
    }
    return 0;
}

/* By the first profile that has an entry: of all its tensors together. */
static const int always_elements[PROFILE_COUNT] = {
    [PROFILE_SMOKE] = 1 << 22, [PROFILE_CI] = 1 << 25, [PROFILE_NIGHTLY] = 1 << 28};

/* All sizes of an entry in one dtype and form. */
static ifn_status add_sizes(planner *p, const spec_always *always, const stratum *s, ifn_error *err)
{
    int at[CONFORM_MAX_DIMS] = {0};
    do {
        conform_case c = blank(p, s, p->dice.next++);
        draw_rest(p, &c);
        for (int i = 0; i < p->n_dims; i++)
            c.dim[i] = always->sizes[p->dims[i] - p->spec->dims].values[at[i]];
        const int64_t elements = plan_elements(p->module, &c);
        if (elements < 0 || elements > always_elements[always->from])
            return ifn_fail(
                err, IFN_ERR_FORMAT,
                "spec of %s: always '%s': %s in %s, expected one of at most %d elements",
                ifn_op_name(p->spec->op), always->name,
                elements < 0 ? "there is no such case" : "too large a case",
                ifn_dtype_name(s->dtype), always_elements[always->from]);
        IFN_TRY(append(p, &c, err));
    } while (next_sizes(p, always, at));
    return IFN_OK;
}

/* The first regime of a family; the reader has seen to it that there is one. */
static const spec_regime *regime_with(const spec_op *spec, conform_family family)
{
    int i = 0;
    while (i < spec->n_regimes - 1 && spec->regimes[i].family != family)
        i++;
    return &spec->regimes[i];
}

/* Each dtype of the output, and each family, that an entry names. */
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

/* What draws left short of the least there is to be of a regime, where it is possible at all. */
static ifn_status add_missing(planner *p, int s, int out, int regime, int32_t least, ifn_error *err)
{
    const plan_want want = {&p->spec->regimes[regime], &p->spec->out_dtypes[out]};
    conform_case c;
    ifn_status status = IFN_OK;
    p->want = &want;
    while (status == IFN_OK && p->n_of[s][out][regime] < least) {
        c = blank(p, &p->strata[s], p->dice.next++);
        if (!draw(p, &c, 0))
            break;
        status = append(p, &c, err);
    }
    p->want = NULL;
    return status;
}

static ifn_status add_regimes(planner *p, ifn_error *err)
{
    const int32_t least = conform_regime_least(p->wish->profile);
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

/* Last, and with dice of their own: they change nothing of what is drawn. */
static ifn_status add_always(planner *p, ifn_error *err)
{
    const plan_dice dice = p->dice;
    p->dice = (plan_dice){.stream = conform_stream_of(dice.stream.key, "always")};
    for (int i = 0; i < p->spec->n_always; i++) {
        const spec_always *const always = &p->spec->always[i];
        if (always->from > (int)p->wish->profile)
            continue;
        for (int s = 0; s < p->n_strata; s++)
            if (names_dtype(always->dtypes, always->n_dtypes, p->strata[s].dtype))
                IFN_TRY(add_kinds(p, always, &p->strata[s], err));
    }
    p->dice = dice;
    return IFN_OK;
}

static ifn_status add_golden(planner *p, ifn_error *err)
{
    for (int i = 0; i < p->spec->n_golden; i++) {
        conform_case c;
        IFN_TRY(conform_golden_case(p->module, p->spec, (uint32_t)i + 1, &c, err));
        if (is_wanted(p, c.dtype))
            IFN_TRY(append(p, &c, err));
    }
    return IFN_OK;
}

static ifn_status add_refused(planner *p, ifn_error *err)
{
    for (int i = 0; i < p->spec->n_refuse; i++) {
        const conform_case c = conform_refuse_case(p->spec, (uint32_t)i + 1);
        if (is_wanted(p, c.dtype))
            IFN_TRY(append(p, &c, err));
    }
    return IFN_OK;
}

/* Pieces that lie evenly, from one on that the seed chooses. */
static ifn_status add_walk(planner *p, const conform_walk *walk, int i, ifn_error *err)
{
    const int64_t n = conform_walk_pieces(walk), most = profiles[p->wish->profile].n_walked;
    const int64_t wanted = p->wish->is_exhaustive || most == 0 || most > n ? n : most;
    const conform_stream s = conform_stream_of(p->dice.stream.key, "walk");
    const int64_t first = conform_integer(s, (uint64_t)i, 0, n - 1);
    for (int64_t j = 0; j < wanted; j++) {
        const conform_case c = conform_walk_piece(walk, (first + j * n / wanted) % n);
        IFN_TRY(append(p, &c, err));
    }
    return IFN_OK;
}

static ifn_status add_walks(planner *p, ifn_error *err)
{
    conform_walk walk;
    for (int i = 0; conform_walk_of(p->module->op, i, &walk); i++)
        if (is_wanted(p, walk.c.dtype))
            IFN_TRY(add_walk(p, &walk, i, err));
    return IFN_OK;
}

static int64_t count_of(const planner *p)
{
    const conform_wish *w = p->wish;
    if (w->n_cases > 0)
        return w->n_cases;
    const int64_t n = profiles[w->profile].n_cases;
    const int64_t strata = profiles[w->profile].n_stratum * p->n_strata;
    return conform_use_of(p->module->op) && strata > n ? strata : n;
}

enum { AIMS = 256 };

/* One case that closes the hole; none where chance, a filter or the budget is against it. */
static ifn_status add_aimed(planner *p, const reach_hole *hole, ifn_error *err)
{
    const plan_shape shape = {p->module, p->dims, p->n_dims};
    const plan_aimer aimer = {p->spec, &shape, p->wish->profile, &p->dice};
    for (int i = 0; i < AIMS; i++) {
        const stratum *const s = &p->strata[plan_roll(&p->dice, 0, p->n_strata - 1)];
        const reach_key key = {(int32_t)s->dtype, s->prepared, hole->key.out};
        conform_case c = blank(p, s, p->dice.next++);
        if (!reach_stands_for(hole->key, key))
            continue;
        draw_rest(p, &c);
        draw_sizes(p, &c, 0);
        if (!plan_aim(&aimer, &c, hole))
            continue;
        const int64_t elements = plan_elements(p->module, &c);
        if (elements >= 0 && (plan_is_large(hole->class) ||
                              (elements <= PLAN_ELEMENTS && p->module->work(&c) <= PLAN_WORK)))
            return append(p, &c, err);
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

/* What the profile promises, and what was drawn has not reached. */
static ifn_status add_promised(planner *p, ifn_error *err)
{
    const plan_dice dice = p->dice;
    plan_holes holes;
    ifn_status status = plan_holes_find(&holes, &p->reach, p->spec, p->wish->profile, err);
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
    int is_shaped = 0;
    for (int i = 0; i < p->n_dims; i++)
        is_shaped |= p->wish->is_fixed[i];
    if (p->wish->is_exhaustive)
        return add_walks(p, err);
    if (!is_shaped) {
        IFN_TRY(add_golden(p, err));
        IFN_TRY(add_refused(p, err));
    }
    if (p->n_strata == 0)
        return IFN_OK;
    if (!is_shaped)
        IFN_TRY(add_model_sizes(p, err));
    IFN_TRY(add_drawn(p, count_of(p), err));
    if (!is_shaped && p->wish->n_cases == 0)
        IFN_TRY(add_large(p, err));
    if (!is_shaped)
        IFN_TRY(add_always(p, err));
    if (!is_shaped && p->wish->n_cases == 0)
        IFN_TRY(add_regimes(p, err));
    if (is_shaped || p->wish->n_cases)
        return IFN_OK;
    IFN_TRY(add_walks(p, err));
    return add_promised(p, err);
}

ifn_status conform_plan_open(conform_plan *self, const spec_op *spec, const conform_wish *wish,
                             ifn_error *err)
{
    planner p = {.module = conform_module_of(spec->op), .spec = spec, .wish = wish, .plan = self};
    p.dice.stream = conform_stream_of(wish->seed, ifn_op_name(spec->op));
    *self = (conform_plan){0};
    IFN_TRY(find_dims(&p, err));
    if (!split_wish(&p))
        return IFN_OK;
    add_strata(&p);
    IFN_TRY(conform_cover_open(&p.cover, p.n_dims, err));
    const ifn_status status = fill_plan(&p, err);
    keep_own(self, wish);
    self->n_triples = p.cover.n_covered;
    conform_cover_close(&p.cover);
    conform_reach_close(&p.reach);
    if (status != IFN_OK)
        conform_plan_close(self);
    return status;
}

void conform_plan_close(conform_plan *self)
{
    free(self->cases);
    *self = (conform_plan){0};
}
