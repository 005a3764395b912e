#include "bench_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_name.h"
#include "spec_doc.h"

enum { MAX_ROWS = 1024 };

/* The members that identify a test, and its rate. */
typedef struct old_row {
    char model[256]; /* the name of its file */
    char test[64], clock[16];
    int64_t threads, batch;
    bench_rate rate;
} old_row;

struct bench_old {
    char kind[32];
    old_row rows[MAX_ROWS];
    int n;
};

static ifn_status read_member(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    old_row *const row = into;
    const char *const name = spec_node_text(key);
    if (strcmp(name, "model") == 0)
        snprintf(row->model, sizeof row->model, "%s", base_name(spec_node_text(value)));
    if (strcmp(name, "test") == 0)
        snprintf(row->test, sizeof row->test, "%s", spec_node_text(value));
    if (strcmp(name, "clock") == 0)
        snprintf(row->clock, sizeof row->clock, "%s", spec_node_text(value));
    if (strcmp(name, "threads") == 0)
        return spec_doc_integer(doc, value, &row->threads);
    if (strcmp(name, "batch") == 0)
        return spec_doc_integer(doc, value, &row->batch);
    if (strcmp(name, "tokens_per_second") == 0)
        return spec_doc_number(doc, value, &row->rate.median);
    if (strcmp(name, "slowest") == 0)
        return spec_doc_number(doc, value, &row->rate.low);
    if (strcmp(name, "fastest") == 0)
        return spec_doc_number(doc, value, &row->rate.high);
    return IFN_OK;
}

static ifn_status read_row(spec_doc *doc, spec_node *item, void *into)
{
    bench_old *const self = into;
    old_row *const row = &self->rows[self->n];
    IFN_TRY(spec_doc_pairs(doc, item, read_member, row));
    const bench_rate r = row->rate;
    if (!(r.low > 0.0 && r.low <= r.median && r.median <= r.high))
        return spec_doc_fail(doc, item,
                             "found %g, %g and %g tokens per second, expected the slowest run, the "
                             "median and the fastest",
                             r.low, r.median, r.high);
    self->n++;
    return IFN_OK;
}

static ifn_status read_part(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    bench_old *const self = into;
    if (strcmp(spec_node_text(key), "inferno") == 0)
        snprintf(self->kind, sizeof self->kind, "%s", spec_node_text(value));
    if (strcmp(spec_node_text(key), "results") == 0)
        return spec_doc_list(doc, value, MAX_ROWS, read_row, self);
    return IFN_OK;
}

static ifn_status read_all(spec_doc *doc, bench_old *self)
{
    spec_node *const root = spec_doc_root(doc);
    IFN_TRY(spec_doc_pairs(doc, root, read_part, self));
    if (strcmp(self->kind, "bench/1") != 0)
        return spec_doc_fail(doc, root, "found '%.31s', expected bench/1, what bench --json writes",
                             self->kind);
    return IFN_OK;
}

ifn_status bench_old_open(const char *path, bench_old **out, ifn_error *err)
{
    spec_doc doc;
    *out = NULL;
    IFN_TRY(spec_doc_open(&doc, path, err));
    bench_old *self = calloc(1, sizeof *self);
    ifn_status status =
        self ? read_all(&doc, self) : ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", path);
    spec_doc_close(&doc);
    if (status == IFN_OK)
        *out = self;
    else
        free(self);
    return status;
}

void bench_old_close(bench_old *self)
{
    free(self);
}

bench_rate bench_old_rate(const bench_old *self, const bench_result *r)
{
    char test[64];
    bench_test_name(r, test, sizeof test);
    for (int i = 0; self && i < self->n; i++) {
        const old_row *const row = &self->rows[i];
        if (strcmp(row->model, base_name(r->model)) == 0 && strcmp(row->test, test) == 0 &&
            strcmp(row->clock, r->clock) == 0 && row->threads == r->threads &&
            row->batch == r->batch)
            return row->rate;
    }
    return (bench_rate){0};
}
