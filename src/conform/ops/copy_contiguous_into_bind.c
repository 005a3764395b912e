/* copy_contiguous_into: a run of elements to an offset */
#include "elementwise.h"
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->dim[2] < 0 || c->dim[2] + c->dim[0] > c->dim[1])
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "out", ROLE_INOUT, 1, c->dim[1]);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.copy_contiguous_into =
        IFN_ARGS(copy_contiguous_into, .x = data[0], .out = data[1], .n = c->dim[0],
                 .out_n = c->dim[1], .out_offset = c->dim[2], .to_host = (int32_t)c->dim[3]);
}

const conform_module conform_module_copy_contiguous_into = {
    .op = IFN_OP_COPY_CONTIGUOUS_INTO,
    .dim_names = {"n", "out_n", "out_offset", "to_host"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_copy_contiguous_into,
    .work = conform_vector_work,
};
