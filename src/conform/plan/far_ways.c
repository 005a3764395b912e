#include "far_ways.h"

#include <stdbool.h>

#include <inferno/signature.h>

/* The ways of ops in which something else moves than a size that is cut. The ways of other ops follow from the
 * signature. */
/* clang-format off */
static const struct {
    ifn_op op;
    far_way way;
} ways[] = {
    {IFN_OP_RESHAPE_DATA, {"rows", {{HOW_FLAT, "rows"}}}},
    {IFN_OP_GATHER_ROWS, {"n", {{HOW_SHIFT, "n"}}}},
    {IFN_OP_GATHER_ROWS, {"table_rows", {{HOW_GROW, "table"}, {HOW_PLACE, "ids"}}}},
    {IFN_OP_FILL_STRICT_UPPER_TRI, {"rows", {{HOW_SHIFT, "rows"}, {HOW_LESS, "offset"}}}},
    {IFN_OP_COPY_2D_FROM_COLS, {"rows", {{HOW_SHIFT, "rows"}}}},
    {IFN_OP_COPY_2D_FROM_COLS, {"x_cols", {{HOW_GROW, "x_cols"}, {HOW_PLACE, "col_begin"}}}},
    {IFN_OP_COPY_2D_INTO_COLS, {"rows", {{HOW_SHIFT, "rows"}}}},
    {IFN_OP_COPY_2D_INTO_COLS, {"out_cols", {{HOW_GROW, "out_cols"}, {HOW_PLACE, "col_begin"}}}},
    {IFN_OP_COPY_ROW_2D, {"out_rows", {{HOW_GROW, "out_rows"}, {HOW_PLACE, "out_row"}}}},
    {IFN_OP_COPY_ROW_2D, {"x_rows", {{HOW_GROW, "x_rows"}, {HOW_PLACE, "x_row"}}}},
    {IFN_OP_COPY_CONTIGUOUS_INTO, {"n", {{HOW_SHIFT, "n"}, {HOW_GROW, "out_n"}}}},
    {IFN_OP_COPY_CONTIGUOUS_INTO, {"out_n", {{HOW_GROW, "out_n"}, {HOW_PLACE, "out_offset"}}}},
    {IFN_OP_CONCAT_DIM0, {"a_rows", {{HOW_SHIFT, "a_rows"}}}},
    {IFN_OP_CONCAT_DIM0, {"b_rows", {{HOW_SHIFT, "b_rows"}}}},
    {IFN_OP_LINEAR, {"n", {{HOW_SHIFT, "w"}, {HOW_GROW, "out_stride"}}}},
    {IFN_OP_LINEAR, {"x_stride", {{HOW_GROW, "x_stride"}}}},
    {IFN_OP_LINEAR, {"out_stride", {{HOW_GROW, "out_stride"}}}},
    {IFN_OP_LINEAR_Q8, {"n", {{HOW_SHIFT, "w"}, {HOW_GROW, "out_stride"}}}},
    {IFN_OP_LINEAR_Q8, {"x_stride", {{HOW_GROW, "x_stride"}}}},
    {IFN_OP_LINEAR_Q8, {"out_stride", {{HOW_GROW, "out_stride"}}}},
    {IFN_OP_KV_STORE, {"n_kv_heads", {{HOW_SHIFT, "n_kv_heads"}}}},
    {IFN_OP_KV_STORE, {"max_pos", {{HOW_GROW, "max_pos"}}}},
    {IFN_OP_KV_STORE, {"first_pos", {{HOW_GROW, "max_pos"}, {HOW_PLACE, "first_pos"}}}},
    {IFN_OP_ATTENTION, {"n_heads", {{HOW_SHIFT, "n_heads"}, {HOW_GROW, "n_kv_heads"}}}},
    {IFN_OP_ATTENTION, {"max_pos", {{HOW_GROW, "max_pos"}}}},
};
/* clang-format on */

/* True if the cut of this dimension counts one plain size and nothing else. */
static bool is_plain_cut(const ifn_op_dim *d)
{
    return (d->cut == IFN_DIM_PART || d->cut == IFN_DIM_PART2) && d->extent && !d->plus &&
           !d->weight && !d->begin && !d->after;
}

/* The way of the i-th size that tensors of the op are cut along. */
static far_way derived(ifn_op op, int i)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    uint64_t seen = 0; /* a bit for each eight bytes of the arguments */
    for (size_t k = 0; k < s.n; k++)
        for (int d = 0; d < s.args[k].n_dims; d++) {
            const ifn_op_dim *const dim = &s.args[k].dims[d];
            const uint64_t bit = UINT64_C(1) << dim->extent / 8;
            if (!is_plain_cut(dim) || seen & bit)
                continue;
            seen |= bit;
            const char *const name = ifn_op_arg_name_at(op, dim->extent);
            if (i-- == 0)
                return (far_way){name, {{HOW_SHIFT, name}}};
        }
    return (far_way){.name = NULL};
}

far_way far_way_of(ifn_op op, int i)
{
    bool is_listed = false;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        if (ways[k].op != op)
            continue;
        is_listed = true;
        if (i-- == 0)
            return ways[k].way;
    }
    const far_way none = {.name = NULL};
    return is_listed ? none : derived(op, i);
}
