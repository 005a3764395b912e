#include "ops_look.h"

#include <inferno/clock.h>

#include "describe.h"
#include "messages.h"
#include "shrink.h"

/* LOOKED_INTO: failures that are examined of each op, backend and judgement, each of another dtype. LOOKING_SECONDS:
 * after so many seconds no further failure of an op is examined. */
enum { LOOKED_INTO = 3, LOOKING_SECONDS = 6 };

static ifn_status repeat_case(ops_session *s, const conform_case *c, int tested, ifn_error *err)
{
    const int64_t most = s->options.repeat;
    const uint64_t until = ifn_clock_ns() + REPEAT_SECONDS * UINT64_C(1000000000);
    int64_t tries = 0, failed = 0;
    conform_verdict v, kept = {.outcome = OUTCOME_NOT_RUN};
    while (most == REPEAT_UNTIL ? failed == 0 && ifn_clock_ns() < until : tries < most) {
        IFN_TRY(conform_runner_try(&s->runner, tested, c, &v, err));
        failed += v.outcome == OUTCOME_FAIL;
        if (tries++ == 0 || (v.outcome == OUTCOME_FAIL && failed == 1))
            kept = v;
    }
    conform_report_add(&s->report, c, tested, &kept);
    char *const nature = failed ? s->report.failures[s->report.n_failures - 1].nature : NULL;
    if (nature)
        snprintf(nature, sizeof s->report.failures->nature, "%s: failed %lld of %lld tries",
                 failed == tries ? "deterministic" : "nondeterministic", (long long)failed,
                 (long long)tries);
    else
        message_note("inferno", "conform: %s: failed 0 of %lld tries", s->report.label[tested],
                     (long long)tries);
    return IFN_OK;
}

ifn_status ops_look_repeat(ops_session *s, const conform_case *cases, int64_t n, ifn_error *err)
{
    for (int64_t i = 0; i < n; i++)
        for (int tested = 0; tested < s->runner.n_tested; tested++)
            IFN_TRY(repeat_case(s, &cases[i], tested, err));
    return IFN_OK;
}

/* Returns true for the first failure of its cause, if fewer than LOOKED_INTO of the same judgement were examined. With
 * --shrunk the number is not limited. */
static bool is_looked_into(const ops_session *s, int64_t i)
{
    const conform_report *const r = &s->report;
    const conform_failure *const f = &r->failures[i];
    int n = 0;
    for (int64_t j = 0; j < i; j++) {
        const conform_failure *const before = &r->failures[j];
        if (before->op != f->op || before->tested != f->tested ||
            before->verdict.check != f->verdict.check)
            continue;
        if (before->c.dtype == f->c.dtype)
            return false;
        n += before->nature[0] != '\0';
    }
    return n < LOOKED_INTO || s->options.shrunk;
}

/* Finds whether each failure recurs, and its smallest case. */
ifn_status ops_look_into(ops_session *s, int64_t first, ifn_error *err)
{
    const uint64_t deadline = ifn_clock_ns() + LOOKING_SECONDS * UINT64_C(1000000000);
    for (int64_t i = first; i < s->report.n_failures; i++) {
        conform_failure *f = &s->report.failures[i];
        /* with --in-process a case that crashes would end the run, so nothing is tried */
        if (s->options.in_process || (ifn_clock_ns() > deadline && !s->options.shrunk) ||
            !is_looked_into(s, i))
            continue;
        progress_line(&s->progress, "%-24s looking into failure %lld of %lld", ifn_op_name(f->op),
                      (long long)(i - first + 1), (long long)(s->report.n_failures - first));
        IFN_TRY(conform_describe(&s->runner, f, DESCRIBE_SECONDS, err));
        IFN_TRY(conform_shrink(&s->runner, f, SHRINK_SECONDS, err));
    }
    return IFN_OK;
}
