/*
 * Fills in what a certificate needs: every class that the op can have by its spec, as often as the profile
 * promises. The op's module decides whether a size is possible.
 */
#include <string.h>

#include "case_call.h"
#include "exhaustive.h"
#include "far_whole.h"
#include "golden.h"
#include "invoke.h"
#include "plan_large.h"
#include "reach.h"
#include "regimes.h"
#include "row_view.h"

/* The promised number of cases: n in general; n_by_kind for an octave of each form of weights and output dtype;
 * n_residues for a pair of residues; n_long for a far call of 2^24 elements, n_huge for one of 2^31 or 2^32 bytes,
 * n_costly for one that takes seconds. is_by_kind: n is promised for each kind, not for the op as a whole. */
static const struct promise {
    int64_t n, n_by_kind, n_residues, n_long, n_huge, n_costly;
    bool is_by_kind;
} promises[PROFILE_COUNT] = {
    [PROFILE_SMOKE] = {1, 0, 0, 1, 0, 0, false},
    [PROFILE_CI] = {8, 1, 1, 1, 1, 0, true},
    [PROFILE_NIGHTLY] = {64, 8, 8, 1, 1, 1, true},
};

enum { MOST_TRIED = 48 };

typedef struct sizes {
    int n;
    int64_t at[MOST_TRIED];
} sizes;

typedef struct asker {
    conform_reach *reach;
    const spec_op *spec;
    const conform_module *module;
    struct promise promise;
    conform_profile profile;
    int n_dims;
    const spec_dim *dims[CONFORM_MAX_DIMS]; /* in the module's order */
    int64_t low[CONFORM_MAX_DIMS], high[CONFORM_MAX_DIMS];
} asker;

static void add_size(sizes *s, int64_t size)
{
    if (s->n < MOST_TRIED)
        s->at[s->n++] = size;
}

/* Adds the smallest multiple of a block that the spec allows in [least, most], if there is one. */
static void add_multiple(sizes *s, const spec_dim *d, int64_t block, int64_t least, int64_t most)
{
    const int64_t low = least > d->random_low ? least : d->random_low;
    const int64_t high = most < d->limit ? most : d->limit;
    const int64_t multiple = d->multiple > 1 ? d->multiple : 1;
    const int64_t size = (low + block - 1) / block * block;
    if (size <= high && size % multiple == 0)
        add_size(s, size);
}

/* Some sizes of a dimension in [least, most]: multiples of the block sizes, model sizes and edges. */
static sizes sizes_in_octave(const spec_dim *d, int64_t least, int64_t most)
{
    static const int64_t blocks[] = {256, 32, 2, 1};
    sizes s = {.n = 0};
    for (int i = 0; i < 4; i++)
        add_multiple(&s, d, blocks[i], least, most);
    for (int64_t i = 0; i < d->model_n; i++)
        if (d->model[i] >= least && d->model[i] <= most)
            add_size(&s, d->model[i]);
    for (int i = 0; i < d->n_edges; i++)
        if (d->edges[i] >= least && d->edges[i] <= most)
            add_size(&s, d->edges[i]);
    return s;
}

enum { FEW = 4 };

/* Some sizes of a dimension that have the residue. */
static sizes sizes_of_residue(const spec_dim *d, int residue)
{
    const sizes all = sizes_in_octave(d, 0, d->limit);
    sizes s = {.n = 0};
    for (int i = 0; i < all.n && s.n < FEW; i++)
        if (reach_residue(all.at[i]) == residue)
            add_size(&s, all.at[i]);
    for (int64_t size = 1; size < 34 && s.n < FEW; size++)
        if (reach_residue(size) == residue)
            add_multiple(&s, d, 1, size, size);
    return s;
}

/* True if the module has a case with the sizes that are set, with small and large ones for the other dimensions. */
static bool is_possible(const asker *a, conform_case *c, unsigned is_set)
{
    conform_layout l;
    for (unsigned way = 0; way < 1U << a->n_dims; way++) {
        if (way & is_set)
            continue;
        for (int i = 0; i < a->n_dims; i++)
            if (!(is_set >> i & 1))
                c->dim[i] = way >> i & 1 ? a->high[i] : a->low[i];
        l = (conform_layout){0};
        if (conform_case_layout(c, &l) == IFN_OK)
            return true;
    }
    return false;
}

static conform_case case_of(const asker *a, reach_key key)
{
    return (conform_case){.op = a->spec->op,
                          .dtype = (ifn_dtype)key.dtype,
                          .prepared = key.form == 1,
                          .out_dtype = (ifn_dtype)key.out,
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static bool has_octave(const asker *a, reach_key key, int dim, int octave)
{
    const int64_t least = octave ? (int64_t)1 << (octave - 1) : 0;
    const int64_t most = octave ? 2 * least - 1 : 0;
    const sizes s = sizes_in_octave(a->dims[dim], least, most);
    conform_case c = case_of(a, key);
    for (int i = 0; i < s.n; i++) {
        c.dim[dim] = s.at[i];
        if (is_possible(a, &c, 1U << dim))
            return true;
    }
    return false;
}

static bool has_residues(const asker *a, reach_key key, int first, int second, int at)
{
    const sizes x = sizes_of_residue(a->dims[first], at / REACH_N_RESIDUES);
    const sizes y = sizes_of_residue(a->dims[second], at % REACH_N_RESIDUES);
    conform_case c = case_of(a, key);
    for (int i = 0; i < x.n * y.n; i++) {
        c.dim[first] = x.at[i / y.n];
        c.dim[second] = y.at[i % y.n];
        if (is_possible(a, &c, 1U << first | 1U << second))
            return true;
    }
    return false;
}

static bool has_regime(const asker *a, reach_key key, conform_tier tier, conform_family family)
{
    conform_case c = case_of(a, key);
    c.tier = tier;
    c.family = family;
    return conform_regime_of(a->spec, &c) >= 0 && is_possible(a, &c, 0);
}

static bool has_overlap(const asker *a, reach_key key, int alias)
{
    conform_case c = case_of(a, key);
    c.alias = alias + 1;
    return a->module->aliases[alias] && is_possible(a, &c, 0);
}

/* True if the relation can be tried with the op (numerics 12). */
static bool has_relation(const asker *a, reach_key key, int relation)
{
    const ifn_op op = a->spec->op;
    const bool is_linear = op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8;
    const bool is_attention = op == IFN_OP_ATTENTION;
    switch (relation) {
    case 1:
        return ifn_op_cut(op, 0) != IFN_CUT_NONE;
    case 2:
        return conform_row_view_is_known(op);
    case 3:
        return is_attention || op == IFN_OP_KV_STORE || op == IFN_OP_APPLY_ROPE ||
               op == IFN_OP_APPLY_ROPE_SINGLE_ROW;
    case 5:
        return is_linear || is_attention;
    case 6:
        return has_overlap(a, key, 0);
    case 8:
        return is_attention || conform_row_view_is_known(op);
    case 9:
        return is_attention;
    case 10:
        return is_attention || op == IFN_OP_KV_STORE;
    default:
        return true; /* R0, R4 and R7 apply to every call */
    }
}

static void need(const asker *a, reach_key key, int class, int64_t n)
{
    int64_t *const needed = &reach_row_of(&a->reach->needed, key)->at[class];
    if (n > *needed)
        *needed = n;
}

static const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};

/* True if the op has one kind only, so that promises are for the op as a whole. */
static bool is_one_kind(const asker *a)
{
    return a->spec->n_dtypes < 2 && a->spec->n_out_dtypes < 2 && !conform_use_of(a->spec->op);
}

/* The last octave in which the profile can afford a case (plan_large.h). */
static int last_octave(const asker *a, reach_key key, int dim)
{
    const plan_shape shape = {a->module, a->dims, a->n_dims};
    const conform_case c = case_of(a, key);
    return plan_last_octave(&shape, a->profile, &c, dim) + 1;
}

static void need_octave(const asker *a, reach_key key, int dim, int octave)
{
    const int class = reach_class(REACH_OCTAVES, dim, octave);
    /* for what varies: the dtype of the input if there are several, else that of the output */
    const reach_key dtype = {key.dtype, REACH_ANY_FORM,
                             a->spec->n_dtypes > 1 ? REACH_ANY_DTYPE : key.out};
    need(a, is_one_kind(a) ? any : dtype, class, a->promise.n);
    if (a->promise.n_by_kind && !is_one_kind(a))
        need(a, key, class, a->promise.n_by_kind);
}

static void need_sizes(const asker *a, reach_key key)
{
    for (int i = 0; i < a->n_dims; i++) {
        const int last = last_octave(a, key, i);
        for (int octave = 0; octave <= last; octave++)
            if (has_octave(a, key, i, octave))
                need_octave(a, key, i, octave);
        for (int j = 0; j < i && a->promise.n_residues; j++)
            for (int at = 0; at < REACH_N_RESIDUES * REACH_N_RESIDUES; at++)
                if (has_residues(a, key, j, i, at))
                    need(a, any, reach_class(REACH_RESIDUES, reach_pair(j, i), at),
                         a->promise.n_residues);
    }
}

/* The classes of far calls that any case has with each dimension small or large. */
static uint32_t far_classes(const asker *a, reach_key key)
{
    conform_case c = case_of(a, key);
    uint32_t classes = 0;
    for (unsigned way = 0; way < 1U << a->n_dims; way++) {
        for (int i = 0; i < a->n_dims; i++)
            c.dim[i] = way >> i & 1 ? a->high[i] : a->low[i];
        classes |= conform_far_classes(&c);
    }
    return classes;
}

/* The promised number of cases of a far class. Large calls of ops that compute take long. */
static int64_t promised_far(const asker *a, int class)
{
    const ifn_op op = a->spec->op;
    const far_whole *const whole = conform_far_whole_of(op);
    if (conform_far_whole_classes(op, FAR_LONG) >> class & 1)
        return a->promise.n_long;
    const uint32_t larger =
        conform_far_whole_classes(op, FAR_GREAT) | conform_far_whole_classes(op, FAR_HUGE);
    if (larger >> class & 1)
        return whole->kind == WHOLE_COMPUTES ? a->promise.n_costly : a->promise.n_huge;
    return a->promise.n;
}

/* Far classes are promised for each dtype, whatever the form of weights. */
static void need_far(const asker *a, reach_key key)
{
    const uint32_t classes = far_classes(a, key);
    const reach_key dtype = {key.dtype, REACH_ANY_FORM, key.out};
    for (int i = 0; i < FAR_WAYS * FAR_BORDERS; i++)
        if (classes >> i & 1 && promised_far(a, i) > 0)
            need(a, is_one_kind(a) ? any : dtype, REACH_FIRST_FAR + i, promised_far(a, i));
}

/* True if some dimension can be large in the profile. */
static bool has_large(const asker *a, reach_key key)
{
    for (int i = 0; i < a->n_dims; i++)
        if (a->dims[i]->limit >= 2 * REACH_LARGE_SIZE &&
            last_octave(a, key, i) > reach_octave(REACH_LARGE_SIZE))
            return true;
    return false;
}

static void need_large(const asker *a, reach_key key, conform_tier tier, conform_family family)
{
    const bool is_sweep = family == FAMILY_EVERY || family == FAMILY_WRITTEN;
    const reach_key kind = {key.dtype, REACH_ANY_FORM, key.out};
    if (tier != TIER_REFUSE && tier != TIER_GOLDEN && !is_sweep)
        need(a, a->promise.is_by_kind && !is_one_kind(a) ? kind : any,
             reach_class(REACH_LARGE, (int)tier * FAMILY_COUNT + (int)family, 0), 1);
}

static void need_kind(const asker *a, reach_key key)
{
    const reach_key scope = a->promise.is_by_kind && !is_one_kind(a) ? key : any;
    const bool is_large = has_large(a, key); /* asked once: sizes are drawn for the answer */
    need_sizes(a, key);
    need_far(a, key);
    for (int i = 0; i < TIER_COUNT * FAMILY_COUNT; i++)
        if (has_regime(a, key, (conform_tier)(i / FAMILY_COUNT),
                       (conform_family)(i % FAMILY_COUNT))) {
            need(a, scope, reach_class(REACH_REGIMES, i, 0), a->promise.n);
            if (is_large)
                need_large(a, key, (conform_tier)(i / FAMILY_COUNT),
                           (conform_family)(i % FAMILY_COUNT));
        }
    for (int i = 0; i < CONFORM_MAX_ALIASES && a->module->aliases[i]; i++)
        if (has_overlap(a, key, i))
            need(a, scope, reach_class(REACH_OVERLAPS, i, 0), a->promise.n);
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        if (has_relation(a, key, i))
            need(a, scope, reach_class(REACH_RELATIONS, i, 0), a->promise.n);
}

/* The kinds: each dtype, raw or prepared, with each output dtype. */
static void need_kinds(const asker *a)
{
    const spec_op *const spec = a->spec;
    const int forms = conform_use_of(spec->op) ? 2 : 1;
    const int outs = spec->n_out_dtypes ? spec->n_out_dtypes : 1;
    for (int i = 0; i < spec->n_dtypes; i++)
        for (int form = 0; form < forms; form++)
            for (int j = 0; j < outs; j++)
                need_kind(a, (reach_key){(int32_t)spec->dtypes[i], form,
                                         spec->n_out_dtypes ? (int32_t)spec->out_dtypes[j]
                                                            : (int32_t)IFN_DTYPE_F32});
}

static void need_regime(const asker *a, conform_tier tier, conform_family family, int64_t n)
{
    if (n > 0)
        need(a, any, reach_class(REACH_REGIMES, (int)tier * FAMILY_COUNT + (int)family, 0), n);
}

/* Golden and refuse entries are all promised; of each sweep some pieces. */
static void need_written(const asker *a)
{
    conform_sweep sweep;
    for (int i = 0; conform_sweep_of(a->spec->op, i, &sweep); i++)
        need_regime(a, sweep.c.tier, FAMILY_EVERY, a->promise.n);
    need_regime(a, TIER_GOLDEN, FAMILY_WRITTEN, a->spec->n_golden);
    need_regime(a, TIER_REFUSE, FAMILY_NORMAL, a->spec->n_refuse);
}

/* Every address, parts one after another, and parts on threads at once are promised for the op as a whole. */
static void need_placement(const asker *a)
{
    for (int i = 0; i < reach_length_of(REACH_ADDRESSES); i++)
        need(a, any, reach_class(REACH_ADDRESSES, 0, i), a->promise.n);
    if (ifn_op_cut(a->spec->op, 0) == IFN_CUT_NONE)
        return;
    need(a, any, reach_class(REACH_PARTS, 0, 2), a->promise.n);
    need(a, any, reach_class(REACH_THREADS, 0, 2), a->promise.n);
}

/* The largest size of a dimension that is a multiple of the block sizes, or of 32 or 1 if the limit is small. */
static int64_t highest(const spec_dim *d)
{
    const int64_t block = d->limit >= 256 ? 256 : d->limit >= 32 ? 32 : 1;
    return d->limit / block * block;
}

static void find_dims(asker *a)
{
    for (; a->n_dims < CONFORM_MAX_DIMS && a->module->dim_names[a->n_dims]; a->n_dims++) {
        const int i = a->n_dims;
        a->dims[i] = spec_find_dim(a->spec, a->module->dim_names[i]);
        a->low[i] = a->spec->legal[a->dims[i] - a->spec->dims];
        a->high[i] = highest(a->dims[i]);
    }
}

void conform_reach_need(conform_reach *self, const spec_op *spec, conform_profile profile)
{
    asker a = {.reach = self,
               .spec = spec,
               .module = conform_module_of(spec->op),
               .promise = promises[profile],
               .profile = profile};
    find_dims(&a);
    need_kinds(&a);
    need_written(&a);
    need_placement(&a);
}
