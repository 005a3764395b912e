#include "rounds.h"

#include <string.h>

#include "seconds.h"
#include "signals.h"

static int64_t count_cases(const conform_report *r)
{
    int64_t n = 0;
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            n += conform_report_cell(r, (ifn_op)op, s)->cases;
    return n;
}

void conform_rounds_start(conform_rounds *self, const conform_report *report, double seconds)
{
    *self = (conform_rounds){.report = report,
                             .seconds = seconds,
                             .begun = seconds_now(),
                             .n_cases = count_cases(report),
                             .n_rounds = report->rounds_done};
    if (seconds > 0)
        signals_hold();
}

void conform_rounds_finish(const conform_rounds *self)
{
    if (self->seconds > 0)
        signals_release();
}

static double left_of(const conform_rounds *self)
{
    return self->begun + self->seconds - seconds_now();
}

bool conform_rounds_are_over(const conform_rounds *self)
{
    if (self->seconds > 0 && signals_is_waiting())
        return true;
    return self->report->rounds_done > self->n_rounds && left_of(self) <= 0;
}

void conform_rounds_say(const conform_rounds *self, char *out, size_t bytes)
{
    const double passed = seconds_now() - self->begun, left = left_of(self) > 0 ? left_of(self) : 0;
    const double n = (double)(count_cases(self->report) - self->n_cases);
    const int64_t minutes = (int64_t)(left / 60);
    snprintf(out, bytes, "round %lld, %.0f cases/s, %lld h %02lld m left",
             (long long)self->report->rounds_begun, passed > 0 ? n / passed : 0,
             (long long)(minutes / 60), (long long)(minutes % 60));
}

static ifn_status expect_same(const char *path, const char *what, const char *found,
                              const char *expected, ifn_error *err)
{
    return strcmp(found, expected) == 0
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_ARGUMENT, "--resume: %.100s is of %s %s, expected %s", path,
                          what, found, expected);
}

static ifn_status take(conform_report *report, const char *path, const conform_report *then,
                       ifn_error *err)
{
    IFN_TRY(expect_same(path, "profile", then->profile, report->profile, err));
    IFN_TRY(expect_same(path, "shard", then->shard, report->shard, err));
    IFN_TRY(expect_same(path, "filters", then->filters, report->filters, err));
    IFN_TRY(expect_same(path, "program", then->origin.program, report->origin.program, err));
    for (int s = 0; s < then->n_tested; s++)
        if (conform_report_tested(report, then->label[s]) < 0)
            return expect_same(path, "backend", then->label[s], report->label[0], err);
    for (int s = 0; s < report->n_tested; s++) {
        const int was = conform_report_tested(then, report->label[s]);
        if (was < 0)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "--resume: %.100s knows nothing of %s", path,
                            report->label[s]);
        IFN_TRY(expect_same(path, "hash", then->binary[was].hash, report->binary[s].hash, err));
    }
    if (!then->rounds_begun)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--resume: %.100s does not say which seeds were run",
                        path);
    (void)conform_report_merge(report, then); /* cannot fail: the backends are the same */
    report->seed = then->seed;
    return IFN_OK;
}

ifn_status conform_rounds_resume(conform_report *report, const char *path, uint64_t *seed,
                                 ifn_error *err)
{
    conform_report then;
    IFN_TRY(conform_report_read(path, &then, err));
    const ifn_status status = take(report, path, &then, err);
    *seed = then.seed + (uint64_t)then.rounds_begun;
    conform_report_close(&then);
    return status;
}
