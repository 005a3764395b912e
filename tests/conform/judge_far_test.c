/* Offsets past 2^31 and 2^32: the judge finds what a 32-bit index does wrong, and nothing else. */
#include <string.h>

#include "far.h"
#include "far_map.h"
#include "leaves.h"

static ifn_status honest_gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    return ifn_gather_rows(self->base, a);
}

/* Reads the rows of the table at byte offsets that are truncated to an unsigned int. */
static ifn_status wraps_gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->n;
    const size_t row = (size_t)a->table->shape[1] * sizeof(float);
    for (int64_t i = begin; status == IFN_OK && i < end; i++) {
        const uint32_t at = (uint32_t)((size_t)a->ids[i] * row);
        memcpy(a->out + i * a->table->shape[1], (const char *)a->table->data + at, row);
    }
    return status;
}

static ifn_status honest_add(ifn_backend *self, const ifn_add_args *a)
{
    return ifn_add(self->base, a);
}

/* Writes everything to its place, and the last element of a far part also 2^32 elements earlier. */
static ifn_status twice_add(ifn_backend *self, const ifn_add_args *a)
{
    const ifn_status status = ifn_add(self->base, a);
    const int64_t last = a->part_end ? a->part_end - 1 : 0;
    if (status == IFN_OK && last > UINT32_MAX)
        a->out[(uint32_t)last] = 1;
    return status;
}

static ifn_status refuses_add(ifn_backend *self, const ifn_add_args *a)
{
    return a->n > INT32_MAX ? IFN_ERR_UNSUPPORTED : ifn_add(self->base, a);
}

/* Reads the rows of b at element offsets that are truncated to an unsigned int. */
static ifn_status counts_concat_dim0(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    const ifn_status status = ifn_concat_dim0(self->base, a);
    const int64_t rows = a->a_rows + a->b_rows;
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : rows;
    for (int64_t r = begin > a->a_rows ? begin : a->a_rows; status == IFN_OK && r < end; r++) {
        const uint32_t at = (uint32_t)((r - a->a_rows) * a->cols);
        memcpy(a->out + r * a->cols, a->b + at, (size_t)a->cols * sizeof(float));
    }
    return status;
}

LEAF(concat_dim0, counts)
LEAF(gather_rows, wraps)
LEAF(add, twice)
LEAF(add, refuses)

static void fill_honest(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->gather_rows = honest_gather_rows;
    table->add = honest_add;
}

static const ifn_backend_desc desc_honest = {IFN_BACKEND_STAMP, .name = "honest", .summary = "",
                                             .fill = fill_honest};
static const conform_tested honest = {"honest", leaf_open, &desc_honest};

/* Returns the first case from seed `c.seed` on that has far calls of parts. */
static conform_case due(conform_case c)
{
    while (conform_far_calls(&c) != FAR_CALL_OF_PARTS)
        c.seed++;
    return c;
}

static conform_case gather_case(void)
{
    return due((conform_case){
        .op = IFN_OP_GATHER_ROWS, .dim = {4, 9, 16}, .tier = TIER_T1, .family = FAMILY_NORMAL});
}

static conform_case add_case(void)
{
    return due((conform_case){
        .op = IFN_OP_ADD, .dim = {40}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 1});
}

static int skips(void)
{
    return !far_map_has_room();
}

TEST(an_honest_backend_passes_and_every_class_is_counted)
{
    const conform_case cases[] = {gather_case(), add_case()};
    if (skips())
        skip();
    for (size_t i = 0; i < N_OF(cases); i++) {
        const conform_verdict v = judge_once(&honest, &cases[i]);
        assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
        assert_int_equal(v.far, conform_far_due(&cases[i]));
        assert_int_not_equal(v.far, 0);
        assert_int_equal(v.far_left_out, 0);
    }
}

static int64_t endless(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)op, (void)axis, (void)args;
    return INT64_MAX;
}

static const ifn_backend_desc desc_uncut = {IFN_BACKEND_STAMP, .name = "uncut", .summary = "",
                                            .fill = fill_honest, .granule = endless};
static const conform_tested uncut = {"uncut", leaf_open, &desc_uncut};

/* INT64_MAX says that a call is never cut: there is no far part of it. */
TEST(a_call_that_is_never_cut_has_no_far_part)
{
    const conform_case c = add_case();
    if (skips())
        skip();
    const conform_verdict v = judge_once(&uncut, &c);
    assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    assert_int_equal(v.far, 0);
    assert_int_equal(v.far_left_out, conform_far_due(&c));
}

TEST(an_offset_that_wraps_is_found)
{
    const conform_case c = gather_case();
    if (skips())
        skip();
    const conform_verdict v = judge_once(&wraps[1], &c);
    assert_int_equal(v.check, CHECK_FAR);
    assert_that(strstr(v.detail, "table_rows of table past 2^32 bytes: out"), "%s", v.detail);
}

/* In `of_b` all rows are rows of b; in `of_both` rows of a come first. */
TEST(the_second_of_two_operands_is_far_too)
{
    const conform_case of_b = due((conform_case){
        .op = IFN_OP_CONCAT_DIM0, .dim = {0, 5, 16}, .tier = TIER_T1, .family = FAMILY_NORMAL});
    const conform_case of_both = due((conform_case){
        .op = IFN_OP_CONCAT_DIM0, .dim = {2, 5, 16}, .tier = TIER_T1, .family = FAMILY_NORMAL});
    if (skips())
        skip();
    const conform_verdict v = judge_once(&counts[0], &of_b);
    assert_int_equal(v.check, CHECK_FAR);
    assert_int_equal(judge_once(&counts[0], &of_both).outcome, OUTCOME_PASS);
}

TEST(a_write_elsewhere_is_found_though_all_is_in_its_place)
{
    const conform_case c = add_case();
    if (skips())
        skip();
    const conform_verdict v = judge_once(&twice[1], &c);
    assert_int_equal(v.check, CHECK_FAR);
    assert_that(strstr(v.detail, "was written, 2^34 bytes before its place"), "%s", v.detail);
}

/* A refused far call counts as not tried, so the certificate lacks its class. */
TEST(a_far_call_that_is_refused_was_not_tried)
{
    const conform_case c = add_case();
    const conform_verdict v = judge_once(&refuses[1], &c);
    assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    assert_int_equal(v.far & ((1U << FAR_ELEMENTS_31) | (1U << FAR_ELEMENTS_32)), 0);
}
