/* Calls that are illegal in two ways, or in one way with another legal value beside it: each must be refused. */
#include <string.h>

#include "golden.h"
#include "leaves.h"

static spec_values values[] = {
    {.name = "n", .kind = SPEC_NUMBERS, .n = 1, .values = {-1}},
    {.name = "p", .kind = SPEC_NUMBERS, .n = 1, .values = {-1}},
    {.name = "a", .kind = SPEC_NULL},
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

/* Returns IFN_OK for an empty result before it checks the rest. */
static ifn_status early_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->m == 0 || a->p == 0 ? IFN_OK : ifn_matmul(self->base, a);
}

/* Returns IFN_OK for one row without any check. */
static ifn_status hasty_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->m == 1 ? IFN_OK : ifn_matmul(self->base, a);
}

static ifn_status narrow_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n < 0 && (int32_t)a->n >= 0 ? IFN_OK : ifn_matmul(self->base, a);
}

/* Accepts a call with two negative sizes. */
static ifn_status lenient_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n == -1 && a->p == -1 ? IFN_OK : ifn_matmul(self->base, a);
}

/* Refuses the call, but writes to out before. */
static ifn_status writing_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    if (a->m == 1 && a->n < 0)
        a->out[0] = 1;
    return ifn_matmul(self->base, a);
}

static ifn_status careful_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return ifn_matmul(self->base, a);
}

LEAF(matmul, early)
LEAF(matmul, hasty)
LEAF(matmul, narrow)
LEAF(matmul, lenient)
LEAF(matmul, writing)
LEAF(matmul, careful)

static conform_verdict judge_entry(const conform_tested *tested, uint32_t index)
{
    const conform_case c = conform_refuse_case(refusing_spec(), index);
    return judge_once_by(refusing_spec(), tested, &c);
}

TEST(what_is_illegal_stays_so_where_there_is_one_row)
{
    const conform_verdict v = judge_entry(&hasty[0], 1);
    assert_int_equal(v.check, CHECK_STATUS);
    assert_true(strstr(v.detail, "m 1") != NULL);
    assert_int_equal(judge_entry(&writing[0], 1).check, CHECK_WROTE);
}

TEST(what_is_negative_is_so_in_all_its_bits)
{
    assert_int_equal(judge_entry(&narrow[0], 1).check, CHECK_STATUS);
}

TEST(what_is_illegal_twice_is_illegal)
{
    assert_int_equal(judge_entry(&lenient[0], 1).check, CHECK_STATUS);
    assert_int_equal(judge_entry(&lenient[0], 2).outcome, OUTCOME_PASS); /* each pair once */
}

TEST(who_looks_at_all_of_a_call_is_not_accused)
{
    for (uint32_t i = 1; i <= 2; i++) {
        const conform_verdict v = judge_entry(&careful[0], i);
        assert_that(v.outcome == OUTCOME_PASS && v.calls > 4, "%d calls: %s", (int)v.calls,
                    v.detail);
        assert_int_equal(judge_entry(&early[0], i).outcome, OUTCOME_PASS);
    }
}
