/* reshape_data: the same elements under another shape */
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, c->dim[0], c->dim[1]);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[1], c->dim[0]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    for (int i = 0; i < l->n; i++)
        if (l->t[i].role != ROLE_OUT)
            conform_fill_raw(c, &l->t[i], data[i]);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.reshape_data =
        IFN_ARGS(reshape_data, .x = data[0], .out = data[1], .rows = c->dim[0], .cols = c->dim[1],
                 .out_rows = c->dim[1], .out_cols = c->dim[0]);
}

static int64_t work(const conform_case *c)
{
    return c->dim[0] * c->dim[1];
}

const conform_module conform_module_reshape_data = {
    .op = IFN_OP_RESHAPE_DATA,
    .dim_names = {"rows", "cols"},
    .aliases = {"out=x"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_reshape_data,
    .work = work,
};
