#include "run_relations.h"

#include <math.h>

#include "declared.h"

/* Fewer cases say nothing about a bound; a ratio below the floor does (numerics 14). */
enum { ENOUGH = 32 };
static const double floor_of_ratios = 0.01;

/* Rows of Q8_32F are judged with the width of their codes, which says nothing about the sum. */
static void count_headroom(conform_kind *kind, const conform_case *c, const conform_verdict *v)
{
    if (c->tier != TIER_T2 || c->out_dtype != IFN_DTYPE_F32 || !conform_sum_is_long(c))
        return;
    kind->t2_cases++;
    kind->t2_ratio = fmax(kind->t2_ratio, v->ratio);
}

void conform_count_relations(conform_cell *cell, const conform_case *c, const conform_verdict *v)
{
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        cell->relations[i].tried += v->relations[i].tried;
        cell->relations[i].held += v->relations[i].held;
        cell->relations[i].demanded += v->relations[i].demanded;
    }
    if (v->outcome == OUTCOME_PASS)
        count_headroom(&cell->kinds[c->dtype][c->prepared != 0], c, v);
}

static void look_at(conform_report *self, int subject, ifn_op op, ifn_dtype dtype, int prepared)
{
    const conform_kind *kind = &conform_report_cell(self, op, subject)->kinds[dtype][prepared];
    if (kind->t2_cases < ENOUGH || kind->t2_ratio >= floor_of_ratios)
        return;
    conform_report_problem(self,
                           "%s: %s of %s%s: errors of %lld T2 cases stay below %.2g of their "
                           "bounds: declare the depth",
                           self->label[subject], ifn_op_name(op), prepared ? "prepared " : "",
                           ifn_dtype_name(dtype), (long long)kind->t2_cases, floor_of_ratios);
}

void conform_report_headroom(conform_report *self)
{
    for (int s = 0; s < self->n_subjects; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            for (int d = 0; d < IFN_DTYPE_COUNT; d++)
                for (int p = 0; p < 2; p++)
                    look_at(self, s, (ifn_op)op, (ifn_dtype)d, p);
}

const char *conform_relation_words(int i)
{
    static const char *const words[CONFORM_INVARIANCES] = {"the same call again",
                                                           "any cut into parts, any threads",
                                                           "a row alone or in a batch",
                                                           "prefill or decoding, any chunks",
                                                           "any address",
                                                           "any strides",
                                                           "in place or not",
                                                           "other calls before, dirty scratch",
                                                           "rows or heads permuted",
                                                           "behind a cache cut back"};
    return words[i];
}
