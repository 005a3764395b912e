/*
 * One kernel, from its arguments to its place in a queue: begin, arguments in the order of the
 * kernel's, run. What goes wrong on the way is kept, and returned by run.
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
    cl_mem temporary; /* NULL: none; let go of by run */
    size_t temporary_bytes;
    ifn_status status;
} ifn_opencl_launch;

/* Takes the lock until run. `dtype` and `variant` as the kernel says; 0 where it says nothing. */
ifn_opencl_launch ifn_opencl_begin(ifn_opencl *self, const ifn_call *call, ifn_opencl_kernel kernel,
                                   ifn_dtype dtype, int variant);

void ifn_opencl_buffer(ifn_opencl_launch *l, const void *address); /* NULL: none */
void ifn_opencl_weight_or_handle(ifn_opencl_launch *l, const ifn_tensor *w, const void *packed);
/* A list of the host's, sent with the call; NULL: none. One of a call at most. */
void ifn_opencl_list(ifn_opencl_launch *l, const void *host, size_t bytes, const char *what);
void ifn_opencl_long(ifn_opencl_launch *l, int64_t value);
void ifn_opencl_int(ifn_opencl_launch *l, int32_t value);
void ifn_opencl_float(ifn_opencl_launch *l, float value);

/* So many items, or groups of IFN_OPENCL_GROUP items, along each dimension. 0: nothing runs. */
IFN_NODISCARD ifn_status ifn_opencl_run_items(ifn_opencl_launch *l, int64_t items);
IFN_NODISCARD ifn_status ifn_opencl_run_groups(ifn_opencl_launch *l, int64_t x, int64_t y,
                                               int64_t z);
IFN_NODISCARD ifn_status ifn_opencl_run(ifn_opencl_launch *l, const size_t groups[3],
                                        const size_t group[3]);

/* The queue of a lane, what was called before on others waited for. Under the lock. */
IFN_NODISCARD ifn_status ifn_opencl_queue_of(ifn_opencl *self, int32_t lane, cl_command_queue *out);

#endif
