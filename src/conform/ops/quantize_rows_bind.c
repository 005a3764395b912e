/* quantize_rows: f32 rows to a storage dtype */
#include "elementwise.h"
#include "gen_ties.h"
#include "regular.h"

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    (void)l;
    if (c->family == FAMILY_TIES)
        conform_fill_ties(c, "x", c->out_dtype, data[0], rows * cols);
    else
        conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], rows, cols, cols);
}

const conform_module conform_module_quantize_rows = {
    .op = IFN_OP_QUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .block_dim = "cols",
    .layout = conform_regular_layout,
    .fill = fill,
    .bind = conform_regular_bind,
    .truth = conform_truth_quantize_rows,
    .work = conform_matrix_work,
};
