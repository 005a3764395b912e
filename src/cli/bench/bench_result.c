#include "bench_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_name.h"
#include "bench_roof.h"

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

bench_rate bench_rate_of(const double *samples, int n)
{
    double sorted[BENCH_MAX_RUNS];
    if (n < 1)
        return (bench_rate){0};
    memcpy(sorted, samples, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    return (bench_rate){(sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0, sorted[0], sorted[n - 1]};
}

void bench_test_name(const bench_result *r, char *out, size_t bytes)
{
    char depth[32] = "";
    if (r->depth > 0)
        snprintf(depth, sizeof depth, " @ d%" PRId64, r->depth);
    snprintf(out, bytes, "%s%" PRId64 "%s%s%s", r->n_prompt ? "pp" : "tg",
             r->n_prompt ? r->n_prompt : r->n, depth, *r->kv ? " kv " : "", r->kv);
}

/* Returns the rate in the unit of the ceiling: operations or bytes per second. */
static double rate_of(const bench_result *r)
{
    return bench_rate_of(r->samples, r->n_samples).median * r->per_token;
}

/* Returns the ratio of the medians, and the least and largest ratio of any two runs. */
static bench_rate ratio(bench_rate now, bench_rate old)
{
    return (bench_rate){now.median / old.median, now.low / old.high, now.high / old.low};
}

static const char *judgement(bench_rate r)
{
    return r.low > 1.0 ? "faster" : r.high < 1.0 ? "slower" : "no difference shown";
}

/* --- Markdown --- */

static void begin_md(const bench_output *self)
{
    bench_document_md();
    printf("| model | size | backend | threads | batch | test | tok/s | slowest | fastest | of the "
           "ceiling |%s\n|---|---:|---|---:|---:|---|---:|---:|---:|---:|%s\n",
           self->is_compared ? " before | ratio | |" : "",
           self->is_compared ? "---:|---:|---|" : "");
}

static void row_md(const bench_output *self, const bench_result *r)
{
    const bench_rate now = bench_rate_of(r->samples, r->n_samples);
    char test[64], share[64];
    bench_test_name(r, test, sizeof test);
    bench_share_text(rate_of(r), r->ceiling, r->n_prompt ? "GOP/s" : "GB/s", r->memory, share,
                     sizeof share);
    printf("| %s | %.1f MiB | %s | %" PRId64 " | %" PRId64 " | %s | %.2f | %.2f | %.2f | %s |",
           base_name(r->model), (double)r->model_bytes / 0x1p20, r->backend, r->threads, r->batch,
           test, now.median, now.low, now.high, share);
    if (self->is_compared && r->old.median > 0.0) {
        const bench_rate by = ratio(now, r->old);
        printf(" %.2f | %.3f (%.3f .. %.3f) | %s |", r->old.median, by.median, by.low, by.high,
               judgement(by));
    } else if (self->is_compared) {
        printf(" | | not in the old result |");
    }
    putchar('\n');
}

/* --- CSV --- */

static void begin_csv(void)
{
    bench_document_csv_head();
    puts("model,backend,test,model_bytes,threads,batch,depth,n_prompt,n_gen,clock,"
         "tokens_per_second,slowest,fastest,ceiling_share,ceiling_level,"
         "old_tokens_per_second");
}

static void row_csv(const bench_result *r)
{
    const bench_rate now = bench_rate_of(r->samples, r->n_samples);
    char test[64];
    bench_test_name(r, test, sizeof test);
    bench_document_csv_row();
    bench_document_csv_field(r->model);
    bench_document_csv_field(r->backend);
    bench_document_csv_field(test);
    printf("%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
           ",%s,%.6g,%.6g,%.6g,",
           r->model_bytes, r->threads, r->batch, r->depth, r->n_prompt, r->n, r->clock, now.median,
           now.low, now.high);
    if (bench_share(rate_of(r), r->ceiling) > 0.0)
        printf("%.4g", bench_share(rate_of(r), r->ceiling));
    printf(",%s,", r->memory);
    if (r->old.median > 0.0)
        printf("%.6g", r->old.median);
    putchar('\n');
}

/* --- JSON --- */

static void put_comparison(json_writer *json, bench_rate now, bench_rate old)
{
    const bench_rate by = ratio(now, old);
    json_key(json, "compared");
    json_begin_object(json);
    bench_document_double(json, "old_tokens_per_second", old.median);
    bench_document_double(json, "ratio", by.median);
    bench_document_double(json, "ratio_low", by.low);
    bench_document_double(json, "ratio_high", by.high);
    bench_document_text(json, "judgement", judgement(by));
    json_end_object(json);
}

static void row_json(json_writer *json, const bench_result *r)
{
    const bench_rate now = bench_rate_of(r->samples, r->n_samples);
    char test[64];
    bench_test_name(r, test, sizeof test);
    json_begin_object(json);
    bench_document_text(json, "model", r->model);
    bench_document_int(json, "model_bytes", r->model_bytes);
    bench_document_text(json, "backend", r->backend);
    bench_document_text(json, "test", test);
    bench_document_int(json, "threads", r->threads);
    bench_document_int(json, "batch", r->batch);
    bench_document_int(json, "depth", r->depth);
    bench_document_int(json, "n_prompt", r->n_prompt);
    bench_document_int(json, "n_gen", r->n);
    bench_document_text(json, "clock", r->clock);
    bench_document_double(json, "tokens_per_second", now.median);
    bench_document_double(json, "slowest", now.low);
    bench_document_double(json, "fastest", now.high);
    json_key(json, "samples");
    json_begin_array(json);
    for (int i = 0; i < r->n_samples; i++)
        json_put_double(json, r->samples[i]);
    json_end_array(json);
    bench_document_text(json, "bound_by", r->n_prompt ? "operations" : "bytes");
    bench_document_double(json, "per_token", r->per_token);
    bench_document_double(json, "ceiling_per_second", r->ceiling);
    bench_document_text(json, "ceiling_level", r->memory);
    /* null: the rate exceeds the ceiling, as the data came from a cache */
    const double share = bench_share(rate_of(r), r->ceiling);
    bench_document_double(json, "ceiling_share", share > 0.0 ? share : (double)NAN);
    if (r->old.median > 0.0)
        put_comparison(json, now, r->old);
    json_end_object(json);
}

/* --- any of them --- */

void bench_output_begin(bench_output *self, bench_format format, bool is_compared)
{
    *self = (bench_output){.format = format, .is_compared = is_compared, .json = {.out = stdout}};
    if (format == BENCH_JSON)
        bench_document_json(&self->json, "bench/1");
    else if (format == BENCH_CSV)
        begin_csv();
    else
        begin_md(self);
}

void bench_output_row(bench_output *self, const bench_result *r)
{
    if (self->format == BENCH_JSON)
        row_json(&self->json, r);
    else if (self->format == BENCH_CSV)
        row_csv(r);
    else
        row_md(self, r);
    fflush(stdout);
}

void bench_output_end(bench_output *self)
{
    if (self->format != BENCH_JSON)
        return;
    bench_document_json_end(&self->json);
}
