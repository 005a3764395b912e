#include "device.h"

#include "descriptor.h"
#include "op_table.h"
#include "staging.h"

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
