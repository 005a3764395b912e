#include "failing_backend.h"

#include <stdio.h>

#include "test.h"

struct failing_backend failing;

static ifn_status fails(const char *op)
{
    if (failing.n_calls++ != failing.fail_at)
        return IFN_OK;
    failing.op = op;
    return IFN_ERR_NUMERIC;
}

/* failing_matmul, ...: one call fails, the others are passed on. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status failing_##name(ifn_backend *self, const ifn_##name##_args *a)                \
    {                                                                                              \
        IFN_TRY(fails(#name));                                                                     \
        return ifn_##name(self->inner, a);                                                         \
    }
IFN_OPS(X)
#undef X

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
#define X(NAME, name, cut, cut2, doc) t->name = failing_##name;
    IFN_OPS(X)
#undef X
}

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
