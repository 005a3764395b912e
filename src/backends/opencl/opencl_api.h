/*
 * The OpenCL functions in use, looked up in the loader when a backend is opened: a build needs only the
 * headers, and a program with this backend starts on machines without OpenCL.
 */
#ifndef IFN_OPENCL_API_H
#define IFN_OPENCL_API_H

#include <CL/cl.h>

#include <inferno/status.h>

/* clang-format off */
#define IFN_OPENCL_API(X)                                                                          \
    X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo)                  \
    X(clCreateContext) X(clReleaseContext)                                                         \
    X(clCreateCommandQueue) X(clReleaseCommandQueue)                                               \
    X(clCreateBuffer) X(clReleaseMemObject)                                                        \
    X(clCreateProgramWithSource) X(clBuildProgram) X(clGetProgramBuildInfo) X(clReleaseProgram)    \
    X(clCreateKernel) X(clReleaseKernel) X(clSetKernelArg)                                         \
    X(clEnqueueNDRangeKernel) X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) X(clEnqueueCopyBuffer) \
    X(clEnqueueMarkerWithWaitList) X(clEnqueueBarrierWithWaitList) X(clReleaseEvent)               \
    X(clFlush) X(clFinish)
/* clang-format on */

typedef struct ifn_opencl_api {
#define X(name) __typeof__(name) *name;
    IFN_OPENCL_API(X)
#undef X
} ifn_opencl_api;

/* The loader stays in the process. Errors  IFN_ERR_UNSUPPORTED: there is none, or it is too old, or
 * this process was forked from one that already uses it: a forked process lacks the drivers' threads */
IFN_NODISCARD ifn_status ifn_opencl_api_find(ifn_opencl_api *out, ifn_error *err);

#endif
