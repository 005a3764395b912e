#include "run_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "case_pool.h"
#include "report_fields.h"
#include "run_bias.h"
#include "run_relations.h"
#include "written_case.h"

static void *grow(void *p, size_t n, size_t size)
{
    void *grown = realloc(p, n * size);
    if (!grown)
        conform_out_of_memory(n * size, "the report");
    return grown;
}

void conform_report_open(conform_report *self, int n_tested)
{
    *self = (conform_report){.n_tested = n_tested};
    const size_t n = (size_t)IFN_OP_COUNT * CONFORM_MAX_TESTED;
    self->cells = grow(NULL, n, sizeof *self->cells);
    memset(self->cells, 0, n * sizeof *self->cells);
}

void conform_report_close(conform_report *self)
{
    for (int64_t i = 0; i < self->n_failures; i++) {
        conform_written_free(self->failures[i].values);
        free(self->failures[i].again);
    }
    for (int i = 0; self->cells && i < IFN_OP_COUNT * CONFORM_MAX_TESTED; i++)
        conform_reach_close(&self->cells[i].reach);
    free(self->cells);
    free(self->failures);
    free(self->rows);
    *self = (conform_report){0};
}

conform_cell *conform_report_cell(const conform_report *self, ifn_op op, int tested)
{
    return &self->cells[(size_t)op * CONFORM_MAX_TESTED + (size_t)tested];
}

int conform_report_tested(const conform_report *r, const char *label)
{
    for (int s = 0; s < r->n_tested; s++)
        if (strcmp(r->label[s], label) == 0)
            return s;
    return -1;
}

void conform_report_keep(conform_report *self, const conform_failure *failure)
{
    if (self->n_failures == self->capacity) {
        self->capacity = self->capacity ? 2 * self->capacity : 16;
        self->failures = grow(self->failures, (size_t)self->capacity, sizeof *self->failures);
    }
    self->failures[self->n_failures++] = *failure;
}

void conform_report_keep_row(conform_report *self, const e2e_row *row)
{
    if (self->n_rows == self->row_capacity) {
        self->row_capacity = self->row_capacity ? 2 * self->row_capacity : 16;
        self->rows = grow(self->rows, (size_t)self->row_capacity, sizeof *self->rows);
    }
    self->rows[self->n_rows++] = *row;
}

void conform_report_add_row(conform_report *self, const e2e_row *row)
{
    conform_evidence *const evidence = &self->end_to_end[row->tested];
    evidence->executed += row->runs;
    evidence->failed += row->failed;
    conform_report_keep_row(self, row);
}

static void add_failure(conform_report *self, const conform_case *c, int tested,
                        const conform_verdict *verdict)
{
    conform_failure f = {.op = c->op, .tested = tested, .c = *c, .verdict = *verdict, .cases = 1};
    snprintf(f.check, sizeof f.check, "%s", conform_check_name(verdict->check));
    conform_case_id(c, f.id);
    conform_report_keep(self, &f);
}

/* Returns the first kept failure of an op, backend, judgement and dtype; NULL: there is none. */
static conform_failure *find_cause(const conform_report *self, const conform_case *c, int tested,
                                   conform_check check)
{
    for (int64_t i = 0; i < self->n_failures; i++) {
        conform_failure *const f = &self->failures[i];
        if (f->op == c->op && f->tested == tested && f->verdict.check == check &&
            f->c.dtype == c->dtype)
            return f;
    }
    return NULL;
}

/* Keeps the first REPORT_KEPT failures of each judgement and the first of each dtype; later ones are counted with the
 * first kept one of their cause. */
static void count_failure(conform_report *self, const conform_case *c, int tested,
                          const conform_verdict *v)
{
    const int64_t n = conform_report_cell(self, c->op, tested)->checks[v->check];
    conform_failure *const first = n > REPORT_KEPT ? find_cause(self, c, tested, v->check) : NULL;
    if (first)
        first->cases++;
    else
        add_failure(self, c, tested, v);
}

static void add_ratio(conform_cell *cell, const conform_case *c, const conform_verdict *v)
{
    conform_kind *const kind = &cell->kinds[c->dtype][c->prepared != 0];
    kind->ratio = fmax(kind->ratio, v->ratio);
    if (v->n_compared > 0)
        cell->headroom[headroom_bin(v->ratio)]++;
    if (v->ratio > cell->ratio || !cell->worst[0]) {
        cell->ratio = v->ratio;
        conform_case_id(c, cell->worst);
    }
    if (v->scalar_ratio > cell->scalar_ratio)
        cell->scalar_ratio = v->scalar_ratio;
}

void conform_report_add(conform_report *self, const conform_case *c, int tested,
                        const conform_verdict *v)
{
    conform_cell *cell = conform_report_cell(self, c->op, tested);
    conform_kind *kind = &cell->kinds[c->dtype][c->prepared != 0];
    cell->cases++;
    cell->calls += v->calls;
    cell->seconds += v->seconds;
    cell->compared += v->n_compared;
    cell->swept += c->family == FAMILY_EVERY ? v->n_compared : 0;
    cell->left_upper += v->left_upper != 0;
    cell->left_tiles += v->left_tiles != 0;
    cell->checks[v->check]++;
    if (v->power > 0)
        *(v->power < 1 ? &cell->blunt : &cell->sharp) += 1;
    conform_count_relations(cell, c, v);
    conform_reach_count(&cell->reach, c, v);
    if (v->outcome == OUTCOME_REFUSED) {
        cell->refused++;
        cell->undeclared += !v->is_declared;
        kind->refused++;
        kind->undeclared += !v->is_declared;
        return;
    }
    kind->executed++;
    cell->computed += c->tier != TIER_REFUSE;
    conform_count_bias(kind, c, v);
    add_ratio(cell, c, v);
    if (v->outcome == OUTCOME_PASS) {
        cell->passed++;
        return;
    }
    /* A case without a verdict was never run; it counts as failed, too. */
    cell->failed++;
    kind->failed++;
    count_failure(self, c, tested, v);
}

void conform_report_problem(conform_report *self, const char *format, ...)
{
    va_list list;
    if (self->n_problems == REPORT_PROBLEMS) {
        /* the first time, the sentence also replaces a listed problem, hence 2 */
        self->n_unlisted += self->n_unlisted ? 1 : 2;
        snprintf(self->problems[REPORT_PROBLEMS - 1], sizeof *self->problems,
                 "and %d problems more, of which there is no list", self->n_unlisted);
        return;
    }
    va_start(list, format);
    vsnprintf(self->problems[self->n_problems++], sizeof *self->problems, format, list);
    va_end(list);
}

static bool has_failed(const conform_report *self, int s)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (conform_report_cell(self, (ifn_op)op, s)->failed)
            return true;
    return self->end_to_end[s].failed > 0;
}

int conform_report_is_conformant(const conform_report *self)
{
    for (int s = 0; s < self->n_tested; s++)
        if (has_failed(self, s))
            return 0;
    return self->n_problems == 0 && self->n_tested > 0;
}

/* The length of a backend's label, if the problem begins with it; else 0. */
static size_t named_by(const conform_report *self, int s, const char *problem)
{
    const size_t n = strlen(self->label[s]);
    return strncmp(problem, self->label[s], n) == 0 && strncmp(problem + n, ": ", 2) == 0 ? n : 0;
}

/* Returns true if the problem names this backend and no other by a longer label, or names none. */
static bool is_about(const conform_report *self, int s, const char *problem)
{
    size_t most = 0;
    for (int other = 0; other < self->n_tested; other++) {
        const size_t n = named_by(self, other, problem);
        most = n > most ? n : most;
    }
    return named_by(self, s, problem) == most;
}

int conform_report_tested_is_conformant(const conform_report *self, int tested)
{
    for (int i = 0; i < self->n_problems; i++)
        if (is_about(self, tested, self->problems[i]))
            return 0;
    return !has_failed(self, tested);
}

int64_t conform_report_shards(const conform_report *self)
{
    const char *const slash = strchr(self->shard, '/');
    const long long n = slash ? strtoll(slash + 1, NULL, 10) : 1;
    return n > 1 ? n : 1;
}

/* Names the backends that are not conformant, if there are several backends. */
static void put_offenders(const conform_report *self, FILE *out)
{
    int n = 0;
    for (int s = 0; self->n_tested > 1 && s < self->n_tested; s++)
        if (!conform_report_tested_is_conformant(self, s))
            fprintf(out, "%s%s", n++ ? ", " : ": ", self->label[s]);
}

void conform_report_verdict(const conform_report *self, FILE *out)
{
    const bool is_conformant = conform_report_is_conformant(self);
    fputs(is_conformant ? "conformant" : "NOT conformant", out);
    if (!is_conformant)
        put_offenders(self, out);
    if (conform_report_shards(self) > 1)
        fprintf(out, ", of shard %s alone", self->shard);
    if (self->filters[0])
        fprintf(out, ", of %s alone", self->filters);
}
