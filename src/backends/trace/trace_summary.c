/* Writes the totals as a table. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sized.h"
#include "trace_out.h"
#include "trace_record.h"

typedef struct row {
    const char *name;
    ifn_trace_total total;
} row;

static int compare(const void *a, const void *b)
{
    const uint64_t x = ((const row *)a)->total.total_ns, y = ((const row *)b)->total.total_ns;
    return (x < y) - (x > y);
}

/* Writes "12.3", and "41%" of the ceiling if there is one. */
static void put_rate(trace_out *out, uint64_t amount, uint64_t ns, double ceiling)
{
    const double rate = ns > 0 ? (double)amount * 1e9 / (double)ns : 0.0;
    ifn_trace_out_print(out, "  %8.2f", rate / 1e9);
    if (ceiling > 0.0)
        ifn_trace_out_print(out, " %4.0f%%", 100.0 * rate / ceiling);
}

static void put_times(trace_out *out, const row *r, uint64_t all_ns)
{
    const ifn_trace_total *const t = &r->total;
    const double share = all_ns > 0 ? 100.0 * (double)t->total_ns / (double)all_ns : 0.0;
    const double mean = t->calls > 0 ? (double)t->total_ns / (double)t->calls / 1e3 : 0.0;
    ifn_trace_out_print(out, "%-21s  %8" PRIu64 "  %10.3f  %5.1f%%  %10.1f  %10.1f  %10.1f",
                        r->name, t->calls, (double)t->total_ns / 1e6, share, mean,
                        (double)t->p50_ns / 1e3, (double)t->p99_ns / 1e3);
}

static void put_row(trace_out *out, const row *r, uint64_t all_ns, const ifn_trace_ceilings *c)
{
    put_times(out, r, all_ns);
    put_rate(out, r->total.moved_bytes, r->total.total_ns, c->bytes_per_s);
    put_rate(out, r->total.flops, r->total.total_ns, c->flops_per_s);
    if (r->total.staged_bytes > 0)
        ifn_trace_out_print(out, "  %.2f MB staged", (double)r->total.staged_bytes / 1e6);
    if (r->total.failed > 0)
        ifn_trace_out_print(out, "  %" PRIu64 " failed", r->total.failed);
    ifn_trace_out_text(out, "\n");
}

static void put_head(trace_out *out, const ifn_trace_ceilings *c)
{
    ifn_trace_out_print(out, "%-21s  %8s  %10s  %6s  %10s  %10s  %10s  %8s%s  %8s%s\n", "op",
                        "calls", "total ms", "share", "mean us", "p50 us", "p99 us", "GB/s",
                        c->bytes_per_s > 0.0 ? "  of m" : "", "GFLOP/s",
                        c->flops_per_s > 0.0 ? "  of m" : "");
}

static void put_ops(trace_out *out, const trace_state *s, const ifn_trace_ceilings *c)
{
    row rows[IFN_OP_COUNT], all = {.name = "all ops"};
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        rows[op].name = ifn_op_name((ifn_op)op);
        ifn_trace_state_totals(s, (ifn_op)op, &rows[op].total);
    }
    ifn_trace_state_totals(s, IFN_OP_COUNT, &all.total);
    qsort(rows, IFN_OP_COUNT, sizeof *rows, compare);
    put_head(out, c);
    for (int i = 0; i < IFN_OP_COUNT; i++)
        if (rows[i].total.calls > 0)
            put_row(out, &rows[i], all.total.total_ns, c);
    put_row(out, &all, all.total.total_ns, c);
}

/* 1 if a span before number `i` has its name. */
static bool is_told(const trace_state *s, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(s->spans[j].name, s->spans[i].name) == 0)
            return 1;
    return 0;
}

static void put_spans(trace_out *out, const trace_state *s)
{
    for (size_t i = 0; i < s->n_spans; i++) {
        if (is_told(s, i))
            continue;
        row r = {.name = s->spans[i].name};
        ifn_trace_state_span_totals(s, r.name, &r.total);
        put_times(out, &r, r.total.total_ns);
        ifn_trace_out_text(out, "\n");
    }
}

ifn_status ifn_trace_write_summary(const ifn_backend *chain, const ifn_trace_ceilings *ceilings,
                                   ifn_trace_sink sink, void *cookie, ifn_error *err)
{
    ifn_trace_ceilings own = IFN_TRACE_CEILINGS_INIT;
    const ifn_trace_ceilings *const c = &own;
    const ifn_backend *const trace = ifn_trace_find(chain);
    trace_out out = {.sink = sink, .cookie = cookie};
    if (!trace)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': there is no trace in it",
                        chain->desc->name);
    if (ceilings)
        IFN_TRY(ifn_sized_read(&own, sizeof own, ceilings, "ifn_trace_ceilings", err));
    put_ops(&out, trace_state_of(trace), c);
    put_spans(&out, trace_state_of(trace));
    if (c->bytes_per_s > 0.0)
        ifn_trace_out_print(&out, "of m: of the measured read bandwidth, %.1f GB/s\n",
                            c->bytes_per_s / 1e9);
    if (c->flops_per_s > 0.0)
        ifn_trace_out_print(&out, "of m: of the measured arithmetic peak, %.1f GFLOP/s\n",
                            c->flops_per_s / 1e9);
    const uint64_t dropped = ifn_trace_dropped(chain);
    if (dropped > 0)
        ifn_trace_out_print(
            &out, "%" PRIu64 " calls are counted here, but were not kept one by one\n", dropped);
    return ifn_trace_out_finish(&out);
}
