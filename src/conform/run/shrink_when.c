/* Finds when a failure shows: tries sizes around the smallest case and states the rule they follow. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/clock.h>

#include "invoke.h"
#include "plan_sizes.h"
#include "shrink_run.h"

/* The number of seeds with which a size must pass to count as passing. */
enum { SEEDS = 3, MOST_TRIED = 2 * SHRINK_SIZES };

enum { LARGEST_TRIED = 1 << 20 /* elements of a case */ };

/* The sizes of one dimension that were tried, and their results. */
typedef struct tried {
    int n;
    int64_t size[MOST_TRIED];
    char fails[MOST_TRIED];
} tried;

typedef struct saying {
    char *out;
    size_t bytes, used;
} saying;

static void say(saying *s, const char *format, ...) IFN_PRINTF(2, 3);

static void say(saying *s, const char *format, ...)
{
    va_list list;
    if (s->used >= s->bytes)
        return;
    if (s->used)
        s->used += (size_t)snprintf(s->out + s->used, s->bytes - s->used, "; ");
    if (s->used >= s->bytes)
        return;
    va_start(list, format);
    s->used += (size_t)vsnprintf(s->out + s->used, s->bytes - s->used, format, list);
    va_end(list);
}

static bool is_over(const shrinker *s)
{
    return s->status != IFN_OK || ifn_clock_ns() > s->deadline;
}

/* 1: fails; 0: passes; -1: there is no such case, it is too large, or time is up. */
static int try_case(shrinker *s, const conform_case *c)
{
    conform_case copy = *c;
    const int64_t elements = plan_elements(c);
    if (elements < 0 || elements > LARGEST_TRIED)
        return -1;
    const int fails = shrink_fails(s, &copy);
    return !fails && is_over(s) ? -1 : fails;
}

/* Tries one size. A size of 0 is skipped, as nothing can be wrong. */
static void try_size(shrinker *s, const conform_case *base, int dim, int64_t size, tried *t)
{
    conform_case c = *base;
    for (int i = 0; i < t->n; i++)
        if (t->size[i] == size)
            return;
    c.dim[dim] = size;
    const int fails = t->n < MOST_TRIED && size > 0 ? try_case(s, &c) : -1;
    if (fails < 0)
        return;
    t->size[t->n] = size;
    t->fails[t->n++] = (char)fails;
}

enum { NEXT = 8, MOST_STEP = 512 };

static void try_sizes(shrinker *s, const conform_case *base, int dim, int64_t most, tried *t)
{
    const int64_t least = base->dim[dim];
    shrink_sizes below;
    t->n = 0;
    try_size(s, base, dim, least, t);
    for (int64_t by = 1; by <= NEXT; by++)
        try_size(s, base, dim, least + by, t);
    try_size(s, base, dim, least - 1, t);
    try_size(s, base, dim, least * 2, t);
    try_size(s, base, dim, most, t);
    for (int64_t step = NEXT; step <= MOST_STEP; step *= 2)
        for (int64_t by = step; by <= 3 * step; by += step)
            try_size(s, base, dim, least + by, t);
    shrink_sizes_below(least, &below);
    for (int i = below.n; i-- > 0;)
        try_size(s, base, dim, below.at[i], t);
}

typedef struct counts {
    int failed, passed, failed_below, passed_above;
    int64_t most, most_failed, least_passed_above, most_passed_below;
} counts;

/* Counts passes and failures above and below `least`, the size of the smallest case. */
static counts count(const tried *t, int64_t least)
{
    counts c = {.most_failed = -1, .least_passed_above = INT64_MAX, .most_passed_below = -1};
    for (int i = 0; i < t->n; i++) {
        const int64_t size = t->size[i];
        c.most = size > c.most ? size : c.most;
        if (t->fails[i]) {
            c.failed++;
            c.failed_below += size < least;
            c.most_failed = size > c.most_failed ? size : c.most_failed;
        } else if (size < least) {
            c.passed++;
            c.most_passed_below = size > c.most_passed_below ? size : c.most_passed_below;
        } else {
            c.passed++;
            c.passed_above++;
            c.least_passed_above = size < c.least_passed_above ? size : c.least_passed_above;
        }
    }
    return c;
}

/* If all sizes up to one fail and all from another on pass: bisects between the two. */
static void try_between(shrinker *s, const conform_case *base, int dim, tried *t)
{
    for (;;) {
        const counts c = count(t, base->dim[dim]);
        const int n = t->n;
        if (c.passed_above == 0 || c.least_passed_above - 1 <= c.most_failed)
            return;
        try_size(s, base, dim, c.most_failed + (c.least_passed_above - c.most_failed) / 2, t);
        if (t->n == n)
            return;
    }
}

/* Counts of failures and passes by the remainder of the size divided by m. */
typedef struct remainders {
    int failed[MOST_STEP], passed[MOST_STEP];
} remainders;

/* True if each remainder only fails or only passes, and one of each kind was seen more than once. */
static bool is_rule(const tried *t, int64_t least, int64_t m, remainders *r)
{
    bool is_failing_seen = 0, is_passing_seen = 0;
    memset(r, 0, sizeof *r);
    for (int i = 0; i < t->n; i++)
        if (t->size[i] >= least)
            (t->fails[i] ? r->failed : r->passed)[t->size[i] % m]++;
    for (int64_t k = 0; k < m; k++) {
        if (r->failed[k] && r->passed[k])
            return false;
        is_failing_seen |= r->failed[k] > 1;
        is_passing_seen |= r->passed[k] > 1;
    }
    return is_failing_seen && is_passing_seen;
}

/* The number of remainders that fail, the first of them, and whether all that follow fail as well (is_last). */
typedef struct failing {
    int n, n_passing;
    int64_t first, passing;
    bool is_last;
} failing;

static failing look_at(const remainders *r, int64_t m)
{
    failing f = {.first = -1, .is_last = 1};
    for (int64_t k = 0; k < m; k++) {
        if (r->failed[k]) {
            f.first = f.first < 0 ? k : f.first;
            f.n++;
        } else if (r->passed[k]) {
            f.n_passing++;
            f.passing = k;
            f.is_last &= f.first < 0;
        }
    }
    return f;
}

static int say_remainder(const tried *t, const char *name, int64_t least, const char *from,
                         saying *out)
{
    remainders r;
    for (int64_t m = 2; m <= MOST_STEP; m += m < 16 ? 1 : m) {
        if (!is_rule(t, least, m, &r))
            continue;
        const failing f = look_at(&r, m);
        const char *const start = least >= m ? from : "";
        if (f.n == 1)
            say(out, "fails where %s %% %lld = %lld%s, passes elsewhere", name, (long long)m,
                (long long)f.first, start);
        else if (f.n_passing == 1)
            say(out, "fails unless %s %% %lld = %lld%s", name, (long long)m, (long long)f.passing,
                from);
        else if (f.is_last)
            say(out, "fails where %s %% %lld >= %lld%s, passes elsewhere", name, (long long)m,
                (long long)f.first, from);
        else
            continue;
        return 1;
    }
    return 0;
}

/* Lists the first few sizes, from the smallest case on, that fail or that pass. */
static void list(const tried *t, int fails, int64_t least, char out[80])
{
    enum { FEW = 4 };
    int64_t last = least - 1;
    size_t used = 0;
    out[0] = '\0';
    for (int n = 0; n < FEW; n++) {
        int64_t next = INT64_MAX;
        for (int i = 0; i < t->n; i++)
            if (t->fails[i] == fails && t->size[i] > last && t->size[i] < next)
                next = t->size[i];
        if (next == INT64_MAX)
            return;
        used += (size_t)snprintf(out + used, 80 - used, "%s%lld", n ? ", " : "", (long long)next);
        last = next;
    }
}

static void say_dim(const tried *t, const char *name, int64_t least, bool is_certain, saying *out)
{
    const counts c = count(t, least);
    char from[48] = "", some[80], others[80];
    if (c.passed == 0 || c.failed < 2 || c.failed_below)
        return;
    if (c.most_passed_below >= 0)
        snprintf(from, sizeof from, " from %s = %lld on", name, (long long)least);
    if (c.passed_above == 0) {
        say(out, "fails for every %s >= %lld tried (up to %lld), passes for every %s <= %lld", name,
            (long long)least, (long long)c.most, name, (long long)c.most_passed_below);
        return;
    }
    if (c.least_passed_above > c.most_failed) {
        say(out, "fails for every %s <= %lld tried%s, passes for every %s >= %lld", name,
            (long long)c.most_failed, from, name, (long long)c.least_passed_above);
        return;
    }
    if (say_remainder(t, name, least, from, out) || !is_certain)
        return;
    list(t, 1, least, some);
    list(t, 0, least, others);
    say(out, "fails for %s = %s, ..., passes for %s = %s, ...", name, some, name, others);
}

/* 1: `other`, the case with one property changed, passes. */
static int passes(shrinker *s, const conform_case *other)
{
    return try_case(s, other) == 0;
}

static void say_out_dtype(shrinker *s, const conform_case *base, const spec_op *spec, saying *out)
{
    int n_passed = 0, n_failed = 0;
    for (int i = 0; i < spec->n_out_dtypes; i++) {
        conform_case c = *base;
        c.out_dtype = spec->out_dtypes[i];
        const int fails = c.out_dtype == base->out_dtype ? -1 : try_case(s, &c);
        n_passed += fails == 0;
        n_failed += fails == 1;
    }
    if (n_passed && !n_failed)
        say(out, "only out_dtype %s", ifn_dtype_name(base->out_dtype));
}

/* Says which dtypes of weights, cache or table fail at the same sizes, if some pass. */
static void say_dtype(shrinker *s, const conform_case *base, const spec_op *spec, saying *out)
{
    char names[160];
    int n_passed = 0, n_failed = 1;
    size_t used = (size_t)snprintf(names, sizeof names, "%s", ifn_dtype_name(base->dtype));
    for (int i = 0; i < spec->n_dtypes; i++) {
        conform_case c = *base;
        c.dtype = spec->dtypes[i];
        const int fails = c.dtype == base->dtype ? -1 : try_case(s, &c);
        n_passed += fails == 0;
        n_failed += fails == 1;
        if (fails == 1 && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, ", %s",
                                     ifn_dtype_name(c.dtype));
    }
    if (n_passed)
        say(out, "only %s, of %d dtypes tried", names, n_passed + n_failed);
}

static void say_form(shrinker *s, const conform_case *base, saying *out)
{
    const conform_module *const m = conform_module_of(base->op);
    conform_case c = *base;
    const spec_op *const spec = s->runner->specs ? s->runner->specs[base->op] : NULL;
    if (spec)
        say_dtype(s, base, spec, out);
    if (spec)
        say_out_dtype(s, base, spec, out);
    c.prepared = !base->prepared;
    if (passes(s, &c) && conform_use_of(base->op))
        say(out, base->prepared ? "only prepared weights" : "only raw weights");
    c = *base;
    c.alias = 0;
    if (base->alias && passes(s, &c))
        say(out, "only in place (%s)", m->aliases[base->alias - 1]);
    c = *base;
    c.n_more = 0;
    if (base->n_more && passes(s, &c))
        say(out, "only with weights of different dtypes");
}

/* The best case's shape with its original inputs, if that fails too: the simplest inputs may show the failure at some
 * sizes only. */
static conform_case choose_base(shrinker *s, const conform_case *plain)
{
    conform_case c = s->best, as_plain = s->best;
    as_plain.tier = plain->tier;
    as_plain.family = plain->family;
    as_plain.seed = plain->seed;
    return shrink_fails(s, &as_plain) ? as_plain : c;
}

void shrink_say_when(shrinker *s, const conform_case *first, const conform_case *plain, char *out,
                     size_t bytes)
{
    const conform_module *const m = conform_module_of(s->best.op);
    shrinker look = *s;
    saying said = {out, bytes, 0};
    tried t;
    out[0] = '\0';
    look.deadline = ifn_clock_ns() + (uint64_t)(s->seconds / 4 * 1e9);
    const conform_case base = choose_base(&look, plain);
    const bool is_certain = s->n_tries == 1;
    look.n_tries = s->n_tries > SEEDS ? s->n_tries : SEEDS;
    say_form(&look, &base, &said);
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++) {
        try_sizes(&look, &base, i, first->dim[i], &t);
        try_between(&look, &base, i, &t);
        say_dim(&t, m->dim_names[i], base.dim[i], is_certain, &said);
    }
    s->status = look.status;
}
