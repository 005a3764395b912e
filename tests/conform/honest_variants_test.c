/*
 * No false alarms: every honest variant passes every case of the ops that have sums, in this process and through the
 * judge that the runner uses. The plan is that of the smoke profile, or of the profile on the command line:
 * `conform_honest_variants_test ci 7` runs ci with seed 7.
 */
#include <stdio.h>
#include <stdlib.h>

#include "case_id.h"
#include "paths.h"
#include "patience.h"
#include "plan_cases.h"
#include "runner.h"
#include "test.h"
#include "variants.h"

static const ifn_op reductions[] = {
    IFN_OP_MATMUL,    IFN_OP_SUM_SQUARES_AXIS, IFN_OP_SOFTMAX_ROWS, IFN_OP_LINEAR,
    IFN_OP_LINEAR_Q8, IFN_OP_RMS_NORM,         IFN_OP_ATTENTION,
};

static ifn_status open_variant(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, NULL, NULL, out, err);
}

typedef struct statistics {
    int64_t n_cases, n_refused, n_failed, n_compared;
    double worst; /* largest error / bound */
    char first[1024];
} statistics;

/* By default each op has every VARIANT_STRIDE-th variant, and the next op begins with another; the nightly test has
 * all. */
static struct which_variants {
    int first, stride;
} which = {.stride = VARIANT_STRIDE};

static const ifn_backend_desc *desc_of(int tested)
{
    return conform_variant_desc(which.first + tested * which.stride);
}

static void note_failure(statistics *t, const conform_case *c, const char *label,
                         const conform_verdict *v)
{
    char id[CONFORM_ID_BYTES];
    if (t->n_failed++ > 0)
        return;
    conform_case_id(c, id);
    snprintf(t->first, sizeof t->first, "%s: %s: %s: %s: got %a want %a bound %a", label, id,
             conform_check_name(v->check), v->detail, v->worst.got, v->worst.want, v->worst.bound);
}

static void count(void *cookie, const conform_case *c, int tested, const conform_verdict *v)
{
    statistics *const t = cookie;
    t->n_cases++;
    t->n_compared += v->n_compared;
    t->n_refused += v->outcome == OUTCOME_REFUSED;
    t->worst = v->ratio > t->worst ? v->ratio : t->worst;
    if (v->outcome == OUTCOME_FAIL || v->outcome == OUTCOME_NOT_RUN)
        note_failure(t, c, desc_of(tested)->name, v);
}

static statistics run_op(ifn_op op, conform_runner *r, const conform_filter *filter)
{
    conform_plan plan;
    statistics t = {0};
    ifn_error err = {0};
    assert_ok(conform_plan_open(&plan, r->specs[op], filter, &err), err);
    assert_ok(conform_runner_run(r, plan.cases, plan.n, count, &t, &err), err);
    assert_int_equal(t.n_cases, plan.n * r->n_tested);
    conform_plan_close(&plan);
    return t;
}

static statistics run_variants(ifn_op op, spec_op **specs, const conform_filter *filter)
{
    conform_tested tested[CONFORM_MAX_TESTED] = {{0}};
    conform_runner r = {.tested = tested,
                        .n_tested = (conform_variant_count() - which.first - 1) / which.stride + 1,
                        .specs = specs,
                        .in_process = 1,
                        .patience = patience_times(10)};
    ifn_error err = {0};
    assert_in_range(r.n_tested, 1, CONFORM_MAX_TESTED);
    for (int i = 0; i < r.n_tested; i++)
        tested[i] = (conform_tested){desc_of(i)->name, open_variant, desc_of(i)};
    assert_ok(conform_runner_open(&r, &err), err);
    const statistics t = run_op(op, &r, filter);
    conform_runner_close(&r);
    return t;
}

static void every_variant_passes_every_case(void **state)
{
    spec_op *specs[IFN_OP_COUNT];
    ifn_error err = {0};
    int64_t n_compared = 0;
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    for (size_t i = 0; i < N_OF(reductions); i++) {
        which.first = (int)i % which.stride;
        const statistics t = run_variants(reductions[i], specs, *state);
        print_message("%-18s %8lld cases, %11lld elements, worst %.3f of its bound\n",
                      ifn_op_name(reductions[i]), (long long)t.n_cases, (long long)t.n_compared,
                      t.worst);
        assert_that(t.n_failed == 0, "%lld of %lld cases failed, first %s", (long long)t.n_failed,
                    (long long)t.n_cases, t.first);
        assert_true(t.n_refused == 0);
        assert_true(t.n_compared > 0);
        n_compared += t.n_compared;
    }
    print_message("%lld elements, no false alarm\n", (long long)n_compared);
    spec_free_all(specs);
}

int main(int argc, char **argv)
{
    conform_filter filter = {.profile = PROFILE_SMOKE, .seed = 1};
    if (argc > 1 && !conform_profile_from_name(argv[1], &filter.profile))
        return 2;
    which.stride = argc > 1 ? 1 : VARIANT_STRIDE;
    if (argc > 2)
        filter.seed = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_variant_passes_every_case, &filter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
