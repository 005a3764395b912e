#include "museum.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>

#include "complain.h"
#include "jobs.h"
#include "messages.h"
#include "museum_run.h"
#include "options.h"
#include "other_sizes.h"
#include "output_file.h"
#include "outputs.h"
#include "progress.h"
#include "seconds.h"
#include "selection.h"
#include "shipped.h"
#include "supervisor.h"

typedef struct visit {
    const char *path; /* of the plugin; contains a '/' */
    int n_detectors;  /* so many detectors must notice a fault before its run stops */
    conform_options options;
    conform_selection selection;
    void *library;
    const conform_museum *museum;
    conform_museum_report report;
    conform_pool shared; /* shared memory: rows, order, n_taken, jobs */
    atomic_int *n_taken; /* rows taken by a process so far, in the order of `order` */
    int *order;          /* row numbers, sorted by op */
    int n_shown;         /* n_taken as the progress line shows it */
    conform_jobs jobs;
    progress progress;
    bool is_writing;
} visit;

static ifn_status check_options(const visit *v, ifn_error *err)
{
    if (v->options.n_backends > 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "found %d backends, expected one to be under the faults",
                        v->options.n_backends);
    return IFN_OK;
}

/* True if the command line names a museum. */
static bool is_named(const visit *v)
{
    return v->options.museum && *v->options.museum;
}

/* Loads the plugin to read its list of faults. Every worker also opens it as a backend. */
static ifn_status open_plugin(visit *v, ifn_error *err)
{
    static char path[SHIPPED_PATH_BYTES];
    conform_museum_fn tell;
    const char *const named = v->options.museum;
    if (is_named(v))
        snprintf(path, sizeof path, "%s%s", strchr(named, '/') ? "" : "./", named);
    else
        IFN_TRY(shipped_path("museum", "museum.so", path, err));
    v->path = path;
    supervisor_enter("while it was loaded", true);
    v->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    supervisor_leave();
    if (!v->library)
        return ifn_fail(err, IFN_ERR_IO, "museum '%s': cannot be loaded", path);
    *(void **)&tell = dlsym(v->library, CONFORM_MUSEUM_SYMBOL); /* the form POSIX prescribes */
    v->museum = tell ? tell() : NULL;
    if (!v->museum)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "museum '%s': no symbol %s, expected a museum",
                        path, CONFORM_MUSEUM_SYMBOL);
    if (v->museum->fault_bytes != sizeof(conform_museum_fault))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "museum '%s': entries of %u bytes, expected %zu",
                        path, (unsigned)v->museum->fault_bytes, sizeof(conform_museum_fault));
    if (v->museum->n < 1 || !v->museum->faults)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "museum '%s': a list of %d faults%s, expected one or more", path,
                        (int)v->museum->n, v->museum->faults ? "" : " at no address");
    return IFN_OK;
}

static bool is_selected(const conform_options *o, ifn_op op)
{
    for (int i = 0; i < o->n_ops; i++)
        if (o->ops[i] == op)
            return 1;
    return o->n_ops == 0;
}

static void open_shared(visit *v)
{
    const size_t n = (size_t)v->museum->n + 1;
    const int jobs = conform_jobs_number(v->options.n_jobs);
    conform_pool_init_shared(&v->shared, n * (sizeof *v->report.rows + sizeof *v->order) +
                                             (size_t)jobs * sizeof(conform_job) + 4096);
    v->report.rows = conform_pool_take(&v->shared, n, sizeof *v->report.rows);
    v->order = conform_pool_take(&v->shared, n, sizeof *v->order);
    v->n_taken = conform_pool_take(&v->shared, 1, sizeof *v->n_taken);
    conform_jobs_open(&v->jobs, &v->shared, jobs);
}

/* Sorts faults by op, so that each process plans the cases of an op once. */
static void put_in_order(visit *v)
{
    int n = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int i = 0; i < v->report.n; i++)
            if (v->report.rows[i].op == (ifn_op)op)
                v->order[n++] = i;
}

static ifn_status list_faults(visit *v, ifn_error *err)
{
    conform_museum_report *r = &v->report;
    const char *const only = v->options.fault;
    open_shared(v);
    for (int i = 0; i < v->museum->n; i++) {
        const conform_museum_fault *f = &v->museum->faults[i];
        ifn_op op;
        if (!ifn_op_from_name(f->op, &op))
            return ifn_fail(err, IFN_ERR_ARGUMENT, "museum: fault '%s': no op '%s'", f->name,
                            f->op);
        if (is_selected(&v->options, op) && (!only || strcmp(only, f->name) == 0))
            r->rows[r->n++] = (conform_museum_row){.fault = f, .op = op};
    }
    if (r->n == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "museum: these filters select no fault");
    snprintf(r->museum, sizeof r->museum, "%s", v->path);
    snprintf(r->base, sizeof r->base, "%s",
             v->options.n_backends ? v->options.backends[0] : "scalar");
    snprintf(r->profile, sizeof r->profile, "%s", conform_profile_name(v->options.filter.profile));
    r->seed = v->options.filter.seed;
    r->n_detectors = v->n_detectors;
    r->is_whole = r->n == v->museum->n;
    r->is_shipped = !is_named(v);
    put_in_order(v);
    return IFN_OK;
}

static ifn_status open_expression(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = CONFORM_LANES, .keeps_refusals = 1);
    return ifn_backend_open(self->label, &options, out, err);
}

static ifn_status try_fault(visit *v, conform_museum_row *row, const conform_case *cases, int64_t n,
                            ifn_error *err)
{
    char label[SHIPPED_PATH_BYTES + 128];
    const conform_tested tested = {label, open_expression, NULL};
    conform_runner runner = {.tested = &tested,
                             .n_tested = 1,
                             .specs = v->selection.specs,
                             .n_other_sizes = conform_other_sizes(&v->options.filter),
                             .patience = v->options.patience};
    snprintf(label, sizeof label, "%s=%s:%s", v->path, row->fault->name, v->report.base);
    ifn_status status = conform_runner_open(&runner, err);
    if (status == IFN_OK)
        status = conform_museum_try(&runner, cases, n, v->n_detectors, row, err);
    conform_runner_close(&runner);
    return status;
}

/* The cases of the current op. */
typedef struct op_cases {
    bool is_there;
    ifn_op op;
    conform_case *cases; /* owned */
    int64_t n;
} op_cases;

static void close_cases(op_cases *c)
{
    free(c->cases);
    *c = (op_cases){0};
}

static ifn_status append_ordered(op_cases *c, const conform_plan *plan, ifn_error *err)
{
    const int64_t n = c->n + plan->n;
    conform_case *part;
    IFN_TRY(conform_museum_order(plan->cases, plan->n, &part, err));
    conform_case *const grown = realloc(c->cases, ((size_t)n + 1) * sizeof *grown);
    if (grown) {
        memcpy(grown + c->n, part, (size_t)plan->n * sizeof *part);
        c->cases = grown;
        c->n = n;
    }
    free(part);
    return grown ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "museum: no memory for the cases");
}

static ifn_status plan_profile(const visit *v, conform_profile profile, op_cases *c, ifn_error *err)
{
    conform_options options = v->options;
    conform_selection selection = v->selection;
    conform_plan plan = {0};
    options.filter.profile = profile;
    selection.options = &options;
    ifn_status status = conform_selection_plan(&selection, c->op, &plan, err);
    if (status == IFN_OK)
        status = append_ordered(c, &plan, err);
    conform_plan_close(&plan);
    return status;
}

/* Plans the cases of smoke before those of a longer profile, as large cases come late in a longer one. */
static ifn_status plan_cases(const visit *v, ifn_op op, op_cases *c, ifn_error *err)
{
    if (c->is_there && c->op == op)
        return IFN_OK;
    close_cases(c);
    c->op = op;
    if (v->options.filter.profile != PROFILE_SMOKE)
        IFN_TRY(plan_profile(v, PROFILE_SMOKE, c, err));
    IFN_TRY(plan_profile(v, v->options.filter.profile, c, err));
    c->is_there = 1;
    return IFN_OK;
}

/* The work of one process: takes the next fault until none is left. */
static ifn_status try_faults(void *cookie, int index, ifn_error *err)
{
    visit *const v = cookie;
    op_cases cases = {0};
    ifn_status status = IFN_OK;
    (void)index;
    for (int i; status == IFN_OK && (i = atomic_fetch_add(v->n_taken, 1)) < v->report.n;) {
        conform_museum_row *const row = &v->report.rows[v->order[i]];
        status = plan_cases(v, row->op, &cases, err);
        if (status == IFN_OK)
            status = try_fault(v, row, cases.cases, cases.n, err);
    }
    close_cases(&cases);
    return status;
}

static void say_where(visit *v)
{
    const int n = atomic_load(v->n_taken), last = v->report.n - 1;
    if (n == v->n_shown)
        return;
    v->n_shown = n;
    const conform_museum_row *const row = &v->report.rows[v->order[n > last ? last : n]];
    progress_line(&v->progress, "%4d of %d  %-30s", n > last ? last + 1 : n + 1, v->report.n,
                  row->fault->name);
}

static ifn_status try_all(visit *v, ifn_error *err)
{
    if (v->jobs.n == 1)
        return try_faults(v, 0, err);
    ifn_status status = conform_jobs_start(&v->jobs, try_faults, v, err);
    while (status == IFN_OK && conform_jobs_are_left(&v->jobs)) {
        say_where(v);
        conform_jobs_nap();
        status = conform_jobs_look(&v->jobs, err);
    }
    conform_jobs_kill(&v->jobs);
    return status;
}

static void write_json(const void *what, FILE *out)
{
    conform_museum_json(what, out);
}

static void write_html(const void *what, FILE *out)
{
    conform_museum_html(what, out);
}

static ifn_status write_reports(const visit *v, ifn_error *err)
{
    const conform_options *o = &v->options;
    if (o->json)
        IFN_TRY(conform_write_document(o->json, write_json, &v->report, err));
    if (o->html)
        IFN_TRY(conform_write_document(o->html, write_html, &v->report, err));
    if (!conform_output_is_stream(o->json) && !conform_output_is_stream(o->html))
        conform_museum_text(&v->report, stdout);
    return IFN_OK;
}

static ifn_status sweep(visit *v, ifn_error *err)
{
    const uint64_t start = ifn_clock_ns();
    IFN_TRY(check_options(v, err));
    IFN_TRY(conform_outputs_check(&v->options, err));
    IFN_TRY(open_plugin(v, err));
    IFN_TRY(conform_selection_open(&v->selection, &v->options, err));
    IFN_TRY(list_faults(v, err));
    progress_init(&v->progress, "museum", progress_terminal(v->options.quiet));
    const ifn_status status = try_all(v, err);
    progress_clear(&v->progress);
    IFN_TRY(status);
    v->report.seconds = seconds_since(start);
    v->is_writing = 1;
    return write_reports(v, err);
}

/* Returns true if all faults are killed, and no detector is known to be superfluous. */
static bool is_killed(const conform_museum_report *r)
{
    const conform_museum_sum sum = conform_museum_add_up(r);
    return sum.killed == r->n && conform_museum_unexplained(r, &sum) == 0;
}

/* Returns how many detectors must notice a fault before its run stops. */
static int detectors_asked_for(const conform_options *o)
{
    return o->every_killer ? DETECTOR_COUNT : o->lone_killers ? 2 : 1;
}

int conform_museum_main(const conform_options *options)
{
    visit v = {.options = *options, .n_detectors = detectors_asked_for(options)};
    ifn_error err = {0};
    int exit_status;
    report_origin_fill(&v.report.origin, options->argc, options->argv);
    if (sweep(&v, &err) != IFN_OK)
        exit_status = conform_complain("conform museum", &err, v.is_writing);
    else
        exit_status = is_killed(&v.report) ? EXIT_DONE : EXIT_NO;
    conform_pool_fini(&v.shared);
    conform_selection_close(&v.selection);
    if (v.library)
        dlclose(v.library);
    return exit_status;
}
