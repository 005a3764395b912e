/* Merges reports of one plan into one: of shards, of rounds, of machines. */
#include <string.h>

#include "case_pool.h"
#include "report_fields.h"
#include "run_report.h"
#include "written_case.h"

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
        to->worst[0] = '\0'; /* the worst case is the one of the larger ratio */
    if (!to->by[0])
        to->is_inherited = from->is_inherited; /* comes with `by` */
    report_merge(&report_cell_fields, to, from);
    for (int i = 0; i < CHECK_COUNT; i++)
        to->checks[i] += from->checks[i];
    for (int i = 0; i < HEADROOM_BINS; i++)
        to->headroom[i] += from->headroom[i];
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        report_merge(&report_relation_fields, &to->relations[i], &from->relations[i]);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            merge_kind(&to->kinds[d][p], &from->kinds[d][p]);
    conform_reach_merge(&to->reach, &from->reach);
}

static int tested_for(conform_report *self, const conform_report *other, int s)
{
    int to = conform_report_tested(self, other->label[s]);
    if (to >= 0)
        return to;
    if (self->n_tested == CONFORM_MAX_TESTED)
        return -1;
    to = self->n_tested++;
    memcpy(self->label[to], other->label[s], sizeof self->label[to]);
    memcpy(self->expression[to], other->expression[s], sizeof self->expression[to]);
    self->binary[to] = other->binary[s];
    return to;
}

/* Copies problems, except those that follow from counts: conform_report_account finds these again after the merge. */
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

/* The merged report has done as many rounds as the report with the fewest. */
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
    char *const copy = text ? strdup(text) : NULL;
    if (text && !copy)
        conform_out_of_memory(strlen(text) + 1, "the report");
    return copy;
}

int conform_report_merge(conform_report *self, const conform_report *other)
{
    int place[CONFORM_MAX_TESTED] = {0};
    for (int s = 0; s < other->n_tested; s++) {
        place[s] = tested_for(self, other, s);
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
        f.tested = place[f.tested];
        f.values = f.values ? conform_written_copy(f.values) : NULL;
        f.again = copy_text(f.again);
        conform_report_keep(self, &f);
    }
    for (int64_t i = 0; i < other->n_rows; i++) {
        e2e_row row = other->rows[i];
        row.tested = place[row.tested];
        conform_report_keep_row(self, &row);
    }
    merge_problems(self, other);
    report_merge(&report_evidence_fields, &self->museum, &other->museum);
    merge_rounds(self, other);
    report_merge(&report_head_fields, self, other);
    return 1;
}
