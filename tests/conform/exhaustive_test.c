/* Sweeps as lists of cases: no value is left out or occurs twice, and every piece is a case. */
#include "exhaustive.h"

#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "cases_file.h"
#include "paths.h"
#include "plan_cases.h"
#include "run_report.h"
#include "spec_dir.h"
#include "test.h"

static int64_t n_sweeps(ifn_op op)
{
    conform_sweep w;
    int64_t n = 0;
    while (conform_sweep_of(op, (int)n, &w))
        n++;
    return n;
}

/* An op has sweeps if it reads, writes or multiplies by finitely many values. */
TEST(ops_have_the_sweeps_that_are_due)
{
    static const struct {
        ifn_op op;
        int64_t n;
    } due[] = {
        {IFN_OP_SILU, 1},
        {IFN_OP_RSQRT_ELEM, 1},
        {IFN_OP_SWIGLU, 1},
        {IFN_OP_SOFTMAX_ROWS, 2},
        {IFN_OP_DEQUANTIZE_ROWS, 12},
        {IFN_OP_GATHER_ROWS, 12},
        {IFN_OP_LINEAR, 2 * (2 * 2 + 10)}, /* raw and prepared; halves also alone in their row */
        {IFN_OP_LINEAR_Q8, 2 * 10},
        {IFN_OP_QUANTIZE_ROWS, 2},
        {IFN_OP_KV_STORE, 1},
        {IFN_OP_ARGMAX_WITH_PROB, 7},
        {IFN_OP_MATMUL, 0},
        {IFN_OP_ATTENTION, 0},
    };
    for (size_t i = 0; i < N_OF(due); i++)
        assert_that(n_sweeps(due[i].op) == due[i].n, "%s: %d walks, expected %d",
                    ifn_op_name(due[i].op), (int)n_sweeps(due[i].op), (int)due[i].n);
}

TEST(pieces_meet_and_are_cases)
{
    char id[CONFORM_ID_BYTES];
    conform_sweep w;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int i = 0; conform_sweep_of((ifn_op)op, i, &w); i++) {
            const int64_t n = conform_sweep_pieces(&w);
            const conform_case last = conform_sweep_piece(&w, n - 1);
            ifn_error err = {0};
            conform_case back;
            assert_true(n * w.per_piece >= w.n_values && (n - 1) * w.per_piece < w.n_values);
            assert_true(conform_sweep_piece(&w, 0).seed == 0 &&
                        last.seed == (uint64_t)((n - 1) * w.per_piece));
            conform_case_id(&last, id);
            assert_that(conform_case_parse(id, &back, &err), "%s: %s", id, err.text);
            assert_ok(conform_case_check(&back, &err), err);
            assert_true(back.seed == last.seed && back.family == FAMILY_EVERY);
        }
}

TEST(what_has_no_sweep_is_no_case)
{
    static const char *const none[] = {
        "add/F32/n=4/T1/every/raw/0/0",
        "silu/F32/n=4/T0/every/raw/0/0",
        "argmax_with_prob/F32/n=8/T1/every/raw/0/0",
        "dequantize_rows/Q8_32F/rows=1,cols=32/T1/every/raw/0/0",
        "quantize_rows/F32+Q8_0/rows=1,cols=32/T1/every/raw/0/0",
    };
    for (size_t i = 0; i < N_OF(none); i++) {
        ifn_error err = {0};
        conform_case c;
        assert_true(conform_case_parse(none[i], &c, &err));
        assert_that(conform_case_check(&c, &err) != IFN_OK, "%s is taken for a case", none[i]);
        assert_non_null(strstr(err.text, "no sweep"));
    }
}

static conform_plan plan_of(ifn_op op, const conform_filter *filter)
{
    spec_op *specs[IFN_OP_COUNT] = {NULL};
    conform_plan p;
    ifn_error err = {0};
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    assert_ok(conform_plan_open(&p, specs[op], filter, &err), err);
    spec_free_all(specs);
    return p;
}

/* Marks the pieces of the only sweep of the plan; returns their number. */
static int64_t mark(const conform_plan *p, const conform_sweep *w, unsigned char *seen)
{
    int64_t n = 0;
    for (int64_t i = 0; i < p->n; i++)
        if (p->cases[i].family == FAMILY_EVERY) {
            seen[p->cases[i].seed / (uint64_t)w->per_piece]++;
            n++;
        }
    return n;
}

/* All 2^32 values, in any number of shards. */
TEST(the_night_and_the_option_leave_nothing_out)
{
    conform_sweep w;
    assert_true(conform_sweep_of(IFN_OP_SILU, 0, &w));
    const int64_t n = conform_sweep_pieces(&w);
    assert_true(n * w.per_piece == INT64_C(1) << 32);
    unsigned char *seen = calloc((size_t)n, 1);
    const conform_filter all = {.profile = PROFILE_NIGHTLY, .seed = 4};
    conform_plan p = plan_of(IFN_OP_SILU, &all);
    assert_int_equal(mark(&p, &w, seen), n);
    assert_true(p.n > n);
    conform_plan_close(&p);
    for (int64_t i = 0; i < 3; i++) {
        const conform_filter third = {.is_exhaustive = 1, .seed = 4, .shard = i, .n_shards = 3};
        p = plan_of(IFN_OP_SILU, &third);
        assert_int_equal(mark(&p, &w, seen), p.n);
        conform_plan_close(&p);
    }
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(seen[i], 2);
    free(seen);
}

/* Another seed takes another stratum; all seeds together reach every piece. */
TEST(a_stratum_goes_round_with_the_seed)
{
    conform_sweep w;
    assert_true(conform_sweep_of(IFN_OP_SILU, 0, &w));
    unsigned char *seen = calloc((size_t)conform_sweep_pieces(&w), 1);
    int64_t total = 0, different = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const conform_filter ci = {.profile = PROFILE_CI, .seed = seed};
        conform_plan p = plan_of(IFN_OP_SILU, &ci);
        total += mark(&p, &w, seen);
        conform_plan_close(&p);
    }
    for (int64_t i = 0; i < conform_sweep_pieces(&w); i++)
        different += seen[i] > 0;
    assert_int_equal(total, 40 * 64);
    assert_true(different > 40 * 64 * 3 / 4);
    free(seen);
}

/* 65 536 patterns are few enough for every profile. A filter with a number of cases, or fixed sizes, leaves sweeps
 * out. */
TEST(profiles_and_filters)
{
    const conform_filter ci = {
        .profile = PROFILE_CI, .seed = 1, .n_dtypes = 1, .dtypes = {IFN_DTYPE_F16}};
    conform_filter drawn = ci;
    conform_sweep w;
    drawn.n_cases = 50;
    int i = 0;
    while (conform_sweep_of(IFN_OP_DEQUANTIZE_ROWS, i, &w) && w.c.dtype != IFN_DTYPE_F16)
        i++;
    unsigned char *seen = calloc((size_t)conform_sweep_pieces(&w), 1);
    conform_plan p = plan_of(IFN_OP_DEQUANTIZE_ROWS, &ci);
    assert_int_equal(mark(&p, &w, seen), conform_sweep_pieces(&w));
    for (int64_t k = 0; k < conform_sweep_pieces(&w); k++)
        assert_int_equal(seen[k], 1);
    conform_plan_close(&p);
    p = plan_of(IFN_OP_DEQUANTIZE_ROWS, &drawn);
    assert_int_equal(mark(&p, &w, seen), 0);
    conform_plan_close(&p);
    free(seen);
}

TEST(values_that_are_swept_over_are_counted)
{
    const conform_verdict v = {.outcome = OUTCOME_PASS, .n_compared = 5};
    const conform_case piece = {.op = IFN_OP_SILU, .dim = {5}, .family = FAMILY_EVERY};
    conform_case drawn = piece;
    conform_report a, b;
    drawn.family = FAMILY_NORMAL;
    conform_report_open(&a, 1);
    conform_report_open(&b, 0);
    conform_report_add(&a, &piece, 0, &v);
    conform_report_add(&a, &drawn, 0, &v);
    conform_report_merge(&b, &a);
    conform_report_merge(&b, &a);
    assert_int_equal(conform_report_cell(&b, IFN_OP_SILU, 0)->swept, 10);
    assert_int_equal(conform_report_cell(&b, IFN_OP_SILU, 0)->compared, 20);
    conform_report_close(&a);
    conform_report_close(&b);
}
