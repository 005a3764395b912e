#include "bench_ops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/nearest.h>

#include "bench.h"
#include "bench_call.h"
#include "bench_chart.h"
#include "bench_op_result.h"
#include "bench_roof.h"
#include "bench_sizes.h"
#include "module.h"
#include "plugin_watch.h"
#include "progress.h"

/* The time limit for timing a call. */
static const double most_seconds = 1.0;

typedef struct bench_ops_run_state {
    const bench_ops *options;
    bench_op_table table;
    bench_roof roof;
    progress bar;
    ifn_backend *scalar, *simd; /* on one thread; simd NULL: this machine has none */
    ifn_backend *backend;       /* what is timed */
    int threads;
    bool is_wall;
    int judged[IFN_OP_COUNT]; /* of `backend`; 0: not yet; 1: conformant, 2: not, 3: unknown */
    int n_without;            /* kernels that were not timed */
    bench_op_results results;
} bench_ops_run_state;

/* --- which ops --- */

static bool is_word(const char *text, size_t bytes, const char *word)
{
    return strlen(word) == bytes && memcmp(text, word, bytes) == 0;
}

static bool is_wanted(const bench_ops *o, ifn_op op)
{
    for (const char *at = o->op; *at; at += *at == ',') {
        const size_t bytes = strcspn(at, ",");
        if (is_word(at, bytes, "all") || is_word(at, bytes, ifn_op_name(op)))
            return true;
        at += bytes;
    }
    return false;
}

static ifn_status check_op(const char *text, size_t bytes, ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM], word[40] = "";
    ifn_nearest near = {.word = word};
    memcpy(word, text, bytes < sizeof word ? bytes : sizeof word - 1);
    bool known = is_word(text, bytes, "all");
    for (int op = 0; op < IFN_OP_COUNT && !known; op++) {
        known = is_word(text, bytes, ifn_op_name((ifn_op)op));
        ifn_nearest_offer(&near, ifn_op_name((ifn_op)op));
    }
    return known ? IFN_OK
                 : ifn_fail(err, IFN_ERR_ARGUMENT, "--op: found '%s', expected an op, or all%s",
                            word, ifn_nearest_hint(&near, hint));
}

/* Checks that the given sizes and dtypes are valid for an op. */
static ifn_status check_calls(const bench_ops *o, ifn_op op, ifn_error *err)
{
    conform_case c = {.op = op};
    for (const char *at = o->dtypes; at && *at;)
        IFN_TRY(bench_dtypes_next(&at, op, &c, err));
    for (const char *at = o->shape; at && *at;)
        IFN_TRY(bench_sizes_next(&at, op, &c, err));
    return IFN_OK;
}

static ifn_status check_options(const bench_ops *o, ifn_error *err)
{
    for (const char *at = o->op; *at; at += *at == ',') {
        const size_t bytes = strcspn(at, ",");
        IFN_TRY(check_op(at, bytes, err));
        at += bytes;
    }
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (is_wanted(o, (ifn_op)op))
            IFN_TRY(check_calls(o, (ifn_op)op, err));
    return IFN_OK;
}

/* --- one call --- */

enum { OWN, SCALAR, SIMD, N_TIMED };

static ifn_dtype dtype_of(const conform_case *c)
{
    return c->op == IFN_OP_QUANTIZE_ROWS ? c->out_dtype : c->dtype;
}

static bench_op_result result_for(const bench_ops_run_state *s, const conform_case *c)
{
    const ifn_backend *const who = ifn_backend_implementer(s->backend, c->op);
    bench_op_result r = {.op = c->op,
                         .dtype = dtype_of(c),
                         .by = who ? who->desc->name : "",
                         .threads = s->threads,
                         .is_wall = s->is_wall,
                         .memory = ""};
    snprintf(r.backend, sizeof r.backend, "%s", ifn_backend_expression(s->backend));
    return r;
}

/* Returns the entry with the time of scalar or simd: OWN if the backend under test is the same one. */
static int timed_as(const bench_ops_run_state *s, const ifn_backend *beside, int entry)
{
    const char *const own = ifn_backend_expression(s->backend);
    return beside && strcmp(ifn_backend_expression(beside), own) == 0 ? OWN : entry;
}

/* Times the calls in turn, so that other load on the machine affects all of them equally. */
static void take_times(bench_ops_run_state *s, bench_call *calls, const bool *is_open,
                       bench_op_result *r)
{
    bench_entry entries[N_TIMED] = {{.fn = NULL}};
    const bench_way way = {.is_wall = s->is_wall, .seconds = most_seconds};
    for (int i = 0; i < N_TIMED; i++)
        if (is_open[i])
            entries[i] = (bench_entry){.fn = bench_call_run, .cookie = &calls[i]};
    bench_run_by(way, entries, N_TIMED);
    r->time = bench_time_of(&entries[OWN]);
    r->scalar = bench_time_of(&entries[timed_as(s, s->scalar, SCALAR)]).median;
    r->simd = bench_time_of(&entries[timed_as(s, s->simd, SIMD)]).median;
}

static void find_ceilings(bench_ops_run_state *s, const bench_call *call, bench_op_result *r)
{
    r->is_packed = call->is_packed;
    r->cost = call->cost;
    if (ifn_backend_is_device(s->backend)) /* not this processor's */
        return;
    r->operations = bench_roof_operations(&s->roof, s->threads, bench_call_is_of_dots(call));
    r->bytes = bench_roof_reading(&s->roof, s->threads, call->working_bytes);
    r->memory = bench_roof_memory(&s->roof, s->threads, call->working_bytes);
}

static ifn_status time_call(bench_ops_run_state *s, const conform_case *c, bench_op_result *r,
                            ifn_error *err)
{
    ifn_backend *const backends[N_TIMED] = {s->backend, s->scalar, s->simd};
    bench_call calls[N_TIMED];
    bool is_open[N_TIMED] = {false};
    ifn_status status = IFN_OK;
    for (int i = 0; i < N_TIMED && status == IFN_OK; i++) {
        calls[i] = (bench_call){.backend = backends[i], .c = *c, .form = BENCH_PREPARED};
        if (!backends[i] || timed_as(s, backends[i], i) != i)
            continue;
        const ifn_status opened = bench_call_open(&calls[i], i == OWN ? err : NULL);
        is_open[i] = opened == IFN_OK;
        if (!is_open[i])
            bench_call_close(&calls[i]);
        if (i == OWN)
            status = opened;
    }
    if (status == IFN_OK) {
        bench_call_sizes(&calls[OWN], r->sizes, sizeof r->sizes);
        find_ceilings(s, &calls[OWN], r);
        take_times(s, calls, is_open, r);
    }
    for (int i = 0; i < N_TIMED; i++)
        if (is_open[i])
            bench_call_close(&calls[i]);
    return status;
}

static const char *problem_of(bench_ops_run_state *s, ifn_op op)
{
    static const char *const problems[] = {NULL, NULL, "fails its conformance cases",
                                           "could not be judged by its conformance cases"};
    if (s->judged[op] == 0) {
        const int verdict = bench_is_conformant(ifn_backend_expression(s->backend), op);
        s->judged[op] = verdict == 1 ? 1 : verdict == 0 ? 2 : 3;
    }
    return problems[s->judged[op]];
}

static ifn_status take_call(bench_ops_run_state *s, const conform_case *c, ifn_error *err)
{
    bench_op_result r = result_for(s, c);
    progress_line(&s->bar, "%s of %s on %s", ifn_op_name(c->op), ifn_dtype_name(r.dtype),
                  r.backend);
    r.problem = problem_of(s, c->op);
    ifn_status status = r.problem ? IFN_OK : time_call(s, c, &r, err);
    if (status == IFN_ERR_UNSUPPORTED) {
        r.problem = "is refused";
        status = IFN_OK;
    } else if (r.problem) {
        s->n_without++;
    }
    progress_clear(&s->bar);
    if (status == IFN_OK) {
        bench_op_row(&s->table, &r);
        status = bench_op_results_add(&s->results, &r, err);
    }
    return status;
}

/* --- all of them --- */

static ifn_status take_op(bench_ops_run_state *s, ifn_op op, ifn_error *err)
{
    const bench_ops *const o = s->options;
    const conform_module *const usual = conform_module_of(op);
    const char *const dtypes = o->dtypes             ? o->dtypes
                               : usual->model_dtypes ? usual->model_dtypes
                                                     : "F32";
    conform_case c = {.op = op, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 1};
    for (const char *dtype = dtypes; *dtype;) {
        IFN_TRY(bench_dtypes_next(&dtype, op, &c, err));
        for (const char *shape = o->shape ? o->shape : usual->model_sizes; *shape;) {
            IFN_TRY(bench_sizes_next(&shape, op, &c, err));
            IFN_TRY(take_call(s, &c, err));
        }
    }
    return IFN_OK;
}

static ifn_status take_backend(bench_ops_run_state *s, const char *expression, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options,
                  .n_threads = s->options->n_threads ? (int32_t)s->options->n_threads : 1);
    IFN_TRY(plugin_watch_open(expression, &options, &s->backend, err));
    s->threads = (int)bench_threads_of(s->backend);
    s->is_wall = s->options->is_wall || s->threads > 1 || ifn_backend_is_device(s->backend);
    memset(s->judged, 0, sizeof s->judged);
    ifn_status status = IFN_OK;
    for (int op = 0; op < IFN_OP_COUNT && status == IFN_OK; op++)
        if (is_wanted(s->options, (ifn_op)op))
            status = take_op(s, (ifn_op)op, err);
    plugin_watch_close(s->backend);
    s->backend = NULL;
    return status;
}

/* Checks that every backend can be opened before the first is timed. */
static ifn_status check_backends(const bench_ops *o, ifn_error *err)
{
    for (int i = 0; i < o->backends.n; i++) {
        ifn_backend *backend;
        IFN_TRY(plugin_watch_open(o->backends.items[i], NULL, &backend, err));
        plugin_watch_close(backend);
    }
    return IFN_OK;
}

static ifn_status take_all(bench_ops_run_state *s, ifn_error *err)
{
    const bench_ops *const o = s->options;
    const char *const best = s->simd ? "simd" : "scalar";
    for (int i = 0; i < (o->backends.n ? o->backends.n : 1); i++)
        IFN_TRY(take_backend(s, o->backends.n ? o->backends.items[i] : best, err));
    if (o->chart)
        IFN_TRY(bench_chart_ops(o->chart, &s->results, &s->roof, err));
    return s->n_without == 0 ? IFN_OK
                             : ifn_fail(err, IFN_ERR_UNSUPPORTED,
                                        "bench: %d calls of kernels that their conformance cases "
                                        "do not vouch for: they have no speed",
                                        s->n_without);
}

ifn_status bench_ops_run(const bench_ops *self, ifn_error *err)
{
    bench_ops_run_state s = {.options = self};
    IFN_TRY(check_options(self, err));
    IFN_TRY(check_backends(self, err));
    IFN_TRY(ifn_backend_open("scalar", NULL, &s.scalar, err));
    if (ifn_backend_open("simd", NULL, &s.simd, NULL) != IFN_OK)
        s.simd = NULL;
    bench_roof_open(&s.roof);
    progress_init(&s.bar, "bench", progress_terminal(self->is_quiet));
    bench_op_begin(&s.table, self->format);
    const ifn_status status = take_all(&s, err);
    progress_clear(&s.bar);
    bench_op_end(&s.table);
    bench_op_results_free(&s.results);
    ifn_backend_close(s.scalar);
    ifn_backend_close(s.simd);
    return status;
}
