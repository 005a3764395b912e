/* sum_squares_axis: sums of squares along one axis */
#include "arithmetic.h"
#include "bounds.h"
#include "elementwise.h"
#include "gen.h"

/* Squares are exact in f64. All terms have one sign, so the bound of T2 is sqrt(depth) times the sum itself (numerics
 * 4.2). Under declared arithmetic T1 applies: rounded factors move squares to one side, and sums in f16 lose small
 * terms. */
void conform_truth_sum_squares_axis(const conform_case *c, const conform_layout *l,
                                    void *const *data, const conform_declared *declared,
                                    conform_pool *pool, conform_truth *truth)
{
    const int64_t cols = c->dim[1], axis = c->dim[2];
    const int64_t n = c->dim[axis], n_out = c->dim[1 - axis];
    const float *x = data[0];
    const double h = (double)(declared->depth ? declared->depth : n);
    const conform_format *const f = conform_format_of(declared->arithmetic.inputs);
    const conform_summing how =
        conform_summing_of(c->tier == TIER_T0 ? TIER_T0 : TIER_T1, declared, h, (double)n, 0);
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, n_out, pool);
    for (int64_t i = 0; i < n_out; i++) {
        conform_sum s = {0};
        for (int64_t j = n; j-- > 0;) {
            const double v = (double)(axis ? x[i * cols + j] : x[j * cols + i]);
            const double e = declared->arithmetic.inputs ? conform_rounding_error(f, v) : 0;
            conform_sum_add(&s, v * v, v * v);
            if (how.a)
                conform_sum_move(&s, fabs(v), e, fabs(v), e);
        }
        if (how.a) {
            conform_judge_sum(out, i, &s, &how, (double)n * conform_summing_unit(declared));
            continue;
        }
        double drift = 0;
        for (int64_t j = 0; c->tier == TIER_T2 && j < n; j++) {
            const double v = (double)(axis ? x[i * cols + j] : x[j * cols + i]);
            drift += conform_drift(v * v, s.a);
        }
        conform_judge_positive_sum(out, i, &s, c->tier, h, drift,
                                   (double)n * conform_floor_unit(declared));
    }
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t axis = c->dim[2];
    if (c->family == FAMILY_ONE_HOT || c->family == FAMILY_ASYMMETRIC || axis < 0 || axis > 1)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[0], c->dim[1]);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[!axis]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const bool is_down = c->family == FAMILY_STAGNANT && c->dim[2] == 0;
    (void)l;
    conform_fill_f32(c, "x", is_down ? OPERAND_B_DOWN : OPERAND_A, c->dim[c->dim[2]], data[0],
                     c->dim[0], c->dim[1], c->dim[1]);
}

const conform_module conform_module_sum_squares_axis = {
    .op = IFN_OP_SUM_SQUARES_AXIS,
    .dim_names = {"rows", "cols", "axis"},
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .truth = conform_truth_sum_squares_axis,
    .work = conform_matrix_work,
    .model_sizes = "rows=1,cols=1024,axis=1;rows=64,cols=1024,axis=1",
};
