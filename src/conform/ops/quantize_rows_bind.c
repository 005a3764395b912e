/* quantize_rows: f32 rows to a storage dtype */
#include <stdbool.h>

#include "elementwise.h"
#include "encode.h"
#include "gen_ties.h"

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    (void)l;
    if (c->family == FAMILY_TIES)
        conform_fill_ties(c, "x", c->out_dtype, data[0], rows * cols);
    else
        conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], rows, cols, cols);
}

/* An encoder that searches, as many multiply-adds for a weight: 100 ns on scalar. */
enum { SEARCH_WORK = 64 };

static int64_t work(const conform_case *c)
{
    const bool searches = ifn_dtype_is_quantized(c->out_dtype) && !conform_is_pinned(c->out_dtype);
    return conform_matrix_work(c) * (searches ? SEARCH_WORK : 1);
}

const conform_module conform_module_quantize_rows = {
    .op = IFN_OP_QUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .block_dim = "cols",
    .fill = fill,
    .truth = conform_truth_quantize_rows,
    .work = work,
};
