/* One step of a search: runs a smaller case and checks whether it fails in the same way. */
#include <inferno/clock.h>

#include "gen.h"
#include "plan_sizes.h"
#include "shrink_run.h"

static ifn_status judge(shrinker *s, const conform_case *c, conform_verdict *v)
{
    return s->values ? conform_runner_try_written(s->runner, s->tested, c, s->values, v, s->err)
                     : conform_runner_try_for(s->runner, s->tested, s->check, c, v, s->err);
}

int shrink_fails(shrinker *s, conform_case *c)
{
    const uint64_t seed = c->seed;
    if (plan_elements(c) < 0)
        return 0;
    for (int i = 0; i < (s->values ? 1 : s->n_tries); i++) {
        conform_verdict v;
        if (s->status != IFN_OK || ifn_clock_ns() > s->deadline)
            return 0;
        c->seed = i ? conform_hash(seed, "smaller", (uint64_t)i) >> 32 : seed;
        s->status = judge(s, c, &v);
        if (s->status == IFN_OK && v.outcome == OUTCOME_FAIL && v.check == s->check)
            return 1;
    }
    return 0;
}

int shrink_try(shrinker *s, const conform_case *c)
{
    conform_case smaller = *c;
    if (!shrink_fails(s, &smaller))
        return 0;
    s->best = smaller;
    return 1;
}
