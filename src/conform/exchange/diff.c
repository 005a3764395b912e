#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "case_pool.h"
#include "report_rank.h"

/* A worst error that grew or shrank by more than this factor counts as a change; --baseline uses the same factor. */
#define RATIO_TOLD 2.0

static int exceeds(double a, double b)
{
    return a > b * RATIO_TOLD || (a > 1 && b <= 1);
}

/* True if more cases of b fail by some check. */
static int fails_otherwise(const conform_cell *a, const conform_cell *b)
{
    for (int i = CHECK_NONE + 1; i < CHECK_COUNT; i++)
        if (b->checks[i] > a->checks[i])
            return 1;
    return 0;
}

/* An op that is no longer tried, or in less than half as many cases, may be wrong now. */
static diff_change change_of(const conform_cell *a, const conform_cell *b)
{
    if (!a || !b)
        return !b || b->failed ? DIFF_WORSE : DIFF_OTHER;
    if (b->cases < a->cases / 2 || b->failed > a->failed || fails_otherwise(a, b) ||
        b->undeclared > a->undeclared || b->refused > a->refused)
        return DIFF_WORSE;
    if (b->failed < a->failed || b->undeclared < a->undeclared || b->refused < a->refused)
        return DIFF_BETTER;
    if (exceeds(b->ratio, a->ratio))
        return DIFF_WORSE;
    if (exceeds(a->ratio, b->ratio))
        return DIFF_BETTER;
    return a->cases == b->cases ? DIFF_SAME : DIFF_OTHER;
}

static const conform_cell *cell_of(const conform_report *r, ifn_op op, const char *label)
{
    const int s = conform_report_tested(r, label);
    const conform_cell *const c = s < 0 ? NULL : conform_report_cell(r, op, s);
    return c && c->cases ? c : NULL;
}

static void add_cell(report_diff *d, ifn_op op, const char *label)
{
    diff_cell c = {.op = op, .label = label, .a = cell_of(d->a, op, label)};
    c.b = cell_of(d->b, op, label);
    if (!c.a && !c.b)
        return;
    c.change = change_of(c.a, c.b);
    d->n_worse += c.change == DIFF_WORSE;
    d->n_better += c.change == DIFF_BETTER;
    d->n_other += c.change == DIFF_OTHER;
    d->cells[d->n++] = c;
}

static void add_standing(report_diff *d, const char *label)
{
    const int a = conform_report_tested(d->a, label), b = conform_report_tested(d->b, label);
    if (a >= 0 && b >= 0)
        d->n_lower += conform_standing_of(d->b, b).rank < conform_standing_of(d->a, a).rank;
}

static void add_backend(report_diff *d, const char *label)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        add_cell(d, (ifn_op)op, label);
    add_standing(d, label);
}

void diff_open(report_diff *self, const conform_report *a, const conform_report *b)
{
    const size_t room = (size_t)(a->n_tested + b->n_tested) * IFN_OP_COUNT + 1;
    *self = (report_diff){.a = a, .b = b, .path_a = "A", .path_b = "B"};
    self->cells = calloc(room, sizeof *self->cells);
    if (!self->cells)
        conform_out_of_memory(room * sizeof *self->cells, "the comparison");
    for (int s = 0; s < b->n_tested; s++)
        add_backend(self, b->label[s]);
    for (int s = 0; s < a->n_tested; s++)
        if (conform_report_tested(b, a->label[s]) < 0)
            add_backend(self, a->label[s]);
}

void diff_close(report_diff *self)
{
    free(self->cells);
    *self = (report_diff){0};
}

const char *diff_change_name(diff_change change)
{
    static const char *const names[] = {"same", "other", "better", "worse"};
    return names[change];
}

int diff_has_failure(const conform_report *other, const conform_report *r, const conform_failure *f)
{
    const int s = conform_report_tested(other, r->label[f->tested]);
    for (int64_t i = 0; i < other->n_failures; i++) {
        const conform_failure *const g = &other->failures[i];
        if (g->tested == s && strcmp(g->id, f->id) == 0 && strcmp(g->check, f->check) == 0)
            return 1;
    }
    return 0;
}

int diff_has_problem(const conform_report *other, const char *problem)
{
    for (int i = 0; i < other->n_problems; i++)
        if (strcmp(other->problems[i], problem) == 0)
            return 1;
    return 0;
}

int diff_new_problems(const report_diff *self)
{
    int n = 0;
    for (int i = 0; i < self->b->n_problems; i++)
        n += !diff_has_problem(self->a, self->b->problems[i]);
    return n;
}

int diff_is_worse(const report_diff *self)
{
    return self->n_worse > 0 || self->n_lower > 0 || diff_new_problems(self) > 0;
}
