/*
 * Two instances of one backend must not affect each other: nothing that one does, closing included, may show in the
 * other. The case makes one call in the elder or in the younger, before or after the other one is closed; handles are
 * made before.
 */
#include <stdbool.h>

#include "gen.h"
#include "judge_run.h"

/* One case in so many: of those with handles, and of the others. */
enum { TURN_PREPARED = 24, TURN = 120 };

static bool is_due(const judge_run *r)
{
    const conform_case *const c = &r->slot->c;
    const uint64_t turn = r->n_packed ? TURN_PREPARED : TURN;
    return r->judge->reopen.open && !r->judge->image.device && !r->is_long &&
           c->tier != TIER_REFUSE && c->family != FAMILY_EVERY &&
           conform_hash(c->seed, "instance", 0) % turn == 0;
}

static void hear(judge_run *r, conform_verdict *verdict)
{
    const conform_reopen *const again = &r->judge->reopen;
    if (again->hear)
        again->hear(again->cookie, verdict);
}

static ifn_backend *open_another(judge_run *r)
{
    const conform_reopen *const again = &r->judge->reopen;
    ifn_backend *other = NULL;
    ifn_error err = {0};
    judge_tell_step(r);
    return again->open(again->cookie, &other, &err) == IFN_OK ? other : NULL;
}

static void close_another(judge_run *r, ifn_backend *other)
{
    judge_tell_step(r);
    ifn_backend_close(other);
    hear(r, NULL);
    r->judge->fixtures = process_fixtures_now();
}

/* Makes the call and expects the bits of the first run. */
static void expect_same(judge_run *r, conform_run run)
{
    if (judge_failed(r))
        return;
    judge_start(r);
    const ifn_status status = judge_call(r, r->judge->backend, run);
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_INSTANCE, "%s: returned %s", conform_run_name(run),
                             ifn_status_name(status));
    else
        judge_same(r, run);
}

/* Makes a call on the other instance, too, with raw weights. */
static void call_raw(judge_run *r, ifn_backend *other)
{
    const int n_packed = r->n_packed;
    r->n_packed = 0;
    judge_start(r);
    (void)judge_call(r, other, RUN_INSTANCE);
    r->n_packed = n_packed;
}

static void close_younger(judge_run *r)
{
    ifn_backend *const younger = open_another(r);
    if (!younger)
        return;
    judge_tell_run(r, RUN_INSTANCE);
    call_raw(r, younger);
    close_another(r, younger);
    expect_same(r, RUN_INSTANCE);
}

/* Opens two more instances, closes the elder and judges the younger. */
static void close_elder(judge_run *r)
{
    ifn_backend *const own = r->judge->backend, *const elder = open_another(r);
    ifn_backend *const younger = elder ? open_another(r) : NULL;
    if (!younger) {
        ifn_backend_close(elder);
        return;
    }
    judge_release(r);
    judge_tell_run(r, RUN_ELDER);
    call_raw(r, elder);
    r->judge->backend = younger;
    judge_start(r);
    judge_prepare(r);
    judge_tell_run(r, RUN_ELDER);
    close_another(r, elder);
    expect_same(r, RUN_ELDER);
    judge_release(r);
    r->judge->backend = own;
    close_another(r, younger);
    judge_start(r);
    judge_prepare(r);
}

void judge_instance(judge_run *r)
{
    if (!is_due(r))
        return;
    judge_look_at_fixtures(r);
    hear(r, r->verdict);
    if (judge_failed(r))
        return;
    if (conform_hash(r->slot->c.seed, "instance", 1) & 1)
        close_younger(r);
    else
        close_elder(r);
    hear(r, NULL);
    r->judge->fixtures = process_fixtures_now();
}
