#include "opencl.h"

static void say_what_is_left(ifn_opencl *self, size_t bytes, const char *what)
{
    const double left = (double)(self->device.bytes - self->taken);
    self->has_reason = true;
    (void)ifn_fail(
        &self->reason, IFN_ERR_NOMEM,
        "backend 'opencl': %s: found %.1f MB free of the %.1f MB of '%s', expected %.1f MB", what,
        left / 1e6, (double)self->device.bytes / 1e6, self->device.name, (double)bytes / 1e6);
}

static void say_refused(ifn_opencl *self, size_t bytes, const char *what, cl_int code)
{
    self->has_reason = true;
    (void)ifn_fail(&self->reason, IFN_ERR_NOMEM,
                   "backend 'opencl': %s: %.1f MB do not fit on '%s' (%d), whose buffers hold "
                   "%.1f MB and whose memory %.1f MB",
                   what, (double)bytes / 1e6, self->device.name, (int)code,
                   (double)self->device.largest_buffer / 1e6, (double)self->device.bytes / 1e6);
}

cl_mem ifn_opencl_memory_take(ifn_opencl *self, size_t bytes, const void *host, const char *what)
{
    const cl_mem_flags flags = host ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE;
    cl_int code;
    if (bytes > self->device.bytes - self->taken) {
        say_what_is_left(self, bytes, what);
        return NULL;
    }
    const cl_mem memory =
        self->api.clCreateBuffer(self->context, flags, bytes, (void *)(uintptr_t)host, &code);
    if (code != CL_SUCCESS) {
        say_refused(self, bytes, what, code);
        return NULL;
    }
    self->taken += bytes;
    return memory;
}

/* OpenCL keeps the object until calls that use it have run. */
void ifn_opencl_memory_give_back(ifn_opencl *self, cl_mem memory, size_t bytes)
{
    (void)self->api.clReleaseMemObject(memory);
    self->taken -= bytes;
}
