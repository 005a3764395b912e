#include "bench_measurement.h"

#include <inttypes.h>
#include <stdio.h>

void bench_measurement_head(double read, const char *against)
{
    printf("reading from memory: %.1f GB/s; OpenBLAS: its time over ours, as it is and as "
           "SkylakeX; oneDNN: its time over ours\n",
           read / 1e9);
    if (against)
        printf("%s: its time, and that over ours; on weights that stay in a cache\n", against);
    printf("%-9s %-5s %-6s %-11s %-14s %10s %9s %9s %8s %5s %7s %5s\n", "op", "dtype", "form",
           "level", "size", "us", "10 %", "90 %", "GFLOP/s", "% max", "GB/s", "% max");
}

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

void bench_measurement_print(const bench_measurement *m)
{
    const bench_shape shape = m->shape;
    const double flops = (double)m->c->cost.flops / m->time.median;
    const double bytes = (double)m->c->cost.bytes / m->time.median;
    char size[48], share[16] = "cache";
    snprintf(size, sizeof size, "%" PRId64 "x%" PRId64 "x%" PRId64, shape.m, shape.n, shape.p);
    /* A rate above that of memory came from a cache. */
    if (bytes <= m->read || m->read <= 0.0)
        snprintf(share, sizeof share, "%.0f", percent(bytes, m->read));
    printf("%-9s %-5s %-6s %-11s %-14s %10.2f %9.2f %9.2f %8.1f %5.0f %7.1f %5s",
           ifn_op_name(m->c->c.op), ifn_dtype_name(m->c->c.dtype),
           m->c->is_packed ? "packed" : "raw", m->level, size, 1e6 * m->time.median,
           1e6 * m->time.low, 1e6 * m->time.high, flops / 1e9, percent(flops, m->peak), bytes / 1e9,
           share);
    if (m->openblas > 0.0)
        printf("  OpenBLAS %.2fx", m->openblas / m->time.median);
    if (m->openblas_skylakex > 0.0)
        printf(" %.2fx", m->openblas_skylakex / m->time.median);
    if (m->onednn > 0.0)
        printf("  oneDNN %.2fx", m->onednn / m->time.median);
    if (m->against > 0.0)
        printf("  %.2f us %.1fx", 1e6 * m->against, m->against / m->time.median);
    putchar('\n');
    fflush(stdout);
}

static void put(json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_put_double(json, value);
}

void bench_measurement_json(json_writer *json, const bench_measurement *m)
{
    const bench_shape shape = m->shape;
    json_begin_object(json);
    json_key(json, "op");
    json_put_string(json, ifn_op_name(m->c->c.op));
    json_key(json, "dtype");
    json_put_string(json, ifn_dtype_name(m->c->c.dtype));
    json_key(json, "packed");
    json_put_bool(json, m->c->is_packed);
    json_key(json, "level");
    json_put_string(json, m->level);
    json_key(json, "threads");
    json_put_int(json, m->n_threads);
    json_key(json, "size");
    json_begin_array(json);
    json_put_int(json, shape.m);
    json_put_int(json, shape.n);
    json_put_int(json, shape.p);
    json_end_array(json);
    put(json, "seconds", m->time.median);
    put(json, "seconds_low", m->time.low);
    put(json, "seconds_high", m->time.high);
    put(json, "flops_per_second", (double)m->c->cost.flops / m->time.median);
    put(json, "peak_flops_per_second", m->peak);
    put(json, "bytes_per_second", (double)m->c->cost.bytes / m->time.median);
    put(json, "read_bytes_per_second", m->read);
    put(json, "openblas_seconds", m->openblas);
    put(json, "openblas_skylakex_seconds", m->openblas_skylakex);
    put(json, "onednn_seconds", m->onednn);
    put(json, "against_seconds", m->against);
    json_end_object(json);
}
