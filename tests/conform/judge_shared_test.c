/* Inputs with the same contents are passed as one memory. */
#include "leaves.h"

static ifn_status honest_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    return ifn_hadamard(self->base, a);
}

/* Takes equal input pointers for a call in place that is already done. */
static ifn_status hasty_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    return a->x == a->y ? IFN_OK : ifn_hadamard(self->base, a);
}

static ifn_status unwilling_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    return a->x == a->y && a->n > 0 ? IFN_ERR_ARGUMENT : ifn_hadamard(self->base, a);
}

LEAF(hadamard, honest)
LEAF(hadamard, hasty)
LEAF(hadamard, unwilling)

static conform_case case_of(conform_family family)
{
    return (conform_case){.op = IFN_OP_HADAMARD, .dim = {40}, .tier = TIER_T1, .family = family};
}

TEST(equal_inputs_may_be_one_memory)
{
    const leaf_statistics same = leaf_judge(&honest[0], case_of(FAMILY_SAME), CHECK_SHARED);
    assert_int_equal(same.n_check + same.n_other, 0);
}

TEST(who_takes_equal_pointers_for_something_else_is_caught)
{
    const leaf_statistics hasty_same = leaf_judge(&hasty[1], case_of(FAMILY_SAME), CHECK_SHARED);
    const leaf_statistics refused = leaf_judge(&unwilling[1], case_of(FAMILY_SAME), CHECK_SHARED);
    assert_true(hasty_same.n_check > 0 && hasty_same.n_other == 0);
    assert_true(refused.n_check > 0 && refused.n_other == 0);
}

TEST(different_inputs_are_never_one_memory)
{
    const leaf_statistics other = leaf_judge(&hasty[1], case_of(FAMILY_NORMAL), CHECK_SHARED);
    assert_int_equal(other.n_check + other.n_other, 0);
}

/* --- weights --- */

static ifn_status hasty_weights_linear(ifn_backend *self, const ifn_linear_args *a)
{
    return a->n_w > 1 && a->w[0] == a->w[1] ? IFN_OK : ifn_linear(self->base, a);
}

LEAF(linear, hasty_weights)

TEST(equal_weights_may_be_one_tensor)
{
    const conform_case c = {
        .op = IFN_OP_LINEAR, .dim = {3, 5, 8, 2, 3, 1}, .tier = TIER_T1, .family = FAMILY_SAME};
    const leaf_statistics s = leaf_judge(&hasty_weights[1], c, CHECK_SHARED);
    assert_that(s.n_check > 0 && s.n_passed > 0 && s.n_other == 0, "%s", s.first);
}
