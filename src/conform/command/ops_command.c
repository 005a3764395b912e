#include "ops_command.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <inferno/clock.h>

#include "case_id.h"
#include "complain.h"
#include "messages.h"
#include "museum_run.h"
#include "ops_look.h"
#include "output_file.h"
#include "outputs.h"
#include "seconds.h"
#include "shrunk_file.h"
#include "writable.h"

/* --fail-fast ends at the first judgement, or after so many deaths: a process that dies or hangs takes long and tells
 * little. */
enum { MOST_DEATHS = 8 };

static void tell(ops_session *s, ifn_op op, int64_t n_verdicts)
{
    char things[80] = "cases";
    s->n_told += n_verdicts;
    if (s->options.seconds > 0 && s->progress.out) {
        memcpy(things, "cases; ", 7);
        conform_rounds_say(&s->rounds, things + 7, sizeof things - 7);
    }
    progress_count(&s->progress, ifn_op_name(op), things, s->n_told / s->runner.n_tested,
                   s->n_to_tell / s->runner.n_tested);
}

/* Returns true if the time of --for is over or the user has interrupted the run. Asked by the runner and between ops.
 * */
static bool is_over(void *cookie)
{
    ops_session *const s = cookie;
    return s->is_cut_short = s->is_cut_short || conform_rounds_are_over(&s->rounds);
}

static void add_verdict(void *cookie, const conform_case *c, int tested,
                        const conform_verdict *verdict)
{
    ops_session *s = cookie;
    conform_report_add(&s->report, c, tested, verdict);
    tell(s, c->op, 1);
    if (verdict->outcome != OUTCOME_FAIL)
        return;
    if (conform_check_is_death(verdict->check))
        s->n_deaths++;
    else
        s->n_judged++;
}

static bool has_failed(void *cookie)
{
    const ops_session *s = cookie;
    return s->options.fail_fast && (s->n_judged > 0 || s->n_deaths >= MOST_DEATHS);
}

static ifn_status run_cheapest_first(ops_session *s, const conform_case *cases, int64_t n,
                                     ifn_error *err)
{
    conform_case *ordered;
    IFN_TRY(conform_museum_order(cases, n, &ordered, err));
    const ifn_status status =
        conform_runner_run_until(&s->runner, ordered, n, add_verdict, has_failed, s, err);
    free(ordered);
    return status;
}

static ifn_status run_cases(ops_session *s, ifn_op op, const conform_case *cases, int64_t n,
                            ifn_error *err)
{
    const int64_t first = s->report.n_failures;
    s->n_told = 0;
    s->n_to_tell = n * s->runner.n_tested;
    tell(s, op, 0);
    if (s->options.repeat)
        return ops_look_repeat(s, cases, n, err);
    if (s->options.fail_fast)
        return run_cheapest_first(s, cases, n, err);
    IFN_TRY(conform_runner_run(&s->runner, cases, n, add_verdict, s, err));
    return s->is_cut_short ? IFN_OK : ops_look_into(s, first, err);
}

/* Notes for every backend what the certificate of an op promises. Filters do not change the promise. */
static void promise(ops_session *s, ifn_op op)
{
    for (int i = 0; i < s->report.n_tested; i++)
        conform_reach_need(&conform_report_cell(&s->report, op, i)->reach, s->selection.specs[op],
                           s->options.filter.profile);
}

/* Adds the plan of an op to what was planned for every backend. */
static void note_plan(ops_session *s, const conform_plan *plan)
{
    s->n_cases += plan->n;
    for (int i = 0; i < s->report.n_tested; i++) {
        conform_planned *const p = &s->report.planned[i];
        p->cases += plan->n;
        p->digest += plan->digest;
        p->whole += plan->n_whole;
        p->whole_digest += plan->whole_digest;
    }
}

static void promise_once(ops_session *s)
{
    if (!s->ahead.is_promised)
        promise(s, s->ahead.op);
    s->ahead.is_promised = true;
}

/* Returns true if the next op can follow this one directly: no failure to look into, no --fail-fast, no --repeat. */
static bool goes_on(const ops_session *s)
{
    return s->report.n_failures == 0 && !s->options.fail_fast && !s->options.repeat;
}

/* Plans the next op while this one runs. If that fails, take_plan plans it again and its error is told then. */
static void look_ahead(void *cookie)
{
    ops_session *const s = cookie;
    ops_ahead *const a = &s->ahead;
    ifn_error err = {0};
    const ifn_op next = (ifn_op)(a->op + 1);
    promise_once(s);
    if (next < IFN_OP_COUNT && !a->is_planned)
        a->is_planned = conform_selection_plan(&s->selection, next, &a->plan, &err) == IFN_OK;
    if (a->is_planned && goes_on(s))
        conform_runner_announce(&s->runner, a->plan.cases, a->plan.n);
}

static ifn_status take_plan(ops_session *s, ifn_op op, conform_plan *out, ifn_error *err)
{
    const bool is_planned = s->ahead.is_planned;
    *out = s->ahead.plan;
    s->ahead = (ops_ahead){.op = op};
    if (!is_planned) {
        progress_line(&s->progress, "%-24s making cases", ifn_op_name(op));
        IFN_TRY(conform_selection_plan(&s->selection, op, out, err));
    }
    s->ahead.is_promised = out->n == 0 || s->selection.is_case_a_file;
    return IFN_OK;
}

static ifn_status run_op(ops_session *s, ifn_op op, ifn_error *err)
{
    conform_plan plan;
    IFN_TRY(take_plan(s, op, &plan, err));
    note_plan(s, &plan);
    const ifn_status status = plan.n ? run_cases(s, op, plan.cases, plan.n, err) : IFN_OK;
    promise_once(s);
    conform_plan_close(&plan);
    return status;
}

static ifn_status run_everything(ops_session *s, ifn_error *err)
{
    conform_case c;
    if (s->options.id && !s->options.values && !s->selection.is_case_a_file) {
        if (!conform_case_parse(s->options.id, &c, err))
            return IFN_ERR_ARGUMENT;
        IFN_TRY(conform_case_check(&c, err));
        conform_plan plan = {.n = 1};
        conform_plan_count(&plan, &c, 1);
        note_plan(s, &plan);
        return run_cases(s, c.op, &c, 1, err);
    }
    for (int op = 0; op < IFN_OP_COUNT && !has_failed(s) && !is_over(s); op++)
        IFN_TRY(run_op(s, (ifn_op)op, err));
    if (s->n_cases == 0 && !s->is_cut_short)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "these filters select no case of any op");
    return IFN_OK;
}

static ifn_status read_baseline(ops_session *s, ifn_error *err)
{
    if (!s->options.baseline)
        return IFN_OK;
    IFN_TRY(conform_report_read(s->options.baseline, &s->baseline, err));
    s->has_baseline = true;
    return IFN_OK;
}

/* Warns of writable variables in a plugin, in which it could keep data from call to call. */
static void name_writable(const char *expression)
{
    char path[4096], names[480];
    const size_t length = strcspn(expression, "=:");
    if (!memchr(expression, '/', length) || length >= sizeof path)
        return;
    memcpy(path, expression, length);
    path[length] = '\0';
    conform_writable_names(path, names, sizeof names);
    if (*names)
        message_note(
            "inferno",
            "warning: %s has variables outside its state, which ops must not depend on: %s", path,
            names);
}

static void stop_runner(ops_session *s)
{
    conform_runner_stop(&s->runner);
    for (int i = 0; i < s->report.n_tested; i++)
        if (*s->runner.ended[i])
            conform_report_problem(&s->report,
                                   "%s: %s, when it was closed after the last case: look at close, "
                                   "exit handlers and threads (--in-process under a debugger)",
                                   s->report.label[i], s->runner.ended[i]);
}

/* Writes the report after each round, so that a crash loses one round at most. */
static ifn_status save_round(const ops_session *s, ifn_error *err)
{
    if (!s->options.json || conform_output_is_stream(s->options.json))
        return IFN_OK;
    conform_report so_far = s->report;
    conform_report_account(&so_far);
    return conform_write_file(s->options.json, conform_report_json, &so_far, err);
}

static ifn_status run_rounds(ops_session *s, ifn_error *err)
{
    for (;;) {
        s->report.rounds_begun++;
        IFN_TRY(run_everything(s, err));
        s->report.rounds_done += !s->is_cut_short;
        s->options.filter.seed++;
        if (s->options.seconds <= 0 || has_failed(s) || is_over(s))
            return IFN_OK;
        IFN_TRY(save_round(s, err));
    }
}

static ifn_status run_session(ops_session *s, ifn_error *err)
{
    const uint64_t start = ifn_clock_ns();
    if (s->options.resume)
        IFN_TRY(conform_rounds_resume(&s->report, s->options.resume, &s->options.filter.seed, err));
    conform_rounds_start(&s->rounds, &s->report, s->options.seconds);
    s->runner.is_over = s->options.seconds > 0 ? is_over : NULL;
    s->runner.over_cookie = s;
    s->runner.look_ahead = look_ahead;
    s->runner.ahead_cookie = s;
    const ifn_status status = run_rounds(s, err);
    progress_clear(&s->progress);
    IFN_TRY(status);
    stop_runner(s);
    for (int i = 0; i < s->report.n_tested && !s->options.quiet; i++)
        name_writable(s->report.label[i]);
    s->report.seconds += seconds_since(start);
    conform_report_account(&s->report);
    conform_report_check_files(&s->report);
    if (s->has_baseline)
        conform_report_compare(&s->report, &s->baseline);
    s->is_writing = 1;
    return conform_outputs_write(&s->options, &s->report, err);
}

int conform_ops_main(const conform_options *options)
{
    ops_session s = {.options = *options};
    ifn_error err = {0};
    int exit_status;
    report_origin_fill(&s.origin, options->argc, options->argv);
    if (conform_outputs_check(&s.options, &err) != IFN_OK || read_baseline(&s, &err) != IFN_OK ||
        ops_session_open(&s, &err) != IFN_OK || run_session(&s, &err) != IFN_OK)
        exit_status = conform_complain("conform", &err, s.is_writing);
    else
        exit_status = conform_report_is_conformant(&s.report) ? EXIT_DONE : EXIT_NO;
    ops_session_close(&s);
    conform_rounds_finish(&s.rounds); /* a pending signal ends the program here */
    return exit_status;
}
