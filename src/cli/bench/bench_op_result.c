#include "bench_op_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "bench_roof.h"

ifn_status bench_op_results_add(bench_op_results *self, const bench_op_result *r, ifn_error *err)
{
    if (self->n == self->room) {
        const int room = self->room ? 2 * self->room : 32;
        bench_op_result *const grown = realloc(self->at, (size_t)room * sizeof *grown);
        if (!grown)
            return ifn_fail(err, IFN_ERR_NOMEM, "bench: no memory for %d results", room);
        self->at = grown;
        self->room = room;
    }
    self->at[self->n++] = *r;
    return IFN_OK;
}

void bench_op_results_free(bench_op_results *self)
{
    free(self->at);
    *self = (bench_op_results){0};
}

bool bench_op_is_bound_by_bytes(const bench_op_result *r)
{
    return (double)r->cost.flops * r->bytes <= (double)r->cost.bytes * r->operations;
}

double bench_op_rate(const bench_op_result *r)
{
    const uint64_t n = bench_op_is_bound_by_bytes(r) ? r->cost.bytes : r->cost.flops;
    return r->time.median > 0.0 ? (double)n / r->time.median : 0.0;
}

double bench_op_ceiling(const bench_op_result *r)
{
    return bench_op_is_bound_by_bytes(r) ? r->bytes : r->operations;
}

static const char *unit_of(const bench_op_result *r)
{
    return bench_op_is_bound_by_bytes(r) ? "GB/s" : "GFLOP/s";
}

static const char *memory_of(const bench_op_result *r)
{
    return bench_op_is_bound_by_bytes(r) ? r->memory : "";
}

static double per_element(const bench_op_result *r)
{
    return r->cost.elements > 0 ? 1e9 * r->time.median / (double)r->cost.elements : 0.0;
}

/* --- Markdown --- */

static void begin_md(void)
{
    bench_document_md();
    puts("An element is one of the largest operand. Bytes are those of every operand, once.\n\n"
         "| op | dtype | sizes | backend | by | form | ns/call | 10 % | 90 % | ns/element | rate | "
         "of the ceiling | over scalar | over simd |\n"
         "|---|---|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
}

static void put_ratio(double seconds, double own)
{
    if (seconds > 0.0)
        printf(" %.2fx |", seconds / own);
    else
        printf(" |");
}

static void row_md(const bench_op_result *r)
{
    char share[64];
    printf("| %s | %s | %s | %s | %s |", ifn_op_name(r->op), ifn_dtype_name(r->dtype), r->sizes,
           r->backend, r->by);
    if (r->problem) {
        printf(" %s: it has no speed | | | | | | | | |\n", r->problem);
        return;
    }
    bench_share_text(bench_op_rate(r), bench_op_ceiling(r), unit_of(r), memory_of(r), share,
                     sizeof share);
    printf(" %s | %.1f | %.1f | %.1f | %.3g | %.3g %s | %s |", r->is_packed ? "packed" : "raw",
           1e9 * r->time.median, 1e9 * r->time.low, 1e9 * r->time.high, per_element(r),
           bench_op_rate(r) / 1e9, unit_of(r), share);
    put_ratio(r->scalar, r->time.median);
    put_ratio(r->simd, r->time.median);
    putchar('\n');
}

/* --- CSV --- */

static void begin_csv(void)
{
    bench_document_csv_head();
    puts("op,dtype,sizes,backend,by,problem,form,threads,clock,ns_per_call,ns_low,ns_high,elements,"
         "ns_per_element,bytes,flops,bytes_per_second,flops_per_second,bound_by,ceiling_per_second,"
         "ceiling_level,ceiling_share,scalar_ns,simd_ns");
}

static void put_field(double value)
{
    if (value > 0.0)
        printf("%.6g", value);
    putchar(',');
}

static void row_csv(const bench_op_result *r)
{
    const double seconds = r->time.median;
    bench_document_csv_row();
    bench_document_csv_field(ifn_op_name(r->op));
    bench_document_csv_field(ifn_dtype_name(r->dtype));
    bench_document_csv_field(r->sizes);
    bench_document_csv_field(r->backend);
    bench_document_csv_field(r->by);
    bench_document_csv_field(r->problem ? r->problem : "");
    printf("%s,%d,%s,", r->is_packed ? "packed" : "raw", r->threads,
           r->is_wall ? "wall" : "processor");
    put_field(1e9 * seconds);
    put_field(1e9 * r->time.low);
    put_field(1e9 * r->time.high);
    printf("%" PRIu64 ",", r->cost.elements);
    put_field(per_element(r));
    printf("%" PRIu64 ",%" PRIu64 ",", r->cost.bytes, r->cost.flops);
    put_field(seconds > 0.0 ? (double)r->cost.bytes / seconds : 0.0);
    put_field(seconds > 0.0 ? (double)r->cost.flops / seconds : 0.0);
    printf("%s,", bench_op_is_bound_by_bytes(r) ? "bytes" : "operations");
    put_field(bench_op_ceiling(r));
    printf("%s,", memory_of(r));
    put_field(bench_share(bench_op_rate(r), bench_op_ceiling(r)));
    put_field(1e9 * r->scalar);
    printf("%.6g\n", 1e9 * r->simd);
}

/* --- JSON --- */

/* Writes a value, or null if it is unknown. */
static void put_known(json_writer *json, const char *key, double value)
{
    bench_document_double(json, key, value > 0.0 ? value : (double)NAN);
}

static void json_speed(json_writer *json, const bench_op_result *r)
{
    const double seconds = r->time.median;
    bench_document_double(json, "ns_per_call", 1e9 * seconds);
    bench_document_double(json, "ns_low", 1e9 * r->time.low);
    bench_document_double(json, "ns_high", 1e9 * r->time.high);
    bench_document_double(json, "ns_per_element", per_element(r));
    bench_document_double(json, "bytes_per_second", (double)r->cost.bytes / seconds);
    bench_document_double(json, "flops_per_second", (double)r->cost.flops / seconds);
    bench_document_text(json, "bound_by", bench_op_is_bound_by_bytes(r) ? "bytes" : "operations");
    put_known(json, "ceiling_per_second", bench_op_ceiling(r));
    bench_document_text(json, "ceiling_level", memory_of(r));
    /* null: the rate exceeds the ceiling, as the data came from a cache */
    put_known(json, "ceiling_share", bench_share(bench_op_rate(r), bench_op_ceiling(r)));
    put_known(json, "scalar_ns", 1e9 * r->scalar);
    put_known(json, "simd_ns", 1e9 * r->simd);
}

static void row_json(json_writer *json, const bench_op_result *r)
{
    json_begin_object(json);
    bench_document_text(json, "op", ifn_op_name(r->op));
    bench_document_text(json, "dtype", ifn_dtype_name(r->dtype));
    bench_document_text(json, "sizes", r->sizes);
    bench_document_text(json, "backend", r->backend);
    bench_document_text(json, "by", r->by);
    bench_document_text(json, "problem", r->problem);
    bench_document_text(json, "form", r->is_packed ? "packed" : "raw");
    bench_document_int(json, "threads", r->threads);
    bench_document_text(json, "clock", r->is_wall ? "wall" : "processor");
    bench_document_int(json, "elements", (int64_t)r->cost.elements);
    bench_document_int(json, "bytes", (int64_t)r->cost.bytes);
    bench_document_int(json, "flops", (int64_t)r->cost.flops);
    if (!r->problem)
        json_speed(json, r);
    json_end_object(json);
}

/* --- any of them --- */

void bench_op_begin(bench_op_table *self, bench_format format)
{
    *self = (bench_op_table){.format = format, .json = {.out = stdout}};
    if (format == BENCH_JSON)
        bench_document_json(&self->json, "bench-ops/1");
    else if (format == BENCH_CSV)
        begin_csv();
    else
        begin_md();
}

void bench_op_row(bench_op_table *self, const bench_op_result *r)
{
    if (self->format == BENCH_JSON)
        row_json(&self->json, r);
    else if (self->format == BENCH_CSV)
        row_csv(r);
    else
        row_md(r);
    fflush(stdout);
}

void bench_op_end(bench_op_table *self)
{
    if (self->format == BENCH_JSON)
        bench_document_json_end(&self->json);
}
