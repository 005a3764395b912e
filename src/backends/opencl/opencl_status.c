#include "opencl.h"

#include <unistd.h>

static const char *name_of(cl_int code)
{
    switch (code) {
#define X(name)                                                                                    \
    case name:                                                                                     \
        return #name;
        X(CL_DEVICE_NOT_FOUND)
        X(CL_DEVICE_NOT_AVAILABLE)
        X(CL_COMPILER_NOT_AVAILABLE)
        X(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        X(CL_OUT_OF_RESOURCES)
        X(CL_OUT_OF_HOST_MEMORY)
        X(CL_BUILD_PROGRAM_FAILURE)
        X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        X(CL_INVALID_VALUE)
        X(CL_INVALID_DEVICE)
        X(CL_INVALID_COMMAND_QUEUE)
        X(CL_INVALID_MEM_OBJECT)
        X(CL_INVALID_KERNEL_ARGS)
        X(CL_INVALID_WORK_GROUP_SIZE)
        X(CL_INVALID_BUFFER_SIZE)
#undef X
    default:
        return "an error of the driver";
    }
}

static bool is_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
           code == CL_INVALID_BUFFER_SIZE;
}

/* The codes that a driver returns once its device has stopped. */
static bool is_lost(cl_int code)
{
    return code == CL_DEVICE_NOT_AVAILABLE || code == CL_OUT_OF_RESOURCES ||
           code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST || code == CL_INVALID_COMMAND_QUEUE;
}

ifn_status ifn_opencl_status(ifn_opencl *self, cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return IFN_OK;
    self->has_reason = true;
    return ifn_fail(&self->reason, is_memory(code) ? IFN_ERR_NOMEM : IFN_ERR_IO,
                    "backend 'opencl': %s: %s on '%s' (%s, %d)", what,
                    is_memory(code) ? "out of memory"
                    : is_lost(code) ? "the device is lost"
                                    : "the call failed",
                    self->device.name, name_of(code), (int)code);
}

ifn_status ifn_opencl_check_process(ifn_opencl *self)
{
    if ((long)getpid() == self->process)
        return IFN_OK;
    self->has_reason = true;
    return ifn_fail(
        &self->reason, IFN_ERR_IO,
        "backend 'opencl': called in process %ld, which was forked since process %ld has "
        "opened it: expected the process that has",
        (long)getpid(), self->process);
}

int ifn_opencl_explain(ifn_backend *backend, ifn_error *err)
{
    ifn_opencl *const self = ifn_opencl_of(backend);
    pthread_mutex_lock(&self->lock);
    const bool has = self->has_reason;
    if (has && err)
        *err = self->reason;
    self->has_reason = false;
    pthread_mutex_unlock(&self->lock);
    return has;
}
