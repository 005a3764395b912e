/* Checks what must hold of a run besides passing cases: every op was executed, refusals are declared, and no result is
 * worse than in the baseline. */
#include <string.h>

#include "run_bias.h"
#include "run_report.h"

static void look_for_refusals(conform_report *self, int s, ifn_op op)
{
    const conform_cell *cell = conform_report_cell(self, op, s);
    if (cell->refused && cell->computed == 0)
        conform_report_problem(self, "%s: every case of %s was refused", self->label[s],
                               ifn_op_name(op));
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            if (cell->kinds[d][p].undeclared)
                conform_report_problem(
                    self, "%s: refuses %lld cases of %s of %s%s, and its manifest does not say so",
                    self->label[s], (long long)cell->kinds[d][p].undeclared, ifn_op_name(op),
                    p ? "prepared " : "", ifn_dtype_name((ifn_dtype)d));
}

/* Finds runs that lost cases, and reports from which some were removed. */
static void look_for_lost_cases(conform_report *self, int s)
{
    int64_t judged = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        judged += conform_report_cell(self, (ifn_op)op, s)->cases;
    const bool is_cut_short = self->rounds_begun > self->rounds_done; /* the report says so */
    if (self->planned[s].whole && !is_cut_short && judged != self->planned[s].cases)
        conform_report_problem(self, "%s: %lld cases were judged, expected the %lld planned",
                               self->label[s], (long long)judged,
                               (long long)self->planned[s].cases);
}

/* From ENOUGH cases on, a worst error / bound below the floor means that the bound is too wide (numerics 14). */
enum { ENOUGH = 32 };
static const double floor_of_ratios = 0.01;

/* Adds a problem for a bound that no T2 case comes near, as it proves nothing (numerics 14). */
static void look_at_headroom(conform_report *self, int tested, ifn_op op, ifn_dtype dtype,
                             int prepared)
{
    const conform_cell *const cell = conform_report_cell(self, op, tested);
    const conform_kind *kind = &cell->kinds[dtype][prepared];
    if (kind->t2_cases < ENOUGH || kind->t2_ratio >= floor_of_ratios)
        return;
    conform_report_problem(self,
                           "%s: %s of %s%s: errors of %lld T2 cases stay below %.2g of their "
                           "bounds: declare the depth%s",
                           self->label[tested], ifn_op_name(op), prepared ? "prepared " : "",
                           ifn_dtype_name(dtype), (long long)kind->t2_cases, floor_of_ratios,
                           cell->arithmetic[0] ? ", or finer arithmetic" : "");
}

/* Adds a problem for errors that lean to one side (numerics 4.5). */
static void look_at_bias(conform_report *self, int tested, ifn_op op, ifn_dtype dtype, int prepared)
{
    const conform_kind *kind = &conform_report_cell(self, op, tested)->kinds[dtype][prepared];
    const conform_mean *means[] = {&kind->bias, &kind->outward};
    static const char *const words[] = {"up or down", "to or from zero"};
    for (int i = 0; i < 2; i++)
        if (conform_mean_is_biased(means[i], &kind->lean))
            conform_report_problem(self,
                                   "%s: %s of %s%s errs %s: by %.2g of the root of its squared "
                                   "errors, expected %.2g at most, standard error %.2g",
                                   self->label[tested], ifn_op_name(op),
                                   prepared ? "prepared " : "", ifn_dtype_name(dtype), words[i],
                                   conform_mean_value(means[i]), conform_mean_value(&kind->lean),
                                   conform_mean_error(means[i]));
}

void conform_report_kinds(conform_report *self)
{
    for (int s = 0; s < self->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            for (int d = 0; d < IFN_DTYPE_COUNT; d++)
                for (int p = 0; p < 2; p++) {
                    look_at_headroom(self, s, (ifn_op)op, (ifn_dtype)d, p);
                    look_at_bias(self, s, (ifn_op)op, (ifn_dtype)d, p);
                }
}

void conform_report_account(conform_report *self)
{
    if (self->rounds_begun && !self->rounds_done)
        conform_report_problem(self, "the run ended before its first round was over");
    for (int s = 0; s < self->n_tested; s++) {
        look_for_lost_cases(self, s);
        int64_t executed = self->end_to_end[s].executed;
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            const conform_cell *cell = conform_report_cell(self, (ifn_op)op, s);
            executed += cell->refused ? cell->computed : cell->passed + cell->failed;
            look_for_refusals(self, s, (ifn_op)op);
        }
        if (executed == 0)
            conform_report_problem(self, "%s: not one case was executed", self->label[s]);
    }
    conform_report_kinds(self);
}

/* Finds what only one of the two runs has. With filters, what this run lacks is no problem. */
static void compare_what_ran(conform_report *self, int s, ifn_op op, const conform_cell *now,
                             const conform_cell *then)
{
    if (then->cases && !now->cases && !self->filters[0])
        conform_report_problem(self, "%s: %s was not run, and is in the baseline", self->label[s],
                               ifn_op_name(op));
    if (now->cases && !then->cases)
        conform_report_problem(self, "%s: the baseline has no %s, expected a whole run",
                               self->label[s], ifn_op_name(op));
    for (int i = 0; now->cases && !self->filters[0] && i < 2 * IFN_DTYPE_COUNT; i++) {
        const conform_kind *const a = &now->kinds[i / 2][i % 2], *const b =
                                                                     &then->kinds[i / 2][i % 2];
        if (b->executed && !a->executed && !a->refused)
            conform_report_problem(self, "%s: %s of %s %s was not run, and is in the baseline",
                                   self->label[s], ifn_op_name(op), i % 2 ? "prepared" : "raw",
                                   ifn_dtype_name((ifn_dtype)(i / 2)));
    }
}

static void compare_refusals(conform_report *self, int s, ifn_op op, const conform_cell *now,
                             const conform_cell *then)
{
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            if (now->kinds[d][p].refused && then->kinds[d][p].executed &&
                !then->kinds[d][p].refused)
                conform_report_problem(self, "%s: newly refused: %s of %s %s", self->label[s],
                                       ifn_op_name(op), p ? "prepared" : "raw",
                                       ifn_dtype_name((ifn_dtype)d));
}

/* Ratios below this count as this one, so that doubling a tiny error is no problem. */
static const double least_ratio = 0.01;

/* Adds a problem if the worst error / bound has more than doubled, though all cases pass. */
static void compare_headroom(conform_report *self, int s, ifn_op op, const conform_cell *now,
                             const conform_cell *then)
{
    const double was = then->ratio > least_ratio ? then->ratio : least_ratio;
    if (then->passed && now->passed && !(now->ratio <= 2 * was))
        conform_report_problem(self, "%s: worst error of %s is %.3g of its bound, and was %.3g",
                               self->label[s], ifn_op_name(op), now->ratio, then->ratio);
}

/* Both runs must be whole and of one profile, else the comparison proves nothing. */
static void compare_extent(conform_report *self, const conform_report *baseline)
{
    if (strcmp(self->profile, baseline->profile) != 0)
        conform_report_problem(self, "baseline: profile %s, expected that of this run, %s",
                               baseline->profile, self->profile);
    if (conform_report_shards(self) > 1)
        conform_report_problem(self, "baseline: this is shard %s, expected a whole run",
                               self->shard);
    if (conform_report_shards(baseline) > 1)
        conform_report_problem(self, "baseline: is shard %s, expected a whole run",
                               baseline->shard);
}

void conform_report_compare(conform_report *self, const conform_report *baseline)
{
    compare_extent(self, baseline);
    for (int s = 0; s < self->n_tested; s++) {
        const int then = conform_report_tested(baseline, self->label[s]);
        if (then < 0)
            conform_report_problem(self, "%s: is not in the baseline", self->label[s]);
        for (int op = 0; then >= 0 && op < IFN_OP_COUNT; op++) {
            const conform_cell *a = conform_report_cell(self, (ifn_op)op, s),
                               *b = conform_report_cell(baseline, (ifn_op)op, then);
            compare_what_ran(self, s, (ifn_op)op, a, b);
            compare_refusals(self, s, (ifn_op)op, a, b);
            compare_headroom(self, s, (ifn_op)op, a, b);
        }
    }
}

void conform_report_check_files(conform_report *self)
{
    for (int s = 0; s < self->n_tested; s++) {
        report_binary now;
        report_binary_fill(&now, self->label[s]);
        if (strcmp(now.hash, self->binary[s].hash) != 0)
            conform_report_problem(self, "%s: the file has changed during the run, from %s to %s",
                                   self->label[s], self->binary[s].hash, now.hash);
    }
}
