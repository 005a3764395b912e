/* Faults that show at a few sizes only; the plan has none of these sizes. */
#include "judge_sizes.h"

#include <signal.h>

#include "all_specs.h"
#include "leaves.h"
#include "other_sizes.h"
#include "patience.h"

/* Returns true for sizes whose remainders of both dimensions meet in the corner of a tile. */
static bool is_corner(const ifn_transpose_2d_args *a)
{
    return a->rows > 256 && a->rows % 8 == 5 && a->cols % 8 == 3;
}

static ifn_status honest_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    return ifn_transpose_2d(self->base, a);
}

/* Gives the last element the value of the one before it. */
static ifn_status corner_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    const int64_t end = a->part_end ? a->part_end : a->cols;
    if (is_corner(a) && end == a->cols && a->part_begin < end)
        a->out[a->cols * a->rows - 1] = a->out[a->cols * a->rows - 2];
    return status;
}

/* Also writes to the row before its part; a call of the whole is correct. */
static ifn_status part_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    if (is_corner(a) && a->part_begin > 0)
        a->out[a->part_begin * a->rows - 1] = 0;
    return ifn_transpose_2d(self->base, a);
}

static ifn_status dying_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    if (is_corner(a))
        raise(SIGILL);
    return ifn_transpose_2d(self->base, a);
}

static ifn_status refusing_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    return is_corner(a) ? IFN_ERR_SHAPE : ifn_transpose_2d(self->base, a);
}

/* Writes one element after the last. */
static ifn_status strays_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    if (is_corner(a) && status == IFN_OK)
        a->out[a->cols * a->rows] = 0;
    return status;
}

static ifn_status silent_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    return is_corner(a) ? IFN_ERR_UNSUPPORTED : ifn_transpose_2d(self->base, a);
}

LEAF(transpose_2d, honest)
LEAF(transpose_2d, strays)
LEAF(transpose_2d, silent)
LEAF(transpose_2d, corner)
LEAF(transpose_2d, part)
LEAF(transpose_2d, dying)
LEAF(transpose_2d, refusing)

/* Halves an element of the sum where rows % 8 == 5 and features % 4 == 3, if k is above 500. */
static ifn_status deep_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const int64_t n = a->w[0]->shape[0];
    const bool is_whole = !a->part_begin && !a->part_end && !a->part2_begin && !a->part2_end;
    if (status == IFN_OK && is_whole && a->rows % 8 == 5 && n % 4 == 3 && a->k > 500)
        a->out[0][n - 1] *= 0.5f;
    return status;
}

LEAF(linear, deep)

typedef struct tally {
    int n, n_failed, n_elsewhere, n_refused;
    conform_check check; /* of the last failure */
    conform_case c;
} tally;

static void count(void *cookie, const conform_case *c, int tested, const conform_verdict *v)
{
    tally *const t = cookie;
    (void)tested;
    t->n++;
    t->n_refused += v->outcome == OUTCOME_REFUSED && !v->is_declared;
    if (v->outcome != OUTCOME_FAIL)
        return;
    t->n_failed++;
    t->n_elsewhere += v->is_of_other;
    t->check = v->check;
    t->c = *c;
}

enum { CASES = 64 }; /* enough cases to be worth two processes */

static tally run_on(const conform_tested *tested, conform_case c, int n_other_sizes, int n_jobs)
{
    conform_case cases[CASES];
    conform_runner r = {.tested = tested,
                        .n_tested = 1,
                        .specs = specs,
                        .in_process = n_jobs == 0,
                        .n_jobs = n_jobs,
                        .n_other_sizes = n_other_sizes,
                        .patience = patience_times(10)};
    ifn_error err = {0};
    tally t = {.n = 0};
    for (int i = 0; i < CASES; i++) {
        cases[i] = c;
        cases[i].seed = (uint64_t)i;
    }
    assert_ok(conform_runner_open(&r, &err), err);
    assert_ok(conform_runner_run(&r, cases, CASES, count, &t, &err), err);
    conform_runner_close(&r);
    assert_int_equal(t.n, CASES);
    return t;
}

static conform_case small_transpose(void)
{
    return (conform_case){
        .op = IFN_OP_TRANSPOSE_2D, .dim = {3, 5}, .tier = TIER_T1, .family = FAMILY_NORMAL};
}

static conform_case small_linear(ifn_dtype dtype, int prepared)
{
    return (conform_case){.op = IFN_OP_LINEAR,
                          .dtype = dtype,
                          .dim = {2, 3, 32, 1},
                          .prepared = prepared,
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

enum { MANY = 64 };

static void expect_found(const conform_tested *tested, conform_check check)
{
    for (int n_jobs = check == CHECK_CRASH ? 1 : 0; n_jobs < 3; n_jobs++) {
        const tally with = run_on(tested, small_transpose(), MANY, n_jobs);
        assert_true(with.n_failed > 0);
        assert_int_equal(with.n_elsewhere, with.n_failed);
        assert_int_equal(with.check, check);
        assert_int_equal(with.c.op, IFN_OP_TRANSPOSE_2D);
        assert_true(with.c.dim[0] > 256 && with.c.dim[0] % 8 == 5 && with.c.dim[1] % 8 == 3);
    }
    assert_int_equal(run_on(tested, small_transpose(), 0, 1).n_failed, 0);
}

static void what_is_honest_passes(void **state)
{
    (void)state;
    assert_int_equal(run_on(&honest[0], small_transpose(), MANY, 1).n_failed, 0);
}

static void a_wrong_corner_is_found_and_is_the_case_that_failed(void **state)
{
    (void)state;
    expect_found(&corner[0], CHECK_VALUE);
}

static void a_part_that_writes_beside_is_found(void **state)
{
    (void)state;
    expect_found(&part[0], CHECK_OUTSIDE);
}

static void a_wrong_status_is_found(void **state)
{
    (void)state;
    expect_found(&refusing[0], CHECK_STATUS);
}

/* The worker dies in the call, on the protected page after the tensor. */
static void a_write_after_a_tensor_is_found(void **state)
{
    (void)state;
    const tally t = run_on(&strays[0], small_transpose(), MANY, 1);
    assert_true(t.n_failed > 0);
    assert_int_equal(t.n_elsewhere, t.n_failed);
    assert_int_equal(t.check, CHECK_GUARD);
}

/* It is not a failure, but no manifest has declared it. */
static void a_refusal_is_told_of(void **state)
{
    (void)state;
    assert_int_equal(run_on(&silent[0], small_transpose(), 0, 1).n_refused, 0);
    assert_true(run_on(&silent[0], small_transpose(), MANY, 1).n_refused > 0);
}

static void a_process_that_dies_has_died_of_the_other_case(void **state)
{
    (void)state;
    expect_found(&dying[0], CHECK_CRASH);
}

/* F32, BF16 and blocks, prepared and raw; the judge compares sums with some tolerance. */
static void a_sum_that_is_wrong_at_joint_remainders_is_found(void **state)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_BF16, IFN_DTYPE_Q8_0};
    (void)state;
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        const tally t = run_on(&deep[1], small_linear(dtypes[i], (int)i % 2), 16 * MANY, 1);
        assert_true(t.n_failed > 0);
        assert_int_equal(t.n_elsewhere, t.n_failed);
        assert_int_equal(t.c.dtype, dtypes[i]);
        assert_true(t.c.dim[0] % 8 == 5 && t.c.dim[1] % 4 == 3 && t.c.dim[2] > 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(what_is_honest_passes),
        RUN(a_wrong_corner_is_found_and_is_the_case_that_failed),
        RUN(a_part_that_writes_beside_is_found),
        RUN(a_wrong_status_is_found),
        RUN(a_write_after_a_tensor_is_found),
        RUN(a_refusal_is_told_of),
        RUN(a_process_that_dies_has_died_of_the_other_case),
        RUN(a_sum_that_is_wrong_at_joint_remainders_is_found),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
