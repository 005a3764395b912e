/* Which illegal calls a backend must refuse by itself: sizes it must, pointers and overlaps not. */
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
    return IFN_OK; /* never looks */
}

static ifn_status careful_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return ifn_matmul(self->base, a);
}

LEAF(matmul, trusting)
LEAF(matmul, careful)

static conform_verdict judge_entry(const conform_tested *tested, uint32_t index)
{
    conform_pool pool;
    conform_judge judge;
    conform_verdict v;
    conform_slot slot;
    ifn_backend *backend;
    ifn_error err = {0};
    const conform_case c = conform_refuse_case(refusing_spec(), index);
    conform_pool_init(&pool);
    assert_ok(tested->open(tested, &backend, &err), err);
    assert_ok(conform_slot_build(&slot, &pool, &c, refusing_spec(), NULL, &err), err);
    conform_judge_open(&judge, backend, NULL);
    conform_judge_case(&judge, &slot, &v);
    conform_judge_close(&judge);
    ifn_backend_close(backend);
    conform_pool_fini(&pool);
    return v;
}

TEST(sizes_are_the_backends_to_refuse)
{
    assert_int_equal(judge_entry(&careful[0], 1).outcome, OUTCOME_PASS);
    assert_int_equal(judge_entry(&trusting[0], 1).fault, FAULT_STATUS);
}

TEST(pointers_overlaps_and_parts_are_the_callers)
{
    for (uint32_t i = 2; i <= 4; i++) {
        const conform_verdict v = judge_entry(&trusting[0], i);
        assert_that(v.outcome == OUTCOME_PASS && v.calls == 0, "%u: %s", (unsigned)i, v.detail);
    }
}

/* An entry that is legal after all is the spec's mistake, which the shared checker finds. */
TEST(an_entry_that_is_legal_is_found)
{
    assert_int_equal(judge_entry(&careful[0], 5).fault, FAULT_STATUS);
}
