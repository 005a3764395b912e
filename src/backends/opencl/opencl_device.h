/* Lists platforms and devices, and finds the one that "opencl=PLATFORM.DEVICE+MEMORY" names. */
#ifndef IFN_OPENCL_DEVICE_H
#define IFN_OPENCL_DEVICE_H

#include <stdint.h>

#include "opencl_api.h"

enum { IFN_OPENCL_PLATFORMS = 16, IFN_OPENCL_DEVICES = 64, IFN_OPENCL_NAME = 96 };

typedef struct ifn_opencl_device {
    cl_platform_id platform;
    cl_device_id id;
    char name[IFN_OPENCL_NAME];
    uint64_t bytes, largest_buffer; /* its memory, limited by the options; and the largest buffer */
} ifn_opencl_device;

/**
 * Finds the device that the options of the backend name: "", "1" or "1.2"; "+256M" or "+2G" after it limits
 * the memory that is used. M and G are powers of ten.
 *
 * Errors  IFN_ERR_ARGUMENT: no such platform or device, with a list of those that are there
 *         IFN_ERR_UNSUPPORTED: none at all, or its arithmetic is not that of IEEE 754
 */
IFN_NODISCARD ifn_status ifn_opencl_device_find(const ifn_opencl_api *api, const char *options,
                                                ifn_opencl_device *out, ifn_error *err);

/* The i-th of all devices, with its platform and number in the form of options. 0: there are not so many. */
int ifn_opencl_device_at(const ifn_opencl_api *api, int i, char options[24],
                         ifn_opencl_device *out);

#endif
