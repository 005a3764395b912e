#include "describe.h"

#include <stdbool.h>

#include <inferno/clock.h>

#include "gen.h"

typedef struct runs {
    int wanted, made, failed;
} runs;

/* with_seeds: each run has a seed, so inputs, of its own. */
static ifn_status make_runs(conform_runner *runner, const conform_failure *f, bool with_seeds,
                            double seconds, runs *r, ifn_error *err)
{
    const uint64_t deadline = ifn_clock_ns() + (uint64_t)(seconds * 1e9);
    while (r->made < r->wanted && (r->made == 0 || ifn_clock_ns() < deadline)) {
        conform_case again = f->c;
        conform_verdict v;
        if (with_seeds)
            again.seed = conform_hash(f->c.seed, "fresh", (uint64_t)r->made) >> 32;
        IFN_TRY(conform_runner_try_for(runner, f->tested, f->verdict.check, &again, &v, err));
        r->made++;
        r->failed += v.outcome == OUTCOME_FAIL;
    }
    return IFN_OK;
}

/* How many runs of n are affordable: a process that dies costs a restart, one that hangs costs all of the patience. */
static int affordable(conform_check check, int n)
{
    if (check == CHECK_HANG)
        return 1;
    return check == CHECK_CRASH && n > DESCRIBE_SEEDS ? DESCRIBE_SEEDS : n;
}

static const char *nature_of(const runs *again, const runs *elsewhere)
{
    if (again->failed < again->made)
        return "nondeterministic";
    return elsewhere->failed < elsewhere->made ? "data-dependent" : "deterministic";
}

ifn_status conform_describe(conform_runner *runner, conform_failure *f, double seconds,
                            ifn_error *err)
{
    runs again = {.wanted = affordable(f->verdict.check, DESCRIBE_REPEATS)};
    runs elsewhere = {.wanted = affordable(f->verdict.check, DESCRIBE_SEEDS)};
    IFN_TRY(make_runs(runner, f, 0, seconds / 2, &again, err));
    IFN_TRY(make_runs(runner, f, 1, seconds / 2, &elsewhere, err));
    const bool is_cut = again.made < again.wanted || elsewhere.made < elsewhere.wanted;
    snprintf(f->nature, sizeof f->nature, "%s: %d of %d repeats fail, %d of %d fresh seeds%s",
             nature_of(&again, &elsewhere), again.failed, again.made, elsewhere.failed,
             elsewhere.made, is_cut ? "; there was no time for more" : "");
    return IFN_OK;
}
