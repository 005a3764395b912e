#include "failing_backend.h"

#include <stdio.h>

#include "test.h"

struct failing_backend failing;

/* One call fails, the others are passed on. */
static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    if (failing.n_calls++ != failing.fail_at)
        return ifn_op_run(self->inner, op, args);
    failing.op = ifn_op_name(op);
    return IFN_ERR_NUMERIC;
}

IFN_FILL_THROUGH

static int explain(ifn_backend *self, ifn_error *err)
{
    (void)self;
    if (failing.why)
        snprintf(err->text, sizeof err->text, "%s", failing.why);
    return failing.why != NULL;
}

static const ifn_allocator *its_buffers(const ifn_backend *self)
{
    return failing.buffers ? failing.buffers : self->inner->buffers;
}

static const ifn_backend_desc desc = {
    IFN_BACKEND_STAMP, .flags = IFN_BACKEND_WRAPPER, .name = "failing",  .summary = "fails once",
    .fill = fill,      .buffers = its_buffers,       .explain = explain,
};

ifn_backend *failing_open(ifn_backend *inner)
{
    ifn_backend *out;
    ifn_error err = {0};
    failing.fail_at = -1;
    assert_ok(ifn_backend_open_desc(&desc, inner, "", NULL, &out, &err), err);
    return out;
}
