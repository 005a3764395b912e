/* gather_rows: rows of a table by index, any dtype */
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t n = c->dim[0], table_rows = c->dim[1], cols = c->dim[2];
    if (cols % ifn_dtype_block_elements(c->dtype) != 0 || (n > 0 && table_rows == 0))
        return IFN_ERR_SHAPE;
    conform_add_blocks(out, "table", ROLE_IN, c->dtype, table_rows, cols);
    conform_add_i32(out, "ids", ROLE_IN, n);
    conform_add_f32(out, "out", ROLE_OUT, n, cols);
    return IFN_OK;
}

/* The first and the last row of the table are always among them; repetitions are likely. */
static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const conform_stream s = conform_stream_of(c->seed, "ids");
    const int64_t last = c->dim[1] - 1;
    int32_t *ids = data[1];
    (void)l;
    conform_fill_blocks(c, "table", OPERAND_PLAIN, c->dtype, 1, data[0], c->dim[1], c->dim[2]);
    for (int64_t i = 0; i < c->dim[0]; i++)
        ids[i] = (int32_t)(i == 0 ? last : i == 1 ? 0 : conform_integer(s, (uint64_t)i, 0, last));
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->weights[0] =
        (ifn_tensor){.name = "table",
                     .data = data[0],
                     .dtype = c->dtype,
                     .n_dims = 2,
                     .shape = {c->dim[1], c->dim[2], CONFORM_NO_SIZE, CONFORM_NO_SIZE}};
    call->args.gather_rows.table = &call->weights[0];
}

static int64_t work(const conform_case *c)
{
    return c->dim[0] * c->dim[2];
}

const conform_module conform_module_gather_rows = {
    .op = IFN_OP_GATHER_ROWS,
    .dim_names = {"n", "table_rows", "cols"},
    .block_dim = "cols",
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_gather_rows,
    .work = work,
};
