#include "debug.h"

#include <string.h>
#include <unistd.h>

#include "case_id.h"
#include "cases_file.h"
#include "complain.h"
#include "counted_alloc.h"
#include "judge.h"
#include "messages.h"
#include "selection.h"

typedef struct debugger {
    conform_options options;
    conform_selection selection;
    const char *id, *dir;
    int with_gdb, is_writing;
    conform_pool pool; /* of the slot, and of what is kept of the run */
    conform_case c;
    debug_run run;
} debugger;

enum { MOST_WORDS = 64 };

/* The words of `inferno conform`, with the case as its option. */
typedef struct words {
    int n;
    char *at[MOST_WORDS];
} words;

static ifn_status take_words(debugger *d, int argc, char **argv, words *rest, ifn_error *err)
{
    static char name[] = "debug", option[] = "--case";
    *rest = (words){3, {name, option, argv[1]}};
    d->id = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    if (!d->id || argc > MOST_WORDS - 3)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "found %s, expected CASE [--backend EXPR]",
                        argc > 1 ? argv[1] : "no case");
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--gdb") == 0)
            d->with_gdb = 1;
        else if (strcmp(argv[i], "--dir") == 0 && i + 1 < argc)
            d->dir = argv[++i];
        else
            rest->at[rest->n++] = argv[i];
    return IFN_OK;
}

static ifn_status check_options(const debugger *d, ifn_error *err)
{
    static const char *const allowed[] = {"--case",   "--backend",  "--spec",
                                          "--values", "--patience", NULL};
    const char *const other = conform_options_beside(&d->options, allowed);
    if (other)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "found %s, expected --backend, --dir, --gdb, --spec, --values, --patience "
                        "only",
                        other);
    if (d->options.n_backends > 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--backend: given %d times, expected one",
                        d->options.n_backends);
    return IFN_OK;
}

/* The case of --values, or the first of a file of cases. */
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
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%.100s: found no case", d->id);
}

static ifn_status find_case(debugger *d, ifn_error *err)
{
    IFN_TRY(conform_selection_open(&d->selection, &d->options, err));
    if (d->selection.cases.cases)
        return take_written(d, err);
    if (!conform_case_parse(d->id, &d->c, err))
        return IFN_ERR_ARGUMENT;
    return conform_case_check(&d->c, err);
}

/* The judge's copies live until the next case, of which there is none. */
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
                                           : conform_fault_name(v->fault));
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
    if (d->dir) {
        d->is_writing = 1;
        status = debug_write_files(&d->run, d->dir, err);
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
    fflush(stdout); /* a call that crashes leaves that much */
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

/* Every call of the op goes through enter_<op> (invoke.c), those of scalar too: the one of interest is
 * the first after judge_tell_run. The words of this command line, without --gdb, are those of the
 * program that is watched. */
static ifn_status start_gdb(int argc, char **argv, ifn_op op, ifn_error *err)
{
    char stop[64], self[4096];
    char *call[MOST_WORDS + 16] = {"gdb",     "-q",       "-ex",    "tbreak judge_tell_run",
                                   "-ex",     "run",      "-ex",    stop,
                                   "-ex",     "continue", "--args", self,
                                   "conform", "debug"};
    int n = 14;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return ifn_fail(err, IFN_ERR_IO,
                        "/proc/self/exe: cannot be read, expected a link to this program");
    self[length] = '\0';
    snprintf(stop, sizeof stop, "break enter_%s", ifn_op_name(op));
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--gdb") != 0)
            call[n++] = argv[i];
    execvp("gdb", call);
    return ifn_fail(err, IFN_ERR_IO, "gdb: not found, expected a program of that name on PATH");
}

static ifn_status debug(debugger *d, int argc, char **argv, ifn_error *err)
{
    words rest;
    IFN_TRY(take_words(d, argc, argv, &rest, err));
    IFN_TRY(conform_options_parse(&d->options, rest.n, rest.at, err));
    IFN_TRY(check_options(d, err));
    IFN_TRY(find_case(d, err));
    return d->with_gdb ? start_gdb(argc, argv, d->c.op, err) : run(d, err);
}

int conform_debug_main(int argc, char **argv)
{
    debugger d = {.id = NULL};
    ifn_error err = {0};
    conform_pool_init(&d.pool);
    const ifn_status status = debug(&d, argc, argv, &err);
    conform_pool_fini(&d.pool);
    conform_selection_close(&d.selection);
    if (status != IFN_OK)
        return conform_complain("conform debug", &err, d.is_writing);
    return d.run.verdict.outcome == OUTCOME_FAIL ? EXIT_NO : EXIT_DONE;
}
