/* copy_in and copy_out, the two ways between host and device memory, and waiting for calls. */
#include "opencl_launch.h"

#include <string.h>

/* Waits until the lane's queue is empty: then its outbox is, too. */
static cl_int finish(ifn_opencl *self, int32_t lane)
{
    self->lanes[lane].outbox_used = 0;
    return self->api.clFinish(self->lanes[lane].queue);
}

/* Sends small data through the outbox, without waiting. */
static cl_int send(ifn_opencl *self, const ifn_copy_in_args *a, cl_command_queue queue, cl_mem to,
                   size_t offset)
{
    ifn_opencl_lane *const lane = &self->lanes[a->call.lane];
    if (a->bytes > sizeof lane->outbox)
        return self->api.clEnqueueWriteBuffer(queue, to, CL_TRUE, offset, a->bytes, a->host, 0,
                                              NULL, NULL);
    if (a->bytes > sizeof lane->outbox - lane->outbox_used) {
        const cl_int code = finish(self, a->call.lane);
        if (code != CL_SUCCESS)
            return code;
    }
    unsigned char *const at = lane->outbox + lane->outbox_used;
    memcpy(at, a->host, a->bytes);
    lane->outbox_used += a->bytes;
    return self->api.clEnqueueWriteBuffer(queue, to, CL_FALSE, offset, a->bytes, at, 0, NULL, NULL);
}

static ifn_status copy_in(ifn_opencl *self, const ifn_copy_in_args *a)
{
    cl_command_queue queue;
    cl_mem memory;
    size_t offset;
    IFN_TRY(
        ifn_opencl_status(self, ifn_opencl_buffer_at(self, a->out, &memory, &offset), "copy_in"));
    IFN_TRY(ifn_opencl_queue_of(self, a->call.lane, &queue));
    return ifn_opencl_status(self, send(self, a, queue, memory, offset), "copy_in");
}

ifn_status ifn_opencl_copy_in(ifn_opencl *self, const ifn_copy_in_args *a)
{
    if (a->bytes == 0)
        return IFN_OK;
    pthread_mutex_lock(&self->lock);
    const ifn_status status = copy_in(self, a);
    pthread_mutex_unlock(&self->lock);
    return status;
}

static ifn_status copy_out(ifn_opencl *self, const ifn_copy_out_args *a)
{
    cl_command_queue queue;
    cl_mem memory;
    size_t offset;
    IFN_TRY(
        ifn_opencl_status(self, ifn_opencl_buffer_at(self, a->x, &memory, &offset), "copy_out"));
    IFN_TRY(ifn_opencl_queue_of(self, a->call.lane, &queue));
    IFN_TRY(ifn_opencl_status(self,
                              self->api.clEnqueueReadBuffer(queue, memory, CL_TRUE, offset,
                                                            a->bytes, a->host, 0, NULL, NULL),
                              "copy_out"));
    return ifn_opencl_status(self, finish(self, a->call.lane), "copy_out");
}

ifn_status ifn_opencl_copy_out(ifn_opencl *self, const ifn_copy_out_args *a)
{
    if (a->bytes == 0)
        return IFN_OK;
    pthread_mutex_lock(&self->lock);
    const ifn_status status = copy_out(self, a);
    pthread_mutex_unlock(&self->lock);
    return status;
}

ifn_status ifn_opencl_synchronize(ifn_backend *backend, int32_t lane)
{
    ifn_opencl *const self = ifn_opencl_of(backend);
    pthread_mutex_lock(&self->lock);
    ifn_status status = ifn_opencl_check_process(self);
    for (int32_t i = 0; i < self->n_lanes && status == IFN_OK; i++)
        if (lane == i || lane == IFN_ALL_LANES)
            status = ifn_opencl_status(self, finish(self, i), "synchronize");
    pthread_mutex_unlock(&self->lock);
    return status;
}

static ifn_status flush(ifn_opencl *self, int32_t lane)
{
    IFN_TRY(ifn_opencl_check_process(self));
    return ifn_opencl_status(self, self->api.clFlush(self->lanes[lane].queue), "end");
}

/* Does nothing but check the lane: calls go into its queue as they are made. */
ifn_status ifn_opencl_begin_pass(ifn_backend *backend, int32_t lane)
{
    return lane >= 0 && lane < ifn_opencl_of(backend)->n_lanes ? IFN_OK : IFN_ERR_ARGUMENT;
}

/* Drivers collect calls until the host waits. As the pass is complete, a flush lets the device begin now, while
 * the host prepares to read. */
ifn_status ifn_opencl_end_pass(ifn_backend *backend, int32_t lane)
{
    ifn_opencl *const self = ifn_opencl_of(backend);
    IFN_TRY(ifn_opencl_begin_pass(backend, lane));
    pthread_mutex_lock(&self->lock);
    const ifn_status status = flush(self, lane);
    pthread_mutex_unlock(&self->lock);
    return status;
}
