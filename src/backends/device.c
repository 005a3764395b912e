#include "device.h"

#include "descriptor.h"
#include "fallback.h"
#include "op_table.h"
#include "staging.h"

static ifn_status stage(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    return ifn_staging_run(node_of(self)->staging, self, self->base, op, args);
}

/* device_matmul, ... */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status device_##name(ifn_backend *self, const ifn_##name##_args *a)                 \
    {                                                                                              \
        if (!ifn_backend_implements(self, IFN_OP_##NAME))                                          \
            return stage(self, IFN_OP_##NAME, &a->call);                                           \
        const ifn_status status = ifn_backend_own_ops(self)->name(self, a);                        \
        if (status != IFN_ERR_UNSUPPORTED || node_of(self)->keeps_refusals)                        \
            return status;                                                                         \
        ifn_##name##_args raw = *a;                                                                \
        ifn_forget_handles(IFN_OP_##NAME, &raw);                                                   \
        return stage(self, IFN_OP_##NAME, &raw.call);                                              \
    }
IFN_OPS(X)
#undef X

/* A list of spans goes to an op of the device's own that takes it and refuses nothing; all others
 * get one at a time, which staging knows the rows of. */
static bool takes_spans(const ifn_backend *self, ifn_op op)
{
    const ifn_manifest m = ifn_manifest_of(self->desc);
    return ifn_backend_implements(self, op) && m.spans && !m.unsupported;
}

IFN_SPANS_SLOT(each_kv_store, kv_store, takes_spans(self, IFN_OP_KV_STORE), device_kv_store)
IFN_SPANS_SLOT(each_attention, attention, takes_spans(self, IFN_OP_ATTENTION), device_attention)

/* device_<op>, but of the two that take lists of spans what comes before it. */
#define device_kv_store  each_kv_store
#define device_attention each_attention
const ifn_op_table ifn_device_table = {
#define X(NAME, name, cut, cut2, doc) .name = device_##name,
    IFN_OPS(X)
#undef X
};

ifn_status ifn_device_check(const ifn_backend *self, ifn_error *err)
{
    static const ifn_op doors[] = {IFN_OP_COPY_IN, IFN_OP_COPY_OUT};
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++)
        if (!ifn_backend_implements(self, doors[i]))
            return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': a device without a %s of its own",
                            self->desc->name, ifn_op_name(doors[i]));
    return IFN_OK;
}

/* Blocks of keys are cut for a second call that puts them together: both must be one backend's. */
bool ifn_device_keeps_whole(const ifn_backend *self, ifn_op op, int axis)
{
    return !ifn_backend_implements(self, op) || (op == IFN_OP_ATTENTION && axis == 1);
}

const ifn_backend *ifn_device_of(const ifn_backend *self)
{
    while (self->inner)
        self = self->inner;
    return ifn_desc_is_device(self->desc) ? self : NULL;
}

int ifn_backend_is_device(const ifn_backend *self)
{
    return ifn_device_of(self) != NULL;
}

/* A lane of a chain is as many lanes of its leaf as calls are cut into. */
uint64_t ifn_backend_staged_bytes(const ifn_backend *self, int32_t lane)
{
    const ifn_backend *const device = ifn_device_of(self);
    if (!device || lane < 0 || lane >= ifn_backend_n_lanes(self))
        return 0;
    const ifn_staging *const s = node_of(device)->staging;
    const int32_t each = s->n_lanes / ifn_backend_n_lanes(self);
    uint64_t moved = 0;
    for (int32_t i = 0; i < each; i++)
        moved += s->lanes[lane * each + i].moved;
    return moved;
}
