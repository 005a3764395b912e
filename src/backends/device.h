/* Backends whose buffers are not memory of the host. */
#ifndef IFN_DEVICE_H
#define IFN_DEVICE_H

#include "node.h"

/* Its two doors must be its own. */
IFN_NODISCARD ifn_status ifn_device_check(const ifn_backend *self, ifn_error *err);

/* The device that a chain ends in; NULL: it ends in none. */
const ifn_backend *ifn_device_of(const ifn_backend *self);

/* 1 if calls of this op are not to be cut, as each part would be staged by itself. */
bool ifn_device_keeps_whole(const ifn_backend *self, ifn_op op, int axis);

#endif
