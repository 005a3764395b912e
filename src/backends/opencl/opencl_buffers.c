/* Buffers: OpenCL objects, named by addresses of a range that the host cannot access. */
#include "opencl.h"

cl_int ifn_opencl_buffer_at(const ifn_opencl *self, const void *address, cl_mem *memory,
                            size_t *offset)
{
    const ifn_address_piece *const p = ifn_address_range_find(&self->addresses, address, offset);
    if (!p)
        return CL_INVALID_MEM_OBJECT;
    *memory = p->object;
    return CL_SUCCESS;
}

static void *take(void *cookie, size_t bytes, size_t align)
{
    ifn_opencl *const self = cookie;
    if (align > IFN_ADDRESS_GAP)
        return NULL;
    pthread_mutex_lock(&self->lock);
    void *address = NULL;
    const cl_mem memory = ifn_opencl_memory_take(self, bytes, NULL, IFN_OPENCL_BUFFERS);
    if (memory) {
        address = ifn_address_range_take(&self->addresses, bytes, memory);
        if (!address)
            ifn_opencl_memory_give_back(self, memory, bytes);
    }
    pthread_mutex_unlock(&self->lock);
    return address;
}

static void give_back(void *cookie, void *p, size_t bytes)
{
    ifn_opencl *const self = cookie;
    if (!p)
        return;
    pthread_mutex_lock(&self->lock);
    const cl_mem memory = ifn_address_range_give_back(&self->addresses, p);
    if (memory)
        ifn_opencl_memory_give_back(self, memory, bytes);
    pthread_mutex_unlock(&self->lock);
}

/* Waits for all lanes first; when it returns, the copy is complete. */
static bool copy(ifn_opencl *self, void *to, const void *from, size_t bytes)
{
    cl_mem out, x;
    size_t out_offset, x_offset;
    if (ifn_opencl_check_process(self) != IFN_OK)
        return false;
    for (int32_t i = 0; i < self->n_lanes; i++)
        if (self->api.clFinish(self->lanes[i].queue) != CL_SUCCESS)
            return false;
    return ifn_opencl_buffer_at(self, to, &out, &out_offset) == CL_SUCCESS &&
           ifn_opencl_buffer_at(self, from, &x, &x_offset) == CL_SUCCESS &&
           self->api.clEnqueueCopyBuffer(self->lanes[0].queue, x, out, x_offset, out_offset, bytes,
                                         0, NULL, NULL) == CL_SUCCESS &&
           self->api.clFinish(self->lanes[0].queue) == CL_SUCCESS;
}

static void *resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    ifn_opencl *const self = cookie;
    void *const taken = take(cookie, bytes, align);
    if (!taken || !p)
        return taken;
    pthread_mutex_lock(&self->lock);
    const bool is_copied = copy(self, taken, p, old_bytes < bytes ? old_bytes : bytes);
    pthread_mutex_unlock(&self->lock);
    give_back(cookie, is_copied ? p : taken, old_bytes);
    return is_copied ? taken : NULL;
}

void ifn_opencl_buffers_init(ifn_opencl *self)
{
    self->buffers = (ifn_allocator){take, resize, give_back, self};
}
