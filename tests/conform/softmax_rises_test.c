/* A softmax that sums while the maximum still rises is as accurate as one that finds the maximum first (numerics
 * 7.4). */
#include <math.h>

#include "leaves.h"

/* Has nearly the default error bound, always with the same sign. */
static float exponential(float x)
{
    return (float)(exp((double)x) * (1 + 0x1.fp-23));
}

/* Computes a row element by element, forwards or backwards. */
static void running_softmax(float *out, const float *x, int64_t n, int64_t first, int64_t step)
{
    float most = -INFINITY, sum = 0;
    for (int64_t k = 0, i = first; k < n; k++, i += step) {
        if (x[i] > most) {
            sum *= sum > 0 ? exponential(most - x[i]) : 0;
            most = x[i];
        }
        sum += x[i] < most ? exponential(x[i] - most) : 1;
    }
    for (int64_t i = 0; i < n; i++)
        out[i] = (x[i] < most ? exponential(x[i] - most) : 1) / sum;
}

static ifn_status run(ifn_backend *self, const ifn_softmax_rows_args *a, bool is_backwards)
{
    if (a->rows < 1 || a->cols < 1 || ifn_op_check(IFN_OP_SOFTMAX_ROWS, &a->call, NULL) != IFN_OK)
        return ifn_softmax_rows(self->base, a);
    const int64_t end = a->part_end ? a->part_end : a->rows;
    for (int64_t r = a->part_begin; r < end; r++)
        running_softmax(a->out + r * a->cols, a->x + r * a->cols, a->cols,
                        is_backwards ? a->cols - 1 : 0, is_backwards ? -1 : 1);
    return IFN_OK;
}

static ifn_status forward_softmax_rows(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    return run(self, a, false);
}

static ifn_status backward_softmax_rows(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    return run(self, a, true);
}

LEAF(softmax_rows, forward)
LEAF(softmax_rows, backward)

static void expect_right(const conform_tested *tested, conform_tier tier, conform_family family)
{
    const conform_case c = {
        .op = IFN_OP_SOFTMAX_ROWS, .dim = {16, 1037}, .tier = tier, .family = family};
    const leaf_statistics t = leaf_judge(tested, c, CHECK_VALUE);
    assert_that(t.n_check + t.n_other == 0, "%s: %s", tested->label, t.first);
}

TEST(a_running_maximum_is_right_whatever_rises)
{
    for (int i = 0; i < 2; i++) {
        const conform_tested *const tested = i ? &backward[0] : &forward[0];
        expect_right(tested, TIER_T1, FAMILY_RISING);
        expect_right(tested, TIER_T1, FAMILY_GRADED);
        expect_right(tested, TIER_T1, FAMILY_NORMAL);
        expect_right(tested, TIER_T2, FAMILY_NORMAL);
    }
}
