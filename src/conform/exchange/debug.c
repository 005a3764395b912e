#include "debug.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case_id.h"
#include "cases_file.h"
#include "complain.h"
#include "counted_alloc.h"
#include "judge.h"
#include "messages.h"
#include "selection.h"
#include "supervisor.h"

typedef struct debugger {
    conform_options options;
    conform_selection selection;
    bool is_writing;
    conform_pool pool; /* memory of the slot and of results that are kept */
    conform_case c;
    debug_run run;
} debugger;

static ifn_status check_options(const debugger *d, ifn_error *err)
{
    if (d->options.n_backends > 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--backend: given %d times, expected one",
                        d->options.n_backends);
    return IFN_OK;
}

/* Takes the case of --values, or the first case of a file of cases. */
static ifn_status take_written(debugger *d, ifn_error *err)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_plan plan;
        IFN_TRY(conform_selection_plan(&d->selection, (ifn_op)op, &plan, err));
        const int n = plan.n > 0;
        if (n)
            d->c = plan.cases[0];
        conform_plan_close(&plan);
        if (n)
            return IFN_OK;
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%.100s: found no case", d->options.id);
}

static ifn_status find_case(debugger *d, ifn_error *err)
{
    IFN_TRY(conform_selection_open(&d->selection, &d->options, err));
    if (d->selection.cases.cases)
        return take_written(d, err);
    if (!conform_case_parse(d->options.id, &d->c, err))
        return IFN_ERR_ARGUMENT;
    return conform_case_check(&d->c, err);
}

/* Keeps pointers to the judge's copies. They stay valid until the judge's next case, and there is none. */
static void keep(void *cookie, const conform_slot *slot, unsigned char *const *results,
                 const conform_truth *truth)
{
    debug_run *const r = cookie;
    memcpy(r->truth, truth, sizeof r->truth);
    for (int i = 0; i < slot->layout.n; i++)
        r->got[i] = results[i];
}

static void show(const debugger *d, const char *backend)
{
    const conform_verdict *const v = &d->run.verdict;
    debug_put_outputs(&d->run, stdout);
    printf("\n%s: %s", backend,
           v->outcome == OUTCOME_PASS      ? "passed"
           : v->outcome == OUTCOME_REFUSED ? "refused"
                                           : conform_check_name(v->check));
    printf(v->detail[0] ? ": %s\n" : "\n", v->detail);
}

static ifn_status judge(debugger *d, ifn_backend *backend, ifn_error *err)
{
    conform_judge judge;
    ifn_status status = IFN_OK;
    conform_judge_open(&judge, backend, NULL);
    judge.watch = keep;
    judge.watch_cookie = &d->run;
    conform_judge_case(&judge, d->run.slot, &d->run.verdict);
    show(d, ifn_backend_expression(backend));
    if (d->options.dir) {
        d->is_writing = 1;
        status = debug_write_files(&d->run, d->options.dir, err);
    }
    conform_judge_close(&judge);
    return status;
}

static ifn_status run_on(debugger *d, conform_slot *slot, ifn_backend *scalar, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = CONFORM_LANES, .keeps_refusals = 1,
                  .alloc = conform_counted_allocator());
    ifn_backend *backend;
    IFN_TRY(conform_slot_build(slot, &d->pool, &d->c, d->selection.specs[d->c.op], scalar, err));
    d->run.slot = slot;
    d->run.spec = d->selection.specs[d->c.op];
    memcpy(d->run.truth, slot->truth, sizeof d->run.truth);
    debug_put_words(&slot->c, stdout);
    debug_put_inputs(&d->run, stdout);
    fflush(stdout); /* so that this much is printed if the call crashes */
    supervisor_enter("while it was judged", false);
    IFN_TRY(ifn_backend_open(d->options.n_backends ? d->options.backends[0] : NULL, &options,
                             &backend, err));
    const ifn_status status = judge(d, backend, err);
    ifn_backend_close(backend);
    return status;
}

static ifn_status run(debugger *d, ifn_error *err)
{
    ifn_backend *scalar;
    conform_slot *const slot = conform_pool_take(&d->pool, 1, sizeof *slot);
    IFN_TRY(ifn_backend_open("scalar", NULL, &scalar, err));
    const ifn_status status = run_on(d, slot, scalar, err);
    ifn_backend_close(scalar);
    return status;
}

/* Replaces this process by gdb, which runs the same command line without --gdb and stops at the call. Every call of
 * the op, scalar's too, goes through enter_<op> (invoke.c); the call to stop at is the first one after
 * judge_tell_run. */
static ifn_status start_gdb(const debugger *d, ifn_error *err)
{
    static char *before[] = {"gdb", "-q", "-ex", "tbreak judge_tell_run", "-ex", "run", "-ex"};
    enum { N_BEFORE = sizeof before / sizeof *before };
    const conform_options *const o = &d->options;
    char stop[64], self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return ifn_fail(err, IFN_ERR_IO,
                        "/proc/self/exe: cannot be read, expected a link to this program");
    self[length] = '\0';
    snprintf(stop, sizeof stop, "break enter_%s", ifn_op_name(d->c.op));
    char *const after[] = {stop, "-ex", "continue", "--args", self};
    enum { N_AFTER = sizeof after / sizeof *after };
    char **const call = calloc(N_BEFORE + N_AFTER + (size_t)o->argc + 1, sizeof *call);
    if (!call)
        return ifn_fail(err, IFN_ERR_NOMEM, "no memory for a command line");
    memcpy(call, before, sizeof before);
    memcpy(call + N_BEFORE, after, sizeof after);
    for (int i = 0, n = N_BEFORE + N_AFTER; i < o->argc; i++)
        if (strcmp(o->argv[i], "--gdb") != 0)
            call[n++] = o->argv[i];
    execvp("gdb", call);
    free(call);
    return ifn_fail(err, IFN_ERR_IO, "gdb: not found, expected a program of that name on PATH");
}

static ifn_status debug(debugger *d, ifn_error *err)
{
    IFN_TRY(check_options(d, err));
    IFN_TRY(find_case(d, err));
    return d->options.gdb ? start_gdb(d, err) : run(d, err);
}

int conform_debug_main(const conform_options *options)
{
    debugger d = {.options = *options};
    ifn_error err = {0};
    d.options.id = options->words[0];
    conform_pool_init(&d.pool);
    const ifn_status status = debug(&d, &err);
    conform_pool_fini(&d.pool);
    conform_selection_close(&d.selection);
    if (status != IFN_OK)
        return conform_complain("conform debug", &err, d.is_writing);
    return d.run.verdict.outcome == OUTCOME_FAIL ? EXIT_NO : EXIT_DONE;
}
