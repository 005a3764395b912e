/* concat_dim0: one matrix under the other */
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "a", ROLE_IN, c->dim[0], c->dim[2]);
    conform_add_f32(out, "b", ROLE_IN, c->dim[1], c->dim[2]);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[0] + c->dim[1], c->dim[2]);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.concat_dim0 = IFN_ARGS(concat_dim0, .a = data[0], .b = data[1], .out = data[2],
                                      .a_rows = c->dim[0], .b_rows = c->dim[1], .cols = c->dim[2]);
}

static int64_t work(const conform_case *c)
{
    return (c->dim[0] + c->dim[1]) * c->dim[2];
}

const conform_module conform_module_concat_dim0 = {
    .op = IFN_OP_CONCAT_DIM0,
    .dim_names = {"a_rows", "b_rows", "cols"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_concat_dim0,
    .work = work,
};
