/* copy_in: bytes of host memory into a buffer of the backend */
#include "elementwise.h"
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_bytes(out, "host", ROLE_HOST, c->dim[0]);
    conform_add_bytes(out, "out", ROLE_OUT, c->dim[0]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    unsigned char *host = data[0];
    for (int64_t i = 0; i < l->t[0].cols; i++)
        host[i] = (unsigned char)conform_hash(c->seed, "host", (uint64_t)i);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.copy_in =
        IFN_ARGS(copy_in, .out = data[1], .host = data[0], .bytes = (size_t)c->dim[0]);
}

const conform_module conform_module_copy_in = {
    .op = IFN_OP_COPY_IN,
    .dim_names = {"bytes"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_copy_in,
    .work = conform_vector_work,
};
