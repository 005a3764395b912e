#include "op_case.h"

TEST(one_row_has_the_bits_that_apply_rope_gives_it_among_others)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c, rows;
        op_begin(&c, IFN_OP_APPLY_ROPE_SINGLE_ROW, seed);
        const int64_t n_heads = op_size(&c, 9), head_dim = 2 * op_size(&c, 40);
        const int64_t n = n_heads * head_dim, in_place = op_below(&c, 2);
        const int32_t pairing = (int32_t)op_below(&c, 2);
        const float *x = op_floats(&c, 2 * n, op_kind(&c));
        const float *table = op_floats(&c, 2 * head_dim, OP_PLAIN);
        float *out = in_place ? op_in_place(&c, op_at(x, n), n * 4) : op_output(&c, n * 4);
        c.args.apply_rope_single_row =
            IFN_ARGS(apply_rope_single_row, .out = out, .x = in_place ? out : op_at(x, n),
                     .table = op_at(table, head_dim), .n_heads = n_heads, .head_dim = head_dim,
                     .pairing = pairing);
        op_begin(&rows, IFN_OP_APPLY_ROPE, seed);
        float *both = op_output(&rows, 2 * n * 4);
        rows.args.apply_rope =
            IFN_ARGS(apply_rope, .out = both, .x = x, .table = table, .rows = 2, .n_heads = n_heads,
                     .head_dim = head_dim, .pairing = pairing);
        op_shape(&c, "heads %d, head_dim %d", (int)n_heads, (int)head_dim);
        while (op_next(&rows) & op_next(&c))
            op_expect_bytes(&c, "out", out, op_at(both, n), n * 4);
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_APPLY_ROPE_SINGLE_ROW, 0);
    const float *x = OP_IN(&c, 1, 2, 3, 4);
    const float *table = OP_IN(&c, 0, 1); /* a quarter turn */
    float *out = op_output(&c, 4 * sizeof *out);
    c.args.apply_rope_single_row = IFN_ARGS(apply_rope_single_row, .out = out, .x = x,
                                            .table = table, .n_heads = 2, .head_dim = 2);
    while (op_next(&c))
        OP_EXPECT(&c, out, -2, 1, -4, 3);
}

TEST(an_odd_head_or_an_unknown_pairing_is_refused)
{
    const ifn_apply_rope_single_row_args wrong[] = {
        IFN_ARGS(apply_rope_single_row, .head_dim = 3),
        IFN_ARGS(apply_rope_single_row, .head_dim = 4, .pairing = 2),
        IFN_ARGS(apply_rope_single_row, .head_dim = -2),
        IFN_ARGS(apply_rope_single_row, .n_heads = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_APPLY_ROPE_SINGLE_ROW, i);
        c.args.apply_rope_single_row = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
