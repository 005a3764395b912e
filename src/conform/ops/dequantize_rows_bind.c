/* dequantize_rows: rows of a storage dtype to f32 */
#include "elementwise.h"
#include "gen.h"

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    conform_fill_blocks(c, "x", OPERAND_PLAIN, c->dtype, 1, data[0], c->dim[0], c->dim[1]);
}

const conform_module conform_module_dequantize_rows = {
    .op = IFN_OP_DEQUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .block_dim = "cols",
    .fill = fill,
    .truth = conform_truth_dequantize_rows,
    .work = conform_matrix_work,
};
