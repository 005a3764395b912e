#include "ops_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <inferno/clock.h>

#include "abi.h"
#include "case_id.h"
#include "complain.h"
#include "counted_alloc.h"
#include "describe.h"
#include "escape.h"
#include "guard_arena.h"
#include "jobs.h"
#include "messages.h"
#include "museum_run.h"
#include "options.h"
#include "output_file.h"
#include "outputs.h"
#include "progress.h"
#include "rounds.h"
#include "run_report.h"
#include "selection.h"
#include "shrink.h"
#include "shrunk_file.h"
#include "writable.h"

/* Failures of an op on a backend, by one judgement, that are looked into: each of another dtype.
 * And the seconds after which no other of an op is begun. */
enum { LOOKED_INTO = 3, LOOKING_SECONDS = 6 };

/* --fail-fast looks for a judgement; a process that dies or hangs costs much and says little. */
enum { MOST_DEATHS = 8 };

typedef struct session {
    conform_options options;
    conform_selection selection;
    conform_tested tested[CONFORM_MAX_TESTED];
    conform_runner runner;
    conform_report report;
    report_origin origin;
    int64_t n_cases;            /* planned so far */
    int64_t n_told, n_to_tell;  /* verdicts of the op at hand: so far, in all */
    int64_t n_deaths, n_judged; /* failed cases so far */
    conform_rounds rounds;
    bool is_cut_short; /* the round at hand */
    progress progress;
    int is_writing;
} session;

static ifn_status open_expression(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = CONFORM_LANES, .keeps_refusals = 1,
                  .alloc = conform_counted_allocator());
    return ifn_backend_open(self->label, &options, out, err);
}

/* Without --backend, the one that the best expression resolves to. */
static ifn_status name_tested(session *s, ifn_error *err)
{
    static char best[REPORT_LABEL_BYTES];
    ifn_backend *backend;
    if (s->options.n_backends == 0) {
        IFN_TRY(ifn_backend_open(NULL, NULL, &backend, err));
        snprintf(best, sizeof best, "%s", ifn_backend_expression(backend));
        ifn_backend_close(backend);
        s->options.backends[s->options.n_backends++] = best;
    }
    conform_report_open(&s->report, s->options.n_backends);
    for (int i = 0; i < s->options.n_backends; i++) {
        s->tested[i] = (conform_tested){s->options.backends[i], open_expression, NULL};
        report_binary_fill(&s->report.binary[i], s->options.backends[i]);
        snprintf(s->report.label[i], sizeof s->report.label[i], "%s", s->options.backends[i]);
    }
    return IFN_OK;
}

/* What the worker says of the backend it has opened. */
static void take_channel(conform_report *r, int i, const conform_channel *channel)
{
    snprintf(r->expression[i], sizeof r->expression[i], "%s", channel->expression);
    r->binary[i].is_device = channel->is_device;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_cell *cell = conform_report_cell(r, (ifn_op)op, i);
        memcpy(cell->by, channel->by[op], sizeof cell->by);
        cell->is_inherited = channel->is_inherited[op];
        memcpy(cell->arithmetic, channel->arithmetic[op], sizeof cell->arithmetic);
    }
}

/* Options without which a case is not the same: its values, the spec or the file of cases, and how
 * long a call may take. */
static void note_how(session *s)
{
    conform_report *const r = &s->report;
    const char *const spec = s->selection.is_case_a_file ? s->options.id : s->options.spec;
    FILE *const out = fmemopen(r->how, sizeof r->how, "w");
    if (!out)
        return;
    if (s->options.values) {
        fputs(" --values ", out);
        escape_shell(s->options.values, out);
    }
    if (spec) {
        fputs(" --spec ", out);
        escape_shell(spec, out);
    }
    if (s->options.patience > PATIENCE_USUAL || s->options.patience < PATIENCE_USUAL)
        fprintf(out, " --patience %.0f", s->options.patience);
    fclose(out);
    r->shows_all = s->options.all;
}

static ifn_status open_session(session *s, ifn_error *err)
{
    IFN_TRY(conform_selection_open(&s->selection, &s->options, err));
    IFN_TRY(name_tested(s, err));
    s->runner = (conform_runner){.tested = s->tested,
                                 .n_tested = s->options.n_backends,
                                 .specs = s->selection.specs,
                                 .in_process = s->options.in_process,
                                 .n_jobs = conform_jobs_number(s->options.n_jobs),
                                 .patience = s->options.patience};
    IFN_TRY(conform_runner_open(&s->runner, err));
    for (int i = 0; i < s->options.n_backends; i++)
        take_channel(&s->report, i, &s->runner.channels[i]);
    note_how(s);
    s->report.seed = s->options.filter.seed;
    s->report.lists_reach = s->options.reach;
    s->report.origin = s->origin;
    snprintf(s->report.filters, sizeof s->report.filters, "%s", s->options.filters);
    s->report.registers_checked = conform_abi_is_checked();
    s->report.upper_checked = conform_abi_checks_upper();
    s->report.is_unguarded = !guard_protects();
    snprintf(s->report.profile, sizeof s->report.profile, "%s",
             conform_profile_name(s->options.filter.profile));
    snprintf(s->report.shard, sizeof s->report.shard, "%lld/%lld",
             (long long)s->options.filter.shard,
             (long long)(s->options.filter.n_shards ? s->options.filter.n_shards : 1));
    progress_init(&s->progress, "conform", progress_terminal(s->options.quiet));
    return IFN_OK;
}

static void close_session(session *s)
{
    conform_runner_close(&s->runner);
    conform_selection_close(&s->selection);
    conform_report_close(&s->report);
}

static void tell(session *s, ifn_op op, int64_t n_verdicts)
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

/* For the runner, and between ops. */
static bool is_over(void *cookie)
{
    session *const s = cookie;
    return s->is_cut_short = s->is_cut_short || conform_rounds_are_over(&s->rounds);
}

static void add_verdict(void *cookie, const conform_case *c, int tested,
                        const conform_verdict *verdict)
{
    session *s = cookie;
    conform_report_add(&s->report, c, tested, verdict);
    tell(s, c->op, 1);
    if (verdict->outcome != OUTCOME_FAIL)
        return;
    if (conform_fault_is_death(verdict->fault))
        s->n_deaths++;
    else
        s->n_judged++;
}

static int has_failed(void *cookie)
{
    const session *s = cookie;
    return s->options.fail_fast && (s->n_judged > 0 || s->n_deaths >= MOST_DEATHS);
}

/* Runs a case by itself, over and over, and says how often it failed. */
static ifn_status repeat_case(session *s, const conform_case *c, int tested, ifn_error *err)
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

static ifn_status repeat_cases(session *s, const conform_case *cases, int64_t n, ifn_error *err)
{
    for (int64_t i = 0; i < n; i++)
        for (int tested = 0; tested < s->runner.n_tested; tested++)
            IFN_TRY(repeat_case(s, &cases[i], tested, err));
    return IFN_OK;
}

/* 1: the first failure of its cause, of which a few of the same judgement are looked into. All of
 * them where the smallest cases are asked for. */
static int is_looked_into(const session *s, int64_t i)
{
    const conform_report *const r = &s->report;
    const conform_failure *const f = &r->failures[i];
    int n = 0;
    for (int64_t j = 0; j < i; j++) {
        const conform_failure *const before = &r->failures[j];
        if (before->op != f->op || before->tested != f->tested ||
            before->verdict.fault != f->verdict.fault)
            continue;
        if (before->c.dtype == f->c.dtype)
            return 0;
        n += before->nature[0] != '\0';
    }
    return n < LOOKED_INTO || s->options.shrunk;
}

/* Does it recur, and what is the smallest case. */
static ifn_status look_into(session *s, int64_t first, ifn_error *err)
{
    const uint64_t deadline = ifn_clock_ns() + LOOKING_SECONDS * UINT64_C(1000000000);
    for (int64_t i = first; i < s->report.n_failures; i++) {
        conform_failure *f = &s->report.failures[i];
        /* in process a case that crashes ends everything: nothing is tried there */
        if (s->options.in_process || (ifn_clock_ns() > deadline && !s->options.shrunk) ||
            !is_looked_into(s, i))
            continue;
        progress_line(&s->progress, "%-24s looking into failure %lld of %lld", ifn_op_name(f->op),
                      (long long)(i - first + 1), (long long)(s->report.n_failures - first));
        IFN_TRY(conform_describe(&s->runner, f, DESCRIBE_SECONDS, err));
        IFN_TRY(conform_shrink(&s->runner, f, err));
    }
    return IFN_OK;
}

static ifn_status run_cheapest_first(session *s, const conform_case *cases, int64_t n,
                                     ifn_error *err)
{
    conform_case *ordered;
    IFN_TRY(conform_museum_order(cases, n, &ordered, err));
    const ifn_status status =
        conform_runner_run_until(&s->runner, ordered, n, add_verdict, has_failed, s, err);
    free(ordered);
    return status;
}

static ifn_status run_cases(session *s, ifn_op op, const conform_case *cases, int64_t n,
                            ifn_error *err)
{
    const int64_t first = s->report.n_failures;
    s->n_told = 0;
    s->n_to_tell = n * s->runner.n_tested;
    tell(s, op, 0);
    if (s->options.repeat)
        return repeat_cases(s, cases, n, err);
    if (s->options.fail_fast)
        return run_cheapest_first(s, cases, n, err);
    IFN_TRY(conform_runner_run(&s->runner, cases, n, add_verdict, s, err));
    return s->is_cut_short ? IFN_OK : look_into(s, first, err);
}

/* The same of every backend, whatever the filters leave of it. */
static void promise(session *s, ifn_op op)
{
    for (int i = 0; i < s->report.n_tested; i++)
        conform_reach_need(&conform_report_cell(&s->report, op, i)->reach, s->selection.specs[op],
                           s->options.filter.profile);
}

/* What every backend is to be judged by. */
static void note_plan(session *s, const conform_plan *plan)
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

static ifn_status run_op(session *s, ifn_op op, ifn_error *err)
{
    conform_plan plan;
    progress_line(&s->progress, "%-24s making cases", ifn_op_name(op));
    IFN_TRY(conform_selection_plan(&s->selection, op, &plan, err));
    if (plan.n && !s->selection.is_case_a_file)
        promise(s, op);
    note_plan(s, &plan);
    const ifn_status status = plan.n ? run_cases(s, op, plan.cases, plan.n, err) : IFN_OK;
    conform_plan_close(&plan);
    return status;
}

static ifn_status run_everything(session *s, ifn_error *err)
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

static ifn_status compare_with_baseline(session *s, ifn_error *err)
{
    conform_report baseline;
    if (!s->options.baseline)
        return IFN_OK;
    IFN_TRY(conform_report_read(s->options.baseline, &baseline, err));
    conform_report_compare(&s->report, &baseline);
    conform_report_close(&baseline);
    return IFN_OK;
}

/* Where a plugin may keep something of a call, for whoever wants to know. */
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

static void stop_runner(session *s)
{
    conform_runner_stop(&s->runner);
    for (int i = 0; i < s->report.n_tested; i++)
        if (*s->runner.ended[i])
            conform_report_problem(&s->report,
                                   "%s: %s, when it was closed after the last case: look at close, "
                                   "exit handlers and threads (--in-process under a debugger)",
                                   s->report.label[i], s->runner.ended[i]);
}

/* After each round what is known is on the disk, whatever comes. */
static ifn_status save_round(const session *s, ifn_error *err)
{
    if (!s->options.json || conform_output_is_stream(s->options.json))
        return IFN_OK;
    conform_report so_far = s->report;
    conform_report_account(&so_far);
    return conform_write_file(s->options.json, conform_report_json, &so_far, err);
}

static ifn_status run_rounds(session *s, ifn_error *err)
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

static ifn_status run_session(session *s, ifn_error *err)
{
    const uint64_t start = ifn_clock_ns();
    if (s->options.resume)
        IFN_TRY(conform_rounds_resume(&s->report, s->options.resume, &s->options.filter.seed, err));
    conform_rounds_start(&s->rounds, &s->report, s->options.seconds);
    s->runner.is_over = s->options.seconds > 0 ? is_over : NULL;
    s->runner.over_cookie = s;
    const ifn_status status = run_rounds(s, err);
    progress_clear(&s->progress);
    IFN_TRY(status);
    stop_runner(s);
    for (int i = 0; i < s->report.n_tested && !s->options.quiet; i++)
        name_writable(s->report.label[i]);
    s->report.seconds += (double)(ifn_clock_ns() - start) * 1e-9;
    conform_report_account(&s->report);
    IFN_TRY(compare_with_baseline(s, err));
    s->is_writing = 1;
    return conform_outputs_write(&s->options, &s->report, err);
}

int conform_ops_main(const conform_options *options)
{
    session s = {.options = *options};
    ifn_error err = {0};
    int exit_status;
    report_origin_fill(&s.origin, options->argc, options->argv);
    if (conform_outputs_check(&s.options, &err) != IFN_OK || open_session(&s, &err) != IFN_OK ||
        run_session(&s, &err) != IFN_OK)
        exit_status = conform_complain("conform", &err, s.is_writing);
    else
        exit_status = conform_report_is_conformant(&s.report) ? EXIT_DONE : EXIT_NO;
    close_session(&s);
    conform_rounds_finish(&s.rounds); /* a signal that waits ends the program here */
    return exit_status;
}
