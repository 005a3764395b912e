/* Devices: backends whose buffers are not host memory. */
#ifndef IFN_DEVICE_H
#define IFN_DEVICE_H

#include "node.h"

/* Refuses a device that does not implement copy_in and copy_out itself. */
IFN_NODISCARD ifn_status ifn_device_check(const ifn_backend *self, ifn_error *err);

/* The device at the end of a chain; NULL: none. */
const ifn_backend *ifn_device_of(const ifn_backend *self);

/* True if calls of this op must not be cut along this axis: each part would be staged by itself. */
bool ifn_device_keeps_whole(const ifn_backend *self, ifn_op op, int axis);

#endif
