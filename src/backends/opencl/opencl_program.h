/* Kernels, each compiled for one dtype and variant when it is first called. */
#ifndef IFN_OPENCL_PROGRAM_H
#define IFN_OPENCL_PROGRAM_H

#include <inferno/dtype.h>

#include "opencl_api.h"
#include "opencl_sources.h"

enum { IFN_OPENCL_VARIANTS = 2 };

typedef struct ifn_opencl_program {
    cl_program program;
    cl_kernel kernel; /* NULL: not yet compiled */
} ifn_opencl_program;

typedef struct ifn_opencl_programs {
    ifn_opencl_program items[IFN_OPENCL_KERNEL_COUNT][IFN_DTYPE_COUNT][IFN_OPENCL_VARIANTS];
} ifn_opencl_programs;

/**
 * Compiles `text` and finds the kernel `name` in it.
 *
 * Errors  IFN_ERR_IO: it does not compile; the message names the file with the log. Not
 *         IFN_ERR_UNSUPPORTED, for which the base would run the op without a message
 */
IFN_NODISCARD ifn_status ifn_opencl_program_build(const ifn_opencl_api *api, cl_context context,
                                                  cl_device_id device, const char *name,
                                                  const char *text, ifn_dtype dtype, int variant,
                                                  ifn_opencl_program *out, ifn_error *err);

void ifn_opencl_programs_close(ifn_opencl_programs *self, const ifn_opencl_api *api);

#endif
