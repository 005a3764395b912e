#include "bench_result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_facts.h"

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
    const int n = snprintf(out, bytes, "%s%" PRId64, r->n_prompt ? "pp" : "tg",
                           r->n_prompt ? r->n_prompt : r->n);
    if (r->depth > 0 && n > 0 && (size_t)n < bytes)
        snprintf(out + n, bytes - (size_t)n, " @ d%" PRId64, r->depth);
}

/* What was reached of what the machine allows, in per cent. */
static double share(const bench_result *r)
{
    const double rate = bench_rate_of(r->samples, r->n_samples).median;
    return r->ceiling > 0.0 ? 100.0 * rate * r->per_token / r->ceiling : 0.0;
}

static const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The ratio of medians, and the least and largest that any two runs have. */
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
    bench_fact facts[BENCH_N_FACTS];
    bench_facts(facts);
    for (int i = 0; i < BENCH_N_FACTS; i++)
        printf("%s: %s  \n", facts[i].name, facts[i].value);
    printf(
        "\n| model | size | backend | threads | batch | test | tok/s | slowest | fastest | of the "
        "ceiling |%s\n|---|---:|---|---:|---:|---|---:|---:|---:|---:|%s\n",
        self->is_compared ? " before | ratio | |" : "", self->is_compared ? "---:|---:|---|" : "");
}

static void row_md(const bench_output *self, const bench_result *r)
{
    const bench_rate now = bench_rate_of(r->samples, r->n_samples);
    char test[64];
    bench_test_name(r, test, sizeof test);
    printf("| %s | %.1f MiB | %s | %" PRId64 " | %" PRId64
           " | %s | %.2f | %.2f | %.2f | %.0f %% of %.0f %s |",
           base_name(r->model), (double)r->model_bytes / 0x1p20, r->backend, r->threads, r->batch,
           test, now.median, now.low, now.high, share(r), r->ceiling / 1e9,
           r->n_prompt ? "GOP/s" : "GB/s");
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

/* A field in quotes, quotes doubled (RFC 4180). */
static void put_field(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
    putchar(',');
}

static void begin_csv(void)
{
    bench_fact facts[BENCH_N_FACTS];
    bench_facts(facts);
    for (int i = 0; i < BENCH_N_FACTS; i++)
        printf("%s,", facts[i].name);
    puts("model,backend,test,model_bytes,threads,batch,depth,n_prompt,n_gen,clock,"
         "tokens_per_second,slowest,fastest,ceiling_share,old_tokens_per_second");
}

static void row_csv(const bench_result *r)
{
    const bench_rate now = bench_rate_of(r->samples, r->n_samples);
    bench_fact facts[BENCH_N_FACTS];
    char test[64];
    bench_facts(facts);
    bench_test_name(r, test, sizeof test);
    for (int i = 0; i < BENCH_N_FACTS; i++)
        put_field(facts[i].value);
    put_field(r->model);
    put_field(r->backend);
    put_field(test);
    printf("%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
           ",%s,%.6g,%.6g,%.6g,%.4g,",
           r->model_bytes, r->threads, r->batch, r->depth, r->n_prompt, r->n, r->clock, now.median,
           now.low, now.high, share(r) / 100.0);
    if (r->old.median > 0.0)
        printf("%.6g", r->old.median);
    putchar('\n');
}

/* --- JSON --- */

static void begin_json(json_writer *json)
{
    bench_fact facts[BENCH_N_FACTS];
    bench_facts(facts);
    json_begin_object(json);
    json_key(json, "inferno");
    json_put_string(json, "bench/1");
    json_key(json, "facts");
    json_begin_object(json);
    for (int i = 0; i < BENCH_N_FACTS; i++) {
        json_key(json, facts[i].name);
        json_put_string(json, facts[i].value);
    }
    json_end_object(json);
    json_key(json, "results");
    json_begin_array(json);
}

static void put_text(json_writer *json, const char *key, const char *value)
{
    json_key(json, key);
    json_put_string(json, value);
}

static void put_int(json_writer *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_put_int(json, value);
}

static void put_double(json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_put_double(json, value);
}

static void put_comparison(json_writer *json, bench_rate now, bench_rate old)
{
    const bench_rate by = ratio(now, old);
    json_key(json, "compared");
    json_begin_object(json);
    put_double(json, "old_tokens_per_second", old.median);
    put_double(json, "ratio", by.median);
    put_double(json, "ratio_low", by.low);
    put_double(json, "ratio_high", by.high);
    put_text(json, "judgement", judgement(by));
    json_end_object(json);
}

static void row_json(json_writer *json, const bench_result *r)
{
    const bench_rate now = bench_rate_of(r->samples, r->n_samples);
    char test[64];
    bench_test_name(r, test, sizeof test);
    json_begin_object(json);
    put_text(json, "model", r->model);
    put_int(json, "model_bytes", r->model_bytes);
    put_text(json, "backend", r->backend);
    put_text(json, "test", test);
    put_int(json, "threads", r->threads);
    put_int(json, "batch", r->batch);
    put_int(json, "depth", r->depth);
    put_int(json, "n_prompt", r->n_prompt);
    put_int(json, "n_gen", r->n);
    put_text(json, "clock", r->clock);
    put_double(json, "tokens_per_second", now.median);
    put_double(json, "slowest", now.low);
    put_double(json, "fastest", now.high);
    json_key(json, "samples");
    json_begin_array(json);
    for (int i = 0; i < r->n_samples; i++)
        json_put_double(json, r->samples[i]);
    json_end_array(json);
    put_text(json, "bound_by", r->n_prompt ? "operations" : "bytes");
    put_double(json, "per_token", r->per_token);
    put_double(json, "ceiling_per_second", r->ceiling);
    if (r->old.median > 0.0)
        put_comparison(json, now, r->old);
    json_end_object(json);
}

/* --- any of them --- */

void bench_output_begin(bench_output *self, bench_format format, int is_compared)
{
    *self = (bench_output){.format = format, .is_compared = is_compared, .json = {.out = stdout}};
    if (format == BENCH_JSON)
        begin_json(&self->json);
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
    json_end_array(&self->json);
    json_end_object(&self->json);
    json_finish(&self->json);
}
