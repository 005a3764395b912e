/* Which illegal calls a backend must refuse by itself: wrong sizes yes, null pointers and overlaps no. */
#include "golden.h"
#include "leaves.h"

static spec_values values[] = {
    {.name = "m", .kind = SPEC_NUMBERS, .n = 1, .values = {-1}},
    {.name = "a", .kind = SPEC_NULL},
    {.name = "out", .kind = SPEC_NAMED, .text = "a"},
    {.name = "part", .kind = SPEC_NUMBERS, .n = 2, .values = {0, 7}},
    {.name = "m", .kind = SPEC_NUMBERS, .n = 1, .values = {3}},
};

static const spec_op *refusing_spec(void)
{
    static spec_op spec;
    spec = *matmul_spec();
    spec.n_refuse = (int)N_OF(values);
    for (int i = 0; i < spec.n_refuse; i++)
        spec.refuse[i] = (spec_entry){.status = IFN_ERR_SHAPE, .n_values = 1, .values = &values[i]};
    spec.legal[0] = spec.legal[1] = spec.legal[2] = 3;
    return &spec;
}

static ifn_status trusting_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    (void)a;
    return IFN_OK; /* checks nothing */
}

static ifn_status careful_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return ifn_matmul(self->base, a);
}

/* Checks the first four ids only; takes 0 for a later one that is out of range. */
static ifn_status hasty_gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    int32_t ids[64];
    ifn_gather_rows_args known = *a;
    for (int64_t i = 0; i < a->n; i++)
        ids[i] = i > 3 && (a->ids[i] < 0 || a->ids[i] >= a->table->shape[0]) ? 0 : a->ids[i];
    known.ids = ids;
    return ifn_gather_rows(self->base, &known);
}

/* Refuses an id that is out of range only after it has written the rows before it. */
static ifn_status late_gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    ifn_gather_rows_args one = *a;
    const int64_t end = a->part_end ? a->part_end : a->n;
    for (int64_t i = a->part_begin; i < end; i++) {
        one.part_begin = i;
        one.part_end = i + 1;
        IFN_TRY(ifn_gather_rows(self->base, &one));
    }
    return IFN_OK;
}

static ifn_status looking_gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    return ifn_gather_rows(self->base, a);
}

/* Returns IFN_ERR_UNSUPPORTED without a check: it declares that it lacks F32, and every call here is of F32. */
static ifn_status lacking_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    (void)a;
    return IFN_ERR_UNSUPPORTED;
}

static int has_no_f32(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    (void)out_dtype;
    return op == IFN_OP_MATMUL && dtype == IFN_DTYPE_F32;
}

static const ifn_manifest lacks = {.manifest_bytes = sizeof lacks, .unsupported = has_no_f32};
static const ifn_manifest lacks_nothing = {.manifest_bytes = sizeof lacks_nothing};
LEAF_WITH(matmul, lacking, lacks, lacks_nothing)

LEAF(gather_rows, hasty)
LEAF(gather_rows, late)
LEAF(gather_rows, looking)
LEAF(matmul, trusting)
LEAF(matmul, careful)

static conform_verdict judge_entry(const conform_tested *tested, uint32_t index)
{
    const conform_case c = conform_refuse_case(refusing_spec(), index);
    return judge_once_by(refusing_spec(), tested, &c);
}

TEST(sizes_are_the_backends_to_refuse)
{
    assert_int_equal(judge_entry(&careful[0], 1).outcome, OUTCOME_PASS);
    assert_int_equal(judge_entry(&trusting[0], 1).check, CHECK_STATUS);
}

TEST(a_call_that_it_does_not_have_is_refused_by_either_status)
{
    assert_int_equal(judge_entry(&lacking[0], 1).outcome, OUTCOME_PASS);
    assert_int_equal(judge_entry(&lacking[1], 1).check, CHECK_STATUS);
}

TEST(pointers_overlaps_and_parts_are_the_callers)
{
    for (uint32_t i = 2; i <= 4; i++) {
        const conform_verdict v = judge_entry(&trusting[0], i);
        assert_that(v.outcome == OUTCOME_PASS && v.calls == 0, "%u: %s", (unsigned)i, v.detail);
    }
}

/* A refuse entry whose call is legal is a mistake of the spec; the shared checker finds it. */
TEST(an_entry_that_is_legal_is_found)
{
    assert_int_equal(judge_entry(&careful[0], 5).check, CHECK_STATUS);
}

static conform_case gathering(void)
{
    return (conform_case){
        .op = IFN_OP_GATHER_ROWS, .dim = {40, 9, 8}, .tier = TIER_T1, .family = FAMILY_NORMAL};
}

TEST(one_id_that_is_none_is_refused_wherever_it_stands)
{
    assert_true(leaf_judge(&hasty[1], gathering(), CHECK_STATUS).n_check > 0);
    assert_true(leaf_judge(&late[1], gathering(), CHECK_WROTE).n_check > 0);
    const leaf_statistics t = leaf_judge(&looking[1], gathering(), CHECK_STATUS);
    assert_int_equal(t.n_check + t.n_other, 0);
}
