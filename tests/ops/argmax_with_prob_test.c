#include <math.h>

#include "op_case.h"

TEST(the_first_maximum_wins_and_nan_never)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_ARGMAX_WITH_PROB, seed);
        const int64_t n = 1 + op_size(&c, 100);
        const op_floats_kind kind = seed % 2 ? OP_SPECIAL : OP_LATTICE; /* ties */
        const float *x = op_floats(&c, n, kind);
        int32_t *index = op_output(&c, sizeof *index);
        float *value = op_output(&c, sizeof *value);
        c.args.argmax_with_prob =
            IFN_ARGS(argmax_with_prob, .index = index, .value = value, .x = x, .n = n);
        op_shape(&c, "n %d", (int)n);
        while (op_next(&c)) {
            assert_in_range(*index, 0, n - 1);
            op_expect_bits(&c, "value", *index, value, &x[*index]);
            for (int64_t i = 0; i < n; i++) {
                const int loses = isnan(x[i]) || x[i] < *value || (x[i] == *value && i >= *index);
                if (!isnan(x[i]) || !isnan(*value))
                    assert_that(loses, "seed %d: %d wins over %d", (int)seed, *index, (int)i);
            }
        }
    }
}

TEST(special_values)
{
    static const struct {
        float x[3], value;
        int32_t index;
    } known[] = {
        {{1, 3, 2}, 3, 1},
        {{-0.0f, 0, -1}, -0.0f, 0},
        {{NAN, -INFINITY, -5}, -5, 2},
        {{NAN, -INFINITY, NAN}, -INFINITY, 1},
        {{2, INFINITY, INFINITY}, INFINITY, 1},
        {{NAN, NAN, NAN}, NAN, 0},
    };
    for (size_t i = 0; i < N_OF(known); i++) {
        op_case c;
        op_begin(&c, IFN_OP_ARGMAX_WITH_PROB, i);
        const float *x = op_input(&c, known[i].x, sizeof known[i].x);
        int32_t *index = op_output(&c, sizeof *index);
        float *value = op_output(&c, sizeof *value);
        c.args.argmax_with_prob =
            IFN_ARGS(argmax_with_prob, .index = index, .value = value, .x = x, .n = 3);
        while (op_next(&c)) {
            assert_int_equal(*index, known[i].index);
            op_expect_float(&c, "value", 0, *value, known[i].value);
        }
    }
}

TEST(an_empty_row_or_one_too_long_for_the_index_is_refused)
{
    const ifn_argmax_with_prob_args wrong[] = {
        IFN_ARGS(argmax_with_prob, .n = 0),
        IFN_ARGS(argmax_with_prob, .n = -1),
        IFN_ARGS(argmax_with_prob, .n = (int64_t)INT32_MAX + 1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_ARGMAX_WITH_PROB, i);
        c.args.argmax_with_prob = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
