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

void conform_report_open(conform_report *self, int n_subjects)
{
    *self = (conform_report){.n_subjects = n_subjects};
    const size_t n = (size_t)IFN_OP_COUNT * CONFORM_MAX_SUBJECTS;
    self->cells = grow(NULL, n, sizeof *self->cells);
    memset(self->cells, 0, n * sizeof *self->cells);
}

void conform_report_close(conform_report *self)
{
    for (int64_t i = 0; i < self->n_failures; i++) {
        conform_written_free(self->failures[i].values);
        free(self->failures[i].again);
    }
    for (int i = 0; self->cells && i < IFN_OP_COUNT * CONFORM_MAX_SUBJECTS; i++)
        conform_reach_close(&self->cells[i].reach);
    free(self->cells);
    free(self->failures);
    free(self->rows);
    *self = (conform_report){0};
}

conform_cell *conform_report_cell(const conform_report *self, ifn_op op, int subject)
{
    return &self->cells[(size_t)op * CONFORM_MAX_SUBJECTS + (size_t)subject];
}

void conform_report_keep(conform_report *self, const conform_failure *failure)
{
    if (self->n_failures == self->capacity) {
        self->capacity = self->capacity ? 2 * self->capacity : 16;
        self->failures = grow(self->failures, (size_t)self->capacity, sizeof *self->failures);
    }
    self->failures[self->n_failures++] = *failure;
}

static void keep_row(conform_report *self, const e2e_row *row)
{
    if (self->n_rows == self->row_capacity) {
        self->row_capacity = self->row_capacity ? 2 * self->row_capacity : 16;
        self->rows = grow(self->rows, (size_t)self->row_capacity, sizeof *self->rows);
    }
    self->rows[self->n_rows++] = *row;
}

void conform_report_add_row(conform_report *self, const e2e_row *row)
{
    conform_evidence *const evidence = &self->end_to_end[row->subject];
    evidence->executed += row->runs;
    evidence->failed += row->failed;
    keep_row(self, row);
}

static void add_failure(conform_report *self, const conform_case *c, int subject,
                        const conform_verdict *verdict)
{
    conform_failure f = {.op = c->op, .subject = subject, .c = *c, .verdict = *verdict, .cases = 1};
    snprintf(f.fault, sizeof f.fault, "%s", conform_fault_name(verdict->fault));
    conform_case_id(c, f.id);
    conform_report_keep(self, &f);
}

/* The first failure that is kept of an op, backend, judgement and dtype; NULL: none is. */
static conform_failure *find_cause(const conform_report *self, const conform_case *c, int subject,
                                   conform_fault fault)
{
    for (int64_t i = 0; i < self->n_failures; i++) {
        conform_failure *const f = &self->failures[i];
        if (f->op == c->op && f->subject == subject && f->verdict.fault == fault &&
            f->c.dtype == c->dtype)
            return f;
    }
    return NULL;
}

/* The first few of each judgement, and the first of each dtype; the others count with these. */
static void count_failure(conform_report *self, const conform_case *c, int subject,
                          const conform_verdict *v)
{
    const int64_t n = conform_report_cell(self, c->op, subject)->faults[v->fault];
    conform_failure *const first = n > REPORT_KEPT ? find_cause(self, c, subject, v->fault) : NULL;
    if (first)
        first->cases++;
    else
        add_failure(self, c, subject, v);
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

void conform_report_add(conform_report *self, const conform_case *c, int subject,
                        const conform_verdict *v)
{
    conform_cell *cell = conform_report_cell(self, c->op, subject);
    conform_kind *kind = &cell->kinds[c->dtype][c->prepared != 0];
    cell->cases++;
    cell->calls += v->calls;
    cell->compared += v->n_compared;
    cell->walked += c->family == FAMILY_EVERY ? v->n_compared : 0;
    cell->faults[v->fault]++;
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
    /* A case without a verdict was never run: that fails as well. */
    cell->failed++;
    kind->failed++;
    count_failure(self, c, subject, v);
}

void conform_report_problem(conform_report *self, const char *format, ...)
{
    va_list list;
    if (self->n_problems == REPORT_PROBLEMS) {
        /* the first time the words take the place of a problem, too */
        self->n_unlisted += self->n_unlisted ? 1 : 2;
        snprintf(self->problems[REPORT_PROBLEMS - 1], sizeof *self->problems,
                 "and %d problems more, of which there is no list", self->n_unlisted);
        return;
    }
    va_start(list, format);
    vsnprintf(self->problems[self->n_problems++], sizeof *self->problems, format, list);
    va_end(list);
}

static void merge_kind(conform_kind *to, const conform_kind *from)
{
    report_merge(&report_kind_fields, to, from);
    report_merge(&report_mean_fields, &to->bias, &from->bias);
    report_merge(&report_mean_fields, &to->outward, &from->outward);
    report_merge(&report_mean_fields, &to->lean, &from->lean);
}

static void merge_cell(conform_cell *to, const conform_cell *from)
{
    if (from->ratio > to->ratio)
        to->worst[0] = '\0'; /* goes with the ratio, */
    if (!to->by[0])
        to->is_inherited = from->is_inherited; /* and this with the name */
    report_merge(&report_cell_fields, to, from);
    for (int i = 0; i < FAULT_COUNT; i++)
        to->faults[i] += from->faults[i];
    for (int i = 0; i < HEADROOM_BINS; i++)
        to->headroom[i] += from->headroom[i];
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        report_merge(&report_relation_fields, &to->relations[i], &from->relations[i]);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            merge_kind(&to->kinds[d][p], &from->kinds[d][p]);
    conform_reach_merge(&to->reach, &from->reach);
}

static int subject_for(conform_report *self, const conform_report *other, int s)
{
    int to = conform_report_subject(self, other->label[s]);
    if (to >= 0)
        return to;
    if (self->n_subjects == CONFORM_MAX_SUBJECTS)
        return -1;
    to = self->n_subjects++;
    memcpy(self->label[to], other->label[s], sizeof self->label[to]);
    memcpy(self->expression[to], other->expression[s], sizeof self->expression[to]);
    self->binary[to] = other->binary[s];
    return to;
}

/* Those that follow from the counts are found again when all are together. */
static void merge_problems(conform_report *self, const conform_report *other)
{
    conform_report own = *other;
    own.n_problems = 0;
    conform_report_account(&own);
    for (int i = 0; i < other->n_problems; i++) {
        int follows = 0;
        for (int j = 0; j < own.n_problems; j++)
            follows |= strcmp(own.problems[j], other->problems[i]) == 0;
        if (!follows)
            conform_report_problem(self, "%s", other->problems[i]);
    }
}

/* Every report has done what the one with the fewest rounds has. */
static void merge_rounds(conform_report *self, const conform_report *other)
{
    if (!other->rounds_begun)
        return;
    if (!self->rounds_begun || other->rounds_done < self->rounds_done)
        self->rounds_done = other->rounds_done;
    if (other->rounds_begun > self->rounds_begun)
        self->rounds_begun = other->rounds_begun;
}

static char *copy_text(const char *text)
{
    const size_t bytes = text ? strlen(text) + 1 : 0;
    return text ? memcpy(grow(NULL, bytes, 1), text, bytes) : NULL;
}

int conform_report_merge(conform_report *self, const conform_report *other)
{
    int place[CONFORM_MAX_SUBJECTS] = {0};
    for (int s = 0; s < other->n_subjects; s++) {
        place[s] = subject_for(self, other, s);
        if (place[s] < 0)
            return 0;
        report_merge(&report_planned_fields, &self->planned[place[s]], &other->planned[s]);
        report_merge(&report_evidence_fields, &self->end_to_end[place[s]], &other->end_to_end[s]);
        for (int op = 0; op < IFN_OP_COUNT; op++)
            merge_cell(conform_report_cell(self, (ifn_op)op, place[s]),
                       conform_report_cell(other, (ifn_op)op, s));
    }
    for (int64_t i = 0; i < other->n_failures; i++) {
        conform_failure f = other->failures[i];
        f.subject = place[f.subject];
        f.values = f.values ? conform_written_copy(f.values) : NULL;
        f.again = copy_text(f.again);
        conform_report_keep(self, &f);
    }
    for (int64_t i = 0; i < other->n_rows; i++) {
        e2e_row row = other->rows[i];
        row.subject = place[row.subject];
        keep_row(self, &row);
    }
    merge_problems(self, other);
    report_merge(&report_evidence_fields, &self->museum, &other->museum);
    merge_rounds(self, other);
    report_merge(&report_head_fields, self, other);
    return 1;
}

static int has_failed(const conform_report *self, int s)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (conform_report_cell(self, (ifn_op)op, s)->failed)
            return 1;
    return self->end_to_end[s].failed > 0;
}

int conform_report_is_conformant(const conform_report *self)
{
    for (int s = 0; s < self->n_subjects; s++)
        if (has_failed(self, s))
            return 0;
    return self->n_problems == 0 && self->n_subjects > 0;
}

/* Problems begin with whom they are about; what begins otherwise is about everybody. */
static int is_about_another(const conform_report *self, int s, const char *problem)
{
    for (int other = 0; other < self->n_subjects; other++) {
        const size_t n = strlen(self->label[other]);
        if (other != s && strncmp(problem, self->label[other], n) == 0 &&
            strncmp(problem + n, ": ", 2) == 0)
            return 1;
    }
    return 0;
}

int conform_report_subject_is_conformant(const conform_report *self, int subject)
{
    for (int i = 0; i < self->n_problems; i++)
        if (!is_about_another(self, subject, self->problems[i]))
            return 0;
    return !has_failed(self, subject);
}

int64_t conform_report_shards(const conform_report *self)
{
    const char *const slash = strchr(self->shard, '/');
    const long long n = slash ? strtoll(slash + 1, NULL, 10) : 1;
    return n > 1 ? n : 1;
}

/* Whom a verdict is about that is not about all. */
static void put_offenders(const conform_report *self, FILE *out)
{
    int n = 0;
    for (int s = 0; self->n_subjects > 1 && s < self->n_subjects; s++)
        if (!conform_report_subject_is_conformant(self, s))
            fprintf(out, "%s%s", n++ ? ", " : ": ", self->label[s]);
}

void conform_report_verdict(const conform_report *self, FILE *out)
{
    const int is_conformant = conform_report_is_conformant(self);
    fputs(is_conformant ? "conformant" : "NOT conformant", out);
    if (!is_conformant)
        put_offenders(self, out);
    if (conform_report_shards(self) > 1)
        fprintf(out, ", of shard %s alone", self->shard);
    if (self->filters[0])
        fprintf(out, ", of %s alone", self->filters);
}
