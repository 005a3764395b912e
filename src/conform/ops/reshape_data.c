/* reshape_data: the same elements under another shape */
#include "elementwise.h"
#include "movement.h"

/* The output has the bytes of x. */
void conform_truth_reshape_data(const conform_case *c, const conform_layout *l, void *const *data,
                                const conform_declared *declared, conform_pool *pool,
                                conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    (void)c;
    conform_truth_raw(&truth[o], &l->t[o], data[0], pool);
}

/* out has the rows and columns of x exchanged, with the elements in the same order. */
static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, c->dim[0], c->dim[1]);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[1], c->dim[0]);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    (void)data;
    call->args.reshape_data.out_rows = c->dim[1];
    call->args.reshape_data.out_cols = c->dim[0];
}

const conform_module conform_module_reshape_data = {
    .op = IFN_OP_RESHAPE_DATA,
    .dim_names = {"rows", "cols"},
    .aliases = {"out=x"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_reshape_data,
    .work = conform_matrix_work,
    .model_sizes = "rows=1,cols=1024;rows=64,cols=1024",
};
