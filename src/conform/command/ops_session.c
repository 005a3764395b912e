#include "ops_session.h"

#include <string.h>

#include "abi.h"
#include "counted_alloc.h"
#include "escape.h"
#include "guard_arena.h"
#include "jobs.h"
#include "other_sizes.h"

static ifn_status open_expression(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = CONFORM_LANES, .keeps_refusals = 1,
                  .alloc = conform_counted_allocator());
    return ifn_backend_open(self->label, &options, out, err);
}

/* Sets the labels of backends. Without --backend, the best backend is judged under its resolved expression. */
static ifn_status name_tested(ops_session *s, ifn_error *err)
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

/* Copies what a worker states of the backend it has opened. */
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

/* Notes the options that a command must have to repeat a case: its values, the spec or file of cases, and the
 * patience. */
static void note_how(ops_session *s)
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

ifn_status ops_session_open(ops_session *s, ifn_error *err)
{
    IFN_TRY(conform_selection_open(&s->selection, &s->options, err));
    IFN_TRY(name_tested(s, err));
    s->runner = (conform_runner){.tested = s->tested,
                                 .n_tested = s->options.n_backends,
                                 .specs = s->selection.specs,
                                 .in_process = s->options.in_process,
                                 .n_jobs = conform_jobs_number(s->options.n_jobs),
                                 .n_other_sizes =
                                     s->options.id ? 0 : conform_other_sizes(&s->options.filter),
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
    s->report.is_in_process = s->options.in_process;
    snprintf(s->report.profile, sizeof s->report.profile, "%s",
             conform_profile_name(s->options.filter.profile));
    snprintf(s->report.shard, sizeof s->report.shard, "%lld/%lld",
             (long long)s->options.filter.shard,
             (long long)(s->options.filter.n_shards ? s->options.filter.n_shards : 1));
    progress_init(&s->progress, "conform", progress_terminal(s->options.quiet));
    return IFN_OK;
}

void ops_session_close(ops_session *s)
{
    conform_runner_close(&s->runner);
    conform_plan_close(&s->ahead.plan);
    conform_selection_close(&s->selection);
    conform_report_close(&s->report);
    if (s->has_baseline)
        conform_report_close(&s->baseline);
}
