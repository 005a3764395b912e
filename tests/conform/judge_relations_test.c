/* Each fake backend breaks one of R2, R5, R7 and R8 by a unit in the last place, and nothing else. */
#include <math.h>

#include "leaves.h"

static conform_case matmul_case(void)
{
    return (conform_case){
        .op = IFN_OP_MATMUL, .dim = {5, 40, 3}, .tier = TIER_T1, .family = FAMILY_NORMAL};
}

static conform_case linear_case(int64_t pad)
{
    return (conform_case){.op = IFN_OP_LINEAR,
                          .dim = {4, 3, 40, 2, pad, 1},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static ifn_status honest_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return ifn_matmul(self->base, a);
}

static ifn_status matmul_nudged(ifn_backend *self, const ifn_matmul_args *a, int is_nudged)
{
    const ifn_status status = ifn_matmul(self->base, a);
    if (is_nudged && a->part_end == 0 && a->part2_end == 0)
        leaf_nudge(a->out, a->m * a->p);
    return status;
}

/* Gives other bits for a single row. */
static ifn_status one_row_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return matmul_nudged(self, a, a->m == 1);
}

/* Gives other bits where the rows are not in order; fewer than five rows count as in order. */
static ifn_status sorted_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    const int is_sorted = a->m < 5 || a->a[0] < a->a[(a->m - 1) * a->n];
    return matmul_nudged(self, a, !is_sorted && fabsf(a->a[0]) > 0);
}

/* Takes rows at the address of the last call's rows for the same rows. The variables are per thread: sharing them
 * between two threads would be another fault, which shows by chance. */
static _Thread_local const float *last_rows;
static _Thread_local float last_value;

static ifn_status mindful_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    const float value = a->m > 0 && a->n > 0 ? a->a[0] : 0;
    const int is_stale = a->a == last_rows && value != last_value;
    last_rows = a->a;
    last_value = value;
    return matmul_nudged(self, a, is_stale);
}

/* Reads scratch memory that it has not written. */
static ifn_status careless_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    const unsigned char *scratch = a->call.scratch;
    return matmul_nudged(self, a, scratch && scratch[5] == 0);
}

static ifn_status contiguous_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const int is_whole = a->part_end == 0 && a->part2_end == 0;
    for (int64_t i = 0; is_whole && a->x_stride == a->k && i < a->rows; i++)
        leaf_nudge(a->out[0] + i * a->out_stride[0], a->w[0]->shape[0]);
    return status;
}

static ifn_status padded_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const int is_whole = a->part_end == 0 && a->part2_end == 0;
    for (int64_t i = 0; is_whole && a->out_stride[1] != a->w[1]->shape[0] && i < a->rows; i++)
        leaf_nudge(a->out[1] + i * a->out_stride[1], a->w[1]->shape[0]);
    return status;
}

/* --- calls that are recorded, and replayed where a call has the same addresses --- */

static ifn_status recorded_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    static ifn_kv_store_args last;
    ifn_kv_store_args replayed = *a;
    if (last.k == a->k && last.k_cache == a->k_cache && last.rows == a->rows &&
        last.first_pos + a->rows <= a->max_pos && a->n_spans == 0 && a->page_rows == 0)
        replayed.first_pos = last.first_pos;
    last = *a;
    return ifn_kv_store(self->base, &replayed);
}

static ifn_status recorded_row_copy_row_2d(ifn_backend *self, const ifn_copy_row_2d_args *a)
{
    static ifn_copy_row_2d_args last;
    ifn_copy_row_2d_args replayed = *a;
    if (last.x == a->x && last.out == a->out && last.out_row < a->out_rows)
        replayed.out_row = last.out_row;
    last = *a;
    return ifn_copy_row_2d(self->base, &replayed);
}

static ifn_status recorded_place_copy_contiguous_into(ifn_backend *self,
                                                      const ifn_copy_contiguous_into_args *a)
{
    static ifn_copy_contiguous_into_args last;
    ifn_copy_contiguous_into_args replayed = *a;
    if (last.x == a->x && last.out == a->out && last.out_offset + a->n <= a->out_n)
        replayed.out_offset = last.out_offset;
    last = *a;
    return ifn_copy_contiguous_into(self->base, &replayed);
}

LEAF(kv_store, recorded)
LEAF(copy_row_2d, recorded_row)
LEAF(copy_contiguous_into, recorded_place)
LEAF(matmul, honest)
LEAF(matmul, one_row)
LEAF(matmul, sorted)
LEAF(matmul, mindful)
LEAF(linear, contiguous)
LEAF(linear, padded)

static void fill_careless(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->matmul = careless_matmul;
}

static size_t some_scratch(const ifn_backend *self, const ifn_limits *max)
{
    (void)self;
    (void)max;
    return 64;
}

static const ifn_backend_desc desc_careless = {
    IFN_BACKEND_STAMP,     .name = "careless",         .summary = "",
    .fill = fill_careless, .manifest = &leaf_promises, .scratch_bytes = some_scratch};
static const conform_tested careless = {"careless", leaf_open, &desc_careless};

TEST(what_holds_is_counted)
{
    leaf_expect_honest(honest, matmul_case(), CHECK_BATCH);
    leaf_expect_honest(honest, matmul_case(), CHECK_PERMUTED);
    leaf_expect_honest(honest, matmul_case(), CHECK_ORDER);
    leaf_expect_honest(honest, linear_case(0), CHECK_VIEW);
    leaf_expect_honest(honest, linear_case(3), CHECK_VIEW);
    leaf_expect_honest(honest, linear_case(3), CHECK_BATCH);
    leaf_expect_honest(honest, linear_case(3), CHECK_PERMUTED);
    leaf_expect_honest(honest, linear_case(3), CHECK_ORDER);
}

TEST(a_path_for_one_row_breaks_r2)
{
    leaf_expect_caught(one_row, matmul_case(), CHECK_BATCH);
}

/* A call of one row is cheap, so the judge makes it of every large case, too. */
TEST(a_path_for_many_long_rows_breaks_r2_each_time)
{
    const conform_case large = {
        .op = IFN_OP_MATMUL, .dim = {131, 643, 5}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    const leaf_statistics t = leaf_judge(&one_row[0], large, CHECK_BATCH);
    assert_int_equal(t.n_passed, 0);
    assert_int_equal(t.n_other, 0);
    assert_int_equal(leaf_judge(&honest[0], large, CHECK_BATCH).n_check, 0);
}

TEST(rows_that_look_at_each_other_break_r8)
{
    int n_caught = 0;
    for (uint64_t seed = 1; seed < 100; seed++) {
        conform_case c = matmul_case();
        c.seed = seed;
        const conform_verdict v = judge_once(sorted, &c);
        n_caught += v.check == CHECK_PERMUTED;
    }
    assert_true(n_caught > 0);
    assert_int_equal(leaf_judge(&sorted[1], matmul_case(), CHECK_PERMUTED).n_other, 0);
    assert_int_equal(leaf_judge(&sorted[1], matmul_case(), CHECK_PERMUTED).n_check, 0);
}

TEST(a_stride_of_its_own_breaks_r5)
{
    leaf_expect_caught(contiguous, linear_case(2), CHECK_VIEW);
    leaf_expect_caught(padded, linear_case(0), CHECK_VIEW);
}

static leaf_statistics judge_afresh(const conform_tested *tested)
{
    leaf_statistics t = {.n_passed = 0};
    for (uint64_t seed = 1; seed < 50; seed++) {
        conform_case c = matmul_case();
        c.seed = seed;
        last_rows = NULL;
        const conform_verdict v = judge_once(tested, &c);
        t.n_passed += v.outcome == OUTCOME_PASS;
        t.n_check += v.check == CHECK_ORDER;
        t.relation.tried += v.relations[7].tried;
        t.relation.held += v.relations[7].held;
    }
    return t;
}

TEST(what_a_backend_remembers_breaks_r7)
{
    const leaf_statistics t = judge_afresh(&mindful[0]), free = judge_afresh(&mindful[1]);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_check + t.n_passed, 49);
    assert_int_equal(free.n_passed, 49);
    assert_true(free.relation.held < free.relation.tried);
}

/* The call before is one of another place. */
TEST(what_is_replayed_at_the_place_of_then_breaks_r7)
{
    const conform_case stored = {
        .op = IFN_OP_KV_STORE, .dim = {4, 3, 2, 2, 16}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    const conform_case row = {.op = IFN_OP_COPY_ROW_2D,
                              .dim = {3, 2, 5, 1, 1},
                              .tier = TIER_SPECIAL,
                              .family = FAMILY_PATTERNS};
    const conform_case copied = {.op = IFN_OP_COPY_CONTIGUOUS_INTO,
                                 .dim = {5, 9, 2},
                                 .tier = TIER_SPECIAL,
                                 .family = FAMILY_PATTERNS};
    assert_true(leaf_judge(recorded, stored, CHECK_ORDER).n_check > 0);
    assert_true(leaf_judge(recorded_row, row, CHECK_ORDER).n_check > 0);
    assert_true(leaf_judge(recorded_place, copied, CHECK_ORDER).n_check > 0);
}

TEST(scratch_that_shows_breaks_r7)
{
    const leaf_statistics t = leaf_judge(&careless, matmul_case(), CHECK_ORDER);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, 0);
}
