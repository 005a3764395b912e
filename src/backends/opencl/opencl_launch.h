/*
 * The launch of one kernel: begin, then the arguments in the kernel's order, then run, which puts it into a
 * queue. A failure before run is kept, and run returns it.
 */
#ifndef IFN_OPENCL_LAUNCH_H
#define IFN_OPENCL_LAUNCH_H

#include "opencl.h"

/* Work items of a group that share a row: GROUP_ITEMS of kernels/common.cl. */
enum { IFN_OPENCL_GROUP = 64 };

typedef struct ifn_opencl_launch {
    ifn_opencl *self;
    const char *name;
    int32_t lane;
    cl_kernel kernel;
    cl_uint n_args;
    cl_mem temporary; /* released by run; NULL: none */
    size_t temporary_bytes;
    ifn_status status;
} ifn_opencl_launch;

/* Takes the lock until run. `dtype` and `variant` as the kernel defines them; 0 if it does not. */
ifn_opencl_launch ifn_opencl_begin(ifn_opencl *self, const ifn_call *call, ifn_opencl_kernel kernel,
                                   ifn_dtype dtype, int variant);

void ifn_opencl_buffer(ifn_opencl_launch *l, const void *address); /* NULL: none */
void ifn_opencl_weight_or_handle(ifn_opencl_launch *l, const ifn_tensor *w, const void *packed);
/* A list in host memory, sent with the call; NULL: none. At most one per call. */
void ifn_opencl_list(ifn_opencl_launch *l, const void *host, size_t bytes, const char *what);
void ifn_opencl_long(ifn_opencl_launch *l, int64_t value);
void ifn_opencl_int(ifn_opencl_launch *l, int32_t value);
void ifn_opencl_float(ifn_opencl_launch *l, float value);

/* Runs so many items, or groups of IFN_OPENCL_GROUP items along each dimension. 0: nothing runs. */
IFN_NODISCARD ifn_status ifn_opencl_run_items(ifn_opencl_launch *l, int64_t items);
IFN_NODISCARD ifn_status ifn_opencl_run_groups(ifn_opencl_launch *l, int64_t x, int64_t y,
                                               int64_t z);
IFN_NODISCARD ifn_status ifn_opencl_run(ifn_opencl_launch *l, const size_t groups[3],
                                        const size_t group[3]);

/* The queue of a lane, after it was made to wait for earlier calls on other lanes. Under the lock. */
IFN_NODISCARD ifn_status ifn_opencl_queue_of(ifn_opencl *self, int32_t lane, cl_command_queue *out);

#endif
