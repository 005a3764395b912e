#include "shrink.h"

#include <string.h>

#include <inferno/clock.h>

#include "case_id.h"
#include "gen.h"
#include "plan_sizes.h"
#include "shrink_run.h"
#include "written_case.h"

static void drop_handles_and_overlaps(shrinker *s)
{
    conform_case c = s->best;
    c.prepared = 0;
    if (s->best.prepared)
        shrink_try(s, &c);
    c = s->best;
    c.n_more = 0;
    if (s->best.n_more)
        shrink_try(s, &c);
    c = s->best;
    c.alias = 0;
    if (s->best.alias)
        shrink_try(s, &c);
}

/* Tries families whose inputs are easier to read. */
static void simplify(shrinker *s)
{
    static const struct {
        conform_tier tier;
        conform_family family;
    } simpler[] = {{TIER_T0, FAMILY_ONE_HOT}, {TIER_T0, FAMILY_LATTICE}, {TIER_T1, FAMILY_NORMAL}};
    const bool is_reduction = conform_module_of(s->best.op)->is_reduction;
    conform_case c;
    drop_handles_and_overlaps(s);
    for (size_t i = is_reduction ? 0 : 2; i < sizeof simpler / sizeof *simpler; i++) {
        c = s->best;
        c.tier = simpler[i].tier;
        c.family = simpler[i].family;
        if ((c.tier == s->best.tier && c.family == s->best.family) || shrink_try(s, &c))
            break;
    }
    c = s->best;
    c.seed = 1;
    shrink_try(s, &c);
}

enum { MORE_TRIES = 4 };

/* Shrinks the case that is made from its seed, then the one with written values. */
static void shrink_everything(shrinker *s, conform_failure *f)
{
    const conform_case first = s->best;
    shrink_shape(s);
    const conform_case plain = s->best;
    simplify(s);
    shrink_shape(s);
    if (strncmp(f->nature, "nondet", 6) != 0)
        shrink_say_when(s, &first, &plain, f->when, sizeof f->when);
    shrinker written = *s;
    shrink_values(&written);
    shrink_setting(s);
    conform_case_id(&s->best, f->shrunk);
    if (!written.values)
        return;
    shrink_setting(&written);
    conform_case_id(&written.best, f->written);
    f->values = written.values;
    if (s->status == IFN_OK)
        s->status = written.status;
}

/* How often a case is tried: several times if the failure depends on chance or on the inputs. */
static int tries_of(const conform_failure *f)
{
    return f->nature[0] && strncmp(f->nature, "deterministic", 13) != 0 ? MORE_TRIES : 1;
}

ifn_status conform_shrink(conform_runner *runner, conform_failure *f, double seconds,
                          ifn_error *err)
{
    shrinker s = {.runner = runner,
                  .tested = f->tested,
                  .check = f->verdict.check,
                  .best = f->c,
                  .n_tries = tries_of(f),
                  .seconds = seconds,
                  .deadline = ifn_clock_ns() + (uint64_t)(seconds * 1e9),
                  .err = err};
    if (s.best.tier == TIER_GOLDEN || s.best.tier == TIER_REFUSE || f->verdict.check == CHECK_HANG)
        return IFN_OK;
    shrink_everything(&s, f);
    return s.status;
}
