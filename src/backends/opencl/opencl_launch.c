#include "opencl_launch.h"

/* Compiles a kernel when it is first needed: kernels that no pass calls cost nothing. */
static ifn_status find_kernel(ifn_opencl *self, ifn_opencl_kernel which, ifn_dtype dtype,
                              int variant, cl_kernel *out)
{
    ifn_opencl_program *const p = &self->programs.items[which][dtype][variant];
    if (!p->kernel) {
        const ifn_status status = ifn_opencl_program_build(
            &self->api, self->context, self->device.id, ifn_opencl_sources[which].name,
            ifn_opencl_sources[which].text, dtype, variant, p, &self->reason);
        self->has_reason |= status != IFN_OK;
        IFN_TRY(status);
    }
    *out = p->kernel;
    return IFN_OK;
}

static void keep(ifn_opencl_launch *l, cl_int code)
{
    if (l->status == IFN_OK)
        l->status = ifn_opencl_status(l->self, code, l->name);
}

static void set(ifn_opencl_launch *l, size_t bytes, const void *value)
{
    if (l->status == IFN_OK)
        keep(l, l->self->api.clSetKernelArg(l->kernel, l->n_args++, bytes, value));
}

ifn_opencl_launch ifn_opencl_begin(ifn_opencl *self, const ifn_call *call, ifn_opencl_kernel kernel,
                                   ifn_dtype dtype, int variant)
{
    ifn_opencl_launch l = {
        .self = self, .name = ifn_opencl_sources[kernel].name, .lane = call->lane};
    pthread_mutex_lock(&self->lock);
    l.status = ifn_opencl_check_process(self);
    if (l.status == IFN_OK)
        l.status = find_kernel(self, kernel, dtype, variant, &l.kernel);
    return l;
}

static void set_memory(ifn_opencl_launch *l, cl_mem memory, size_t offset)
{
    const cl_ulong at = offset;
    set(l, sizeof memory, memory ? &memory : NULL);
    set(l, sizeof at, &at);
}

void ifn_opencl_buffer(ifn_opencl_launch *l, const void *address)
{
    cl_mem memory = NULL;
    size_t offset = 0;
    if (address)
        keep(l, ifn_opencl_buffer_at(l->self, address, &memory, &offset));
    set_memory(l, memory, offset);
}

void ifn_opencl_list(ifn_opencl_launch *l, const void *host, size_t bytes, const char *what)
{
    cl_mem memory = NULL;
    if (host && bytes && l->status == IFN_OK) {
        memory = ifn_opencl_memory_take(l->self, bytes, host, what);
        l->status = memory ? IFN_OK : IFN_ERR_NOMEM;
        l->temporary = memory;
        l->temporary_bytes = bytes;
    }
    set_memory(l, memory, 0);
}

/* Sends a weight that was not prepared with the call. */
void ifn_opencl_weight_or_handle(ifn_opencl_launch *l, const ifn_tensor *w, const void *packed)
{
    if (packed)
        ifn_opencl_buffer(l, packed);
    else
        ifn_opencl_list(l, w->data, ifn_matrix_bytes(w), w->name);
}

void ifn_opencl_long(ifn_opencl_launch *l, int64_t value)
{
    const cl_long v = value;
    set(l, sizeof v, &v);
}

void ifn_opencl_int(ifn_opencl_launch *l, int32_t value)
{
    const cl_int v = value;
    set(l, sizeof v, &v);
}

void ifn_opencl_float(ifn_opencl_launch *l, float value)
{
    set(l, sizeof value, &value);
}

/* Makes the device wait, not the host. */
static cl_int wait_for_lane(ifn_opencl *self, int32_t before, int32_t lane)
{
    cl_event done;
    cl_int code = self->api.clEnqueueMarkerWithWaitList(self->lanes[before].queue, 0, NULL, &done);
    if (code != CL_SUCCESS)
        return code;
    code = self->api.clFlush(self->lanes[before].queue);
    if (code == CL_SUCCESS)
        code = self->api.clEnqueueBarrierWithWaitList(self->lanes[lane].queue, 1, &done, NULL);
    (void)self->api.clReleaseEvent(done);
    return code;
}

ifn_status ifn_opencl_queue_of(ifn_opencl *self, int32_t lane, cl_command_queue *out)
{
    if (lane < 0 || lane >= self->n_lanes)
        return IFN_ERR_ARGUMENT;
    IFN_TRY(ifn_opencl_check_process(self));
    if (self->last_lane >= 0 && self->last_lane != lane)
        IFN_TRY(ifn_opencl_status(self, wait_for_lane(self, self->last_lane, lane), "lanes"));
    self->last_lane = lane;
    *out = self->lanes[lane].queue;
    return IFN_OK;
}

static void enqueue(ifn_opencl_launch *l, const size_t groups[3], const size_t group[3])
{
    const size_t items[3] = {groups[0] * group[0], groups[1] * group[1], groups[2] * group[2]};
    cl_command_queue queue;
    if (l->status != IFN_OK || items[0] * items[1] * items[2] == 0)
        return;
    l->status = ifn_opencl_queue_of(l->self, l->lane, &queue);
    if (l->status == IFN_OK)
        keep(l, l->self->api.clEnqueueNDRangeKernel(queue, l->kernel, 3, NULL, items, group, 0,
                                                    NULL, NULL));
}

ifn_status ifn_opencl_run(ifn_opencl_launch *l, const size_t groups[3], const size_t group[3])
{
    enqueue(l, groups, group);
    if (l->temporary)
        ifn_opencl_memory_give_back(l->self, l->temporary, l->temporary_bytes);
    pthread_mutex_unlock(&l->self->lock);
    return l->status;
}

ifn_status ifn_opencl_run_groups(ifn_opencl_launch *l, int64_t x, int64_t y, int64_t z)
{
    const size_t group[3] = {IFN_OPENCL_GROUP, 1, 1};
    return ifn_opencl_run(l, (const size_t[3]){(size_t)x, (size_t)y, (size_t)z}, group);
}

ifn_status ifn_opencl_run_items(ifn_opencl_launch *l, int64_t items)
{
    return ifn_opencl_run_groups(l, (items + IFN_OPENCL_GROUP - 1) / IFN_OPENCL_GROUP, 1, 1);
}
