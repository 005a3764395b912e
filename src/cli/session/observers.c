#include "observers.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "messages.h"
#include "output.h"
#include "plugin_watch.h"
#include "reading.h"
#include "team.h"

enum { LINE_BYTES = 1024, EXPRESSION_BYTES = 4096 };

int observers_log_is_wanted(void)
{
    const char *const log = getenv("INFERNO_LOG");
    return log && strstr(log, "trace") && session_find_backend("trace") != NULL;
}

/* Returns true if the chain contains `trace`. */
static bool is_traced(const session *self)
{
    ifn_trace_total total = IFN_TRACE_TOTAL_INIT;
    return self->backend && ifn_trace_totals(self->backend, IFN_OP_COUNT, &total);
}

ifn_status observers_open(session *self, const char *expression, int64_t n_threads, bool is_wanted,
                          ifn_error *err)
{
    char around[EXPRESSION_BYTES];
    IFN_TRY(session_open_backend(self, expression, n_threads, err));
    if (!is_wanted || is_traced(self))
        return IFN_OK;
    const int length =
        snprintf(around, sizeof around, "trace:%s", ifn_backend_expression(self->backend));
    if (length < 0 || (size_t)length >= sizeof around)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%.60s...': the expression is too long",
                        expression);
    plugin_watch_close(self->backend);
    self->backend = NULL;
    return session_open_backend(self, around, n_threads, err);
}

/* Writes a line with one call of write(), so that lines of several threads do not mix. */
static void print_call(void *cookie, const ifn_trace_call *call)
{
    char line[LINE_BYTES + 1];
    (void)cookie;
    const size_t n = ifn_trace_line(call, line, LINE_BYTES);
    line[n] = '\n';
    fwrite(line, 1, n + 1, stderr);
}

void observers_listen(const session *self)
{
    if (observers_log_is_wanted())
        ifn_trace_listen(self->backend, print_call, NULL);
}

/* A sink that keeps the error of its file, as the library only knows that it failed. */
typedef struct file_sink {
    output *out;
    ifn_error *err;
} file_sink;

static ifn_status write_file_sink(void *cookie, const char *data, size_t bytes)
{
    file_sink *const sink = cookie;
    return output_write(sink->out, data, bytes, sink->err);
}

static bool is_folded(const char *path)
{
    static const char suffix[] = ".folded";
    const size_t n = strlen(path), n_suffix = sizeof suffix - 1;
    return n > n_suffix && strcmp(path + n - n_suffix, suffix) == 0;
}

ifn_status observers_write(const session *self, output *out, ifn_error *err)
{
    file_sink sink = {.out = out, .err = err};
    if (is_folded(out->path))
        IFN_TRY(ifn_trace_write_folded(self->backend, write_file_sink, &sink, err));
    else
        IFN_TRY(ifn_trace_write_chrome(self->backend, write_file_sink, &sink, err));
    return output_finish(out, err);
}

static ifn_status write_standard_error(void *cookie, const char *data, size_t bytes)
{
    (void)cookie;
    return fwrite(data, 1, bytes, stderr) == bytes ? IFN_OK : IFN_ERR_IO;
}

/* Returns on how many threads a call may run inside the outermost `trace`. */
static int threads_below_trace(const session *self)
{
    const ifn_backend *trace = self->backend;
    while (trace->inner && strcmp(trace->desc->name, "trace") != 0)
        trace = trace->inner;
    const ifn_backend *leaf = trace;
    while (leaf->inner)
        leaf = leaf->inner;
    const int n = ifn_backend_n_lanes(leaf) / ifn_backend_n_lanes(trace), most = team_size();
    return n < most ? n : most;
}

static void print_totals(const session *self, bool with_ceilings)
{
    ifn_trace_ceilings ceilings = IFN_TRACE_CEILINGS_INIT;
    if (with_ceilings) {
        const int n = threads_below_trace(self);
        ceilings = IFN_SIZED(ifn_trace_ceilings, .bytes_per_s = bench_read_bytes(n),
                             .flops_per_s = bench_peak_flops(n));
    }
    /* A failure to write to standard error cannot be told to anybody. */
    (void)!ifn_trace_write_summary(self->backend, &ceilings, write_standard_error, NULL, NULL);
}

void observers_print(const session *self, bool with_ceilings, const char *program)
{
    ifn_error finding;
    if (!self->backend)
        return;
    if (is_traced(self))
        print_totals(self, with_ceilings);
    if (ifn_check_finding(self->backend, &finding))
        message_note(program, "note: check: %s", finding.text);
}
