#include "judge.h"
#include "test.h"
#include "tested.h"

static conform_case case_of(int64_t p, uint64_t seed)
{
    return (conform_case){.op = IFN_OP_MATMUL,
                          .dim = {6, 3, p},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .seed = seed};
}

/* tested_one_granule is correct only if every cut is at a multiple of four. */
TEST(cuts_fall_on_the_granule)
{
    int32_t most = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        const conform_case c = case_of(19, seed);
        const conform_verdict v = judge_once(&tested_one_granule, &c);
        assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
        most = v.calls > most ? v.calls : most;
    }
    assert_true(most > 4 + 4); /* rows and columns were cut together */
}

TEST(a_granule_as_large_as_the_extent_means_no_cut)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = case_of(4, seed);
        assert_int_equal(judge_once(&tested_one_granule, &c).outcome, OUTCOME_PASS);
    }
}

TEST(a_part_that_writes_too_much_or_too_little_is_found)
{
    int n_outside = 0, n_missing = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = case_of(19, seed);
        n_outside += judge_once(&tested_whole_in_every_part, &c).check == CHECK_OUTSIDE;
        n_missing += judge_once(&tested_ignores_parts, &c).check == CHECK_PARTS;
    }
    assert_int_equal(n_outside, 20);
    assert_true(n_missing >= 15);
}

/* Multiplies whole, disjoint rows, but not those of the part that was asked for. */
static ifn_status multiply_rows(ifn_backend *self, const ifn_matmul_args *a, int64_t begin,
                                int64_t end)
{
    ifn_matmul_args rows = *a;
    rows.part_begin = begin;
    rows.part_end = end;
    rows.part2_begin = rows.part2_end = 0;
    return begin < end ? ifn_matmul(self->base, &rows) : IFN_OK;
}

static ifn_status first_does_all(ifn_backend *self, const ifn_matmul_args *a)
{
    return multiply_rows(self, a, 0, a->part_begin || a->part2_begin ? 0 : a->m);
}

static ifn_status first_takes_last_row(ifn_backend *self, const ifn_matmul_args *a)
{
    const int64_t end = a->part_end ? a->part_end : a->m;
    if (a->part_begin == 0 && end < a->m)
        IFN_TRY(multiply_rows(self, a, a->m - 1, a->m));
    return multiply_rows(self, a, a->part_begin, end == a->m && a->part_begin ? end - 1 : end);
}

static ifn_status last_does_all(ifn_backend *self, const ifn_matmul_args *a)
{
    return multiply_rows(self, a, 0, a->part_end && a->part_end < a->m ? 0 : a->m);
}

/* Takes an empty part of columns for all columns. */
static ifn_status empty_is_all(ifn_backend *self, const ifn_matmul_args *a)
{
    ifn_matmul_args all = *a;
    if (a->part2_begin == a->part2_end)
        all.part2_begin = all.part2_end = 0;
    return ifn_matmul(self->base, &all);
}

/* Refuses an empty part as a mistake of the caller. */
static ifn_status empty_is_refused(ifn_backend *self, const ifn_add_args *a)
{
    return a->part_end && a->part_begin == a->part_end ? IFN_ERR_SHAPE : ifn_add(self->base, a);
}

/* Checks every id of the call, also those outside its part. */
static ifn_status looks_at_all_ids(ifn_backend *self, const ifn_gather_rows_args *a)
{
    for (int64_t i = 0; i < a->n; i++)
        if (a->ids[i] < 0 || a->ids[i] >= a->table->shape[0])
            return IFN_ERR_ARGUMENT;
    return ifn_gather_rows(self->base, a);
}

#define LEAF(op, word)                                                                             \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->op = word;                                                                          \
    }                                                                                              \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .fill = fill_##word};                             \
    static const conform_tested tested_##word = {#word, open_leaf, &desc_##word};

static ifn_status open_leaf(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}
/* Writes the element after its part, as the store of a whole vector does, and puts it back: nothing is changed when
 * it returns. */
static ifn_status puts_back(ifn_backend *self, const ifn_add_args *a)
{
    const ifn_status status = ifn_add(self->base, a);
    if (status == IFN_OK && a->part_end && a->part_end < a->n) {
        volatile float *const next = a->out + a->part_end;
        const float kept = *next;
        *next = 0;
        *next = kept;
    }
    return status;
}

/* Reads the element after its part, which is allowed. */
static ifn_status looks_behind(ifn_backend *self, const ifn_add_args *a)
{
    volatile float seen = 0;
    if (a->part_end && a->part_end < a->n)
        seen = a->out[a->part_end];
    (void)seen;
    return ifn_add(self->base, a);
}

LEAF(add, puts_back)
LEAF(add, looks_behind)
LEAF(matmul, first_does_all)
LEAF(matmul, first_takes_last_row)
LEAF(matmul, last_does_all)
LEAF(matmul, empty_is_all)
LEAF(add, empty_is_refused)
LEAF(gather_rows, looks_at_all_ids)

TEST(a_part_that_does_the_work_of_others_is_found)
{
    const conform_tested *const tested[] = {&tested_first_does_all, &tested_first_takes_last_row,
                                            &tested_last_does_all};
    for (size_t i = 0; i < N_OF(tested); i++) {
        conform_case c = case_of(1, 1);
        c.is_cut = 1;
        c.cut[0] = 3;
        const conform_verdict v = judge_once(tested[i], &c);
        assert_that(v.check == CHECK_OUTSIDE, "%s: %s", tested[i]->label, v.detail);
    }
}

TEST(an_empty_part_is_done_and_writes_nothing)
{
    int n_all = 0, n_refused = 0;
    for (uint64_t seed = 0; seed < 64; seed++) {
        const conform_case product = case_of(19, seed);
        const conform_case sum = {
            .op = IFN_OP_ADD, .dim = {40}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = seed};
        assert_int_equal(judge_once(&tested_honest, &product).outcome, OUTCOME_PASS);
        n_all += judge_once(&tested_empty_is_all, &product).check == CHECK_OUTSIDE;
        n_refused += judge_once(&tested_empty_is_refused, &sum).check == CHECK_PARTS;
    }
    assert_in_range(n_all, 3, 16);
    assert_in_range(n_refused, 6, 32);
}

TEST(ids_of_other_parts_are_nobodys_business)
{
    int n_found = 0;
    for (uint64_t seed = 0; seed < 32; seed++) {
        const conform_case c = {.op = IFN_OP_GATHER_ROWS,
                                .dim = {6, 5, 4},
                                .tier = TIER_T0,
                                .family = FAMILY_NORMAL,
                                .seed = seed,
                                .is_cut = 1,
                                .cut = {3, 0}};
        assert_int_equal(judge_once(&tested_honest, &c).outcome, OUTCOME_PASS);
        n_found += judge_once(&tested_looks_at_all_ids, &c).check == CHECK_PARTS;
    }
    assert_in_range(n_found, 8, 24); /* in the other cases the ids are those of the whole call */
}

static conform_case cut_at(int64_t rows, int64_t cols)
{
    conform_case c = case_of(19, 3); /* a seed without an empty part */
    c.is_cut = 1;
    c.cut[0] = rows;
    c.cut[1] = cols;
    return c;
}

TEST(a_case_may_say_where_it_is_cut)
{
    const conform_case whole = cut_at(0, 0), rows = cut_at(2, 0), both = cut_at(2, 3);
    const int32_t calls = judge_once(&tested_honest, &whole).calls;
    assert_int_equal(judge_once(&tested_honest, &rows).calls, calls + 2);
    assert_int_equal(judge_once(&tested_honest, &both).calls, calls + 4);
    assert_int_equal(judge_once(&tested_part_dependent, &whole).outcome, OUTCOME_PASS);
    assert_int_equal(judge_once(&tested_part_dependent, &rows).check, CHECK_PARTS);
}

static bool dies(const conform_tested *tested, uint64_t seed)
{
    const conform_case c = {
        .op = IFN_OP_ADD, .dim = {100}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = seed};
    conform_outcome outcome;
    const bool is_dead = judge_is_fatal(tested, &c, &outcome);
    assert_true(is_dead || outcome == OUTCOME_PASS);
    return is_dead;
}

TEST(behind_a_part_nothing_may_be_written_for_a_moment)
{
    int n = 0;
    if (!guard_protects())
        return;
    for (uint64_t seed = 0; seed < 40; seed++) {
        n += dies(&tested_puts_back, seed);
        assert_int_equal(dies(&tested_looks_behind, seed), 0);
    }
    assert_true(n > 0);
}
