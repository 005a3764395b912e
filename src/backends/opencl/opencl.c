/* Descriptor, op table, open and close of the OpenCL backend. */
#include "opencl.h"

#include <string.h>
#include <unistd.h>

#include "alloc_priv.h"
#include "op_check_unseen.h"

/* opencl_matmul, ...: check the arguments in one place, so that kernels get legal sizes. */
#define X(NAME, name)                                                                              \
    static ifn_status opencl_##name(ifn_backend *self, const ifn_##name##_args *a)                 \
    {                                                                                              \
        IFN_TRY(ifn_op_check_unseen(IFN_OP_##NAME, &a->call, NULL));                               \
        return ifn_opencl_##name(ifn_opencl_of(self), a);                                          \
    }
IFN_OPENCL_OPS(X)
#undef X

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
#define X(NAME, name) table->name = opencl_##name;
    IFN_OPENCL_OPS(X)
#undef X
}

static int unsupported(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    if (dtype < 0 || dtype >= IFN_DTYPE_COUNT)
        return 1;
    return op == IFN_OP_QUANTIZE_ROWS &&
           (!ifn_opencl_encodes(dtype) || !ifn_opencl_encodes(out_dtype));
}

/* The error of exp is the bound that OpenCL promises. Sums do not depend on the shape of a call: R0 to R10. */
static const ifn_manifest manifest = {
    .manifest_bytes = (uint32_t)sizeof(ifn_manifest),
    .invariances = 0x7ff,
    .exp_ulp = 3.0f,
    .unsupported = unsupported,
    .spans = 1,
    .pages = 1,
};

static void close_lanes(const ifn_opencl *self)
{
    for (int32_t i = 0; i < self->n_lanes; i++)
        if (self->lanes[i].queue) {
            (void)self->api.clFinish(self->lanes[i].queue);
            (void)self->api.clReleaseCommandQueue(self->lanes[i].queue);
        }
}

static void close_driver(ifn_opencl *self)
{
    close_lanes(self);
    ifn_opencl_programs_close(&self->programs, &self->api);
    if (self->context)
        (void)self->api.clReleaseContext(self->context);
}

static size_t state_bytes(int32_t n_lanes)
{
    return sizeof(ifn_opencl) + (size_t)n_lanes * sizeof(ifn_opencl_lane);
}

static void close_state(void *state)
{
    ifn_opencl *const self = state;
    if (!self)
        return;
    if ((long)getpid() == self->process)
        close_driver(self);
    ifn_address_range_close(&self->addresses);
    pthread_mutex_destroy(&self->lock);
    ifn_free_array(self->alloc, self, state_bytes(self->n_lanes), 1);
}

static ifn_status open_queues(ifn_opencl *self, ifn_error *err)
{
    cl_int code;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)self->device.platform, 0};
    self->context = self->api.clCreateContext(properties, 1, &self->device.id, NULL, NULL, &code);
    for (int32_t i = 0; i < self->n_lanes && code == CL_SUCCESS; i++)
        self->lanes[i].queue =
            self->api.clCreateCommandQueue(self->context, self->device.id, 0, &code);
    const ifn_status status = ifn_opencl_status(self, code, "open");
    if (status != IFN_OK && err)
        *err = self->reason;
    return status;
}

/* Reserves address space for four times the device's memory. */
static ifn_status open_addresses(ifn_opencl *self, ifn_error *err)
{
    const size_t bytes = 4 * ((size_t)self->device.bytes / IFN_ADDRESS_GAP + 1) * IFN_ADDRESS_GAP;
    if (ifn_address_range_open(&self->addresses, bytes))
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_NOMEM, "backend 'opencl': %.1f GB of address space for '%s'",
                    (double)bytes / 1e9, self->device.name);
}

static ifn_status open_device(ifn_opencl *self, const char *options, ifn_error *err)
{
    IFN_TRY(ifn_opencl_api_find(&self->api, err));
    IFN_TRY(ifn_opencl_device_find(&self->api, options, &self->device, err));
    IFN_TRY(open_queues(self, err));
    return open_addresses(self, err);
}

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    ifn_opencl *const self = ifn_alloc_zeroed(env->alloc, state_bytes(env->n_lanes), 1);
    *state = NULL;
    if (!self)
        return IFN_ERR_NOMEM;
    self->alloc = env->alloc;
    self->n_lanes = env->n_lanes;
    self->last_lane = -1;
    self->process = (long)getpid();
    pthread_mutex_init(&self->lock, NULL);
    ifn_opencl_buffers_init(self);
    const ifn_status status = open_device(self, env->options, err);
    if (status != IFN_OK) {
        close_state(self);
        return status;
    }
    *state = self;
    return IFN_OK;
}

static int device_at(int i, ifn_backend_device *out)
{
    ifn_opencl_api api;
    ifn_opencl_device d;
    if (ifn_opencl_api_find(&api, NULL) != IFN_OK ||
        !ifn_opencl_device_at(&api, i, out->options, &d))
        return 0;
    _Static_assert(sizeof out->name >= sizeof d.name, "a whole name");
    memcpy(out->name, d.name, sizeof d.name);
    out->bytes = d.bytes;
    return 1;
}

static const ifn_allocator *buffers(const ifn_backend *self)
{
    return &ifn_opencl_of(self)->buffers;
}

const ifn_backend_desc ifn_backend_opencl = {
    IFN_BACKEND_STAMP,
    .flags = IFN_BACKEND_DEVICE,
    .name = "opencl",
    .summary = "a device with OpenCL 1.2, which keeps all tensors; opencl=PLATFORM.DEVICE+MEMORY",
    .manifest = &manifest,
    .fill = fill,
    .open = open_state,
    .close = close_state,
    .buffers = buffers,
    .prepare = ifn_opencl_prepare,
    .release = ifn_opencl_release,
    .explain = ifn_opencl_explain,
    .synchronize = ifn_opencl_synchronize,
    .device = device_at,
    .begin = ifn_opencl_begin_pass,
    .end = ifn_opencl_end_pass,
};
