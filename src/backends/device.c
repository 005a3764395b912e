#include "device.h"

#include <stdbool.h>

#include "descriptor.h"
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

/* Attention cut along its key blocks (axis 1) is never cut on a device: a second call merges the blocks, and both calls
 * must run on the same backend. */
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

/* The lanes of the leaf that one lane of the chain uses, [begin, end): one for each part that a call is cut into. */
typedef struct lanes {
    int32_t begin, end;
} lanes;

static lanes lanes_of(const ifn_backend *self, const ifn_backend *device, int32_t lane)
{
    const int32_t n = ifn_backend_n_lanes(self), all = ifn_backend_n_lanes(device);
    if (lane == IFN_ALL_LANES)
        return (lanes){0, all};
    if (lane < 0 || lane >= n)
        return (lanes){0, 0};
    return (lanes){lane * (all / n), (lane + 1) * (all / n)};
}

uint64_t ifn_backend_staged_bytes(const ifn_backend *self, int32_t lane)
{
    const ifn_backend *const device = ifn_device_of(self);
    uint64_t moved = 0;
    if (!device || lane < 0)
        return 0;
    const lanes its = lanes_of(self, device, lane);
    for (int32_t i = its.begin; i < its.end; i++)
        moved += node_of(device)->staging->lanes[i].moved;
    return moved;
}

int ifn_backend_defers(const ifn_backend *self)
{
    const ifn_backend *const device = ifn_device_of(self);
    return device && device->desc->synchronize;
}

ifn_status ifn_backend_synchronize(const ifn_backend *self, int32_t lane)
{
    const ifn_backend *const device = ifn_device_of(self);
    ifn_status status = IFN_OK;
    if (!device || !device->desc->synchronize)
        return IFN_OK;
    const lanes its = lanes_of(self, device, lane);
    for (int32_t i = its.end; i-- > its.begin;) { /* any order of lanes is right */
        const ifn_status its_status =
            device->desc->synchronize((ifn_backend *)(uintptr_t)device, i);
        status = status == IFN_OK ? its_status : status;
    }
    return status;
}

/* Calls `begin` or `end` of the device. Calls on a device that defers are never cut, so all are on the first lane. */
static ifn_status tell(const ifn_backend *self, int32_t lane, bool ends)
{
    const ifn_backend *const device = ifn_device_of(self);
    if (!device || !device->desc->begin)
        return IFN_OK;
    const lanes its = lanes_of(self, device, lane);
    if (lane == IFN_ALL_LANES || its.begin == its.end)
        return IFN_ERR_ARGUMENT;
    return (ends ? device->desc->end : device->desc->begin)((ifn_backend *)(uintptr_t)device,
                                                            its.begin);
}

ifn_status ifn_backend_begin(const ifn_backend *self, int32_t lane)
{
    return tell(self, lane, false);
}

ifn_status ifn_backend_end(const ifn_backend *self, int32_t lane)
{
    return tell(self, lane, true);
}
