#include "describe.h"

#include "gen.h"

/* How many of `n` runs fail; with_seeds: each with inputs of its own. */
static ifn_status count_failures(conform_runner *runner, const conform_failure *f,
                                 const conform_case *c, int n, int with_seeds, int *failed,
                                 ifn_error *err)
{
    *failed = 0;
    for (int i = 0; i < n; i++) {
        conform_case again = *c;
        conform_verdict v;
        if (with_seeds)
            again.seed = conform_hash(c->seed, "fresh", (uint64_t)i) >> 32;
        IFN_TRY(conform_runner_try(runner, f->subject, &again, &v, err));
        *failed += v.outcome == OUTCOME_FAIL;
    }
    return IFN_OK;
}

/* A process that dies costs a restart, one that hangs costs all our patience. */
static int affordable(conform_fault fault, int n)
{
    if (fault == FAULT_HANG)
        return 1;
    return fault == FAULT_CRASH && n > DESCRIBE_SEEDS ? DESCRIBE_SEEDS : n;
}

ifn_status conform_describe(conform_runner *runner, conform_failure *f, ifn_error *err)
{
    const int repeats = affordable(f->verdict.fault, DESCRIBE_REPEATS);
    const int seeds = affordable(f->verdict.fault, DESCRIBE_SEEDS);
    conform_case c;
    int again, elsewhere;
    if (!conform_case_parse(f->id, &c, err))
        return IFN_ERR_ARGUMENT;
    IFN_TRY(count_failures(runner, f, &c, repeats, 0, &again, err));
    IFN_TRY(count_failures(runner, f, &c, seeds, 1, &elsewhere, err));
    snprintf(f->nature, sizeof f->nature, "%s: %d of %d repeats fail, %d of %d fresh seeds",
             again < repeats     ? "nondeterministic"
             : elsewhere < seeds ? "data-dependent"
                                 : "deterministic",
             again, repeats, elsewhere, seeds);
    return IFN_OK;
}
