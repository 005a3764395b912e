/* Errors of a device are one line, which says what failed, where, and what was expected. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device_calls.h"
#include "opencl.h"
#include "opencl_here.h"
#include "paths.h"

static void expect_refused(const char *expression, ifn_status status, const char *start)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_int_equal(ifn_backend_open(expression, NULL, &b, &err), status);
    assert_null(b);
    assert_that(strncmp(err.text, start, strlen(start)) == 0, "'%s' does not begin with '%s'",
                err.text, start);
    assert_null(strchr(err.text, '\n'));
}

TEST(a_device_that_is_not_there_is_refused_with_the_list_of_platforms)
{
    expect_refused("opencl=99", IFN_ERR_ARGUMENT,
                   "backend 'opencl': no platform 99; platforms: 0 ");
    expect_refused("opencl=0.99", IFN_ERR_ARGUMENT,
                   "backend 'opencl': no device 99 on platform 0, which has ");
    expect_refused("opencl=gpu", IFN_ERR_ARGUMENT,
                   "backend 'opencl': option 'gpu', expected PLATFORM.DEVICE, such as 0.0");
    expect_refused("opencl=0.", IFN_ERR_ARGUMENT, "backend 'opencl': option '0.'");
    expect_refused("opencl=0.0+", IFN_ERR_ARGUMENT, "backend 'opencl': option '0.0+'");
    expect_refused("opencl=+0M", IFN_ERR_ARGUMENT, "backend 'opencl': option '+0M'");
    expect_refused("opencl=+256", IFN_ERR_ARGUMENT, "backend 'opencl': option '+256'");
    expect_refused("opencl=+9Mb", IFN_ERR_ARGUMENT, "backend 'opencl': option '+9Mb'");
    expect_refused(
        "opencl=+99999999999999999999G", IFN_ERR_ARGUMENT,
        "backend 'opencl': option '+99999999999999999999G', expected PLATFORM.DEVICE, such "
        "as 0.0, and after it +MEMORY, such as +256M");
    expect_refused("opencl=0.0.0", IFN_ERR_ARGUMENT, "backend 'opencl': option '0.0.0'");
}

static cl_int no_platforms(cl_uint room, cl_platform_id *ids, cl_uint *n)
{
    (void)room;
    (void)ids;
    *n = 0;
    return -1001; /* returned by a loader that finds no driver */
}

TEST(no_platform_is_said)
{
    ifn_opencl_api api;
    ifn_opencl_device d;
    ifn_error err = {0};
    assert_int_equal(ifn_opencl_api_find(&api, &err), IFN_OK);
    api.clGetPlatformIDs = no_platforms;
    assert_int_equal(ifn_opencl_device_find(&api, "", &d, &err), IFN_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "backend 'opencl': no platform, expected an OpenCL driver; "
                                  "platforms: none");
}

static cl_int flushes(cl_device_id id, cl_device_info what, size_t bytes, void *value,
                      size_t *needed)
{
    const cl_device_fp_config config = CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    (void)id;
    (void)needed;
    memset(value, 0, bytes);
    if (what == CL_DEVICE_SINGLE_FP_CONFIG)
        memcpy(value, &config, sizeof config);
    return CL_SUCCESS;
}

TEST(a_device_that_flushes_subnormals_is_refused)
{
    ifn_opencl_api api;
    ifn_opencl_device d;
    ifn_error err = {0};
    assert_int_equal(ifn_opencl_api_find(&api, &err), IFN_OK);
    api.clGetDeviceInfo = flushes;
    assert_int_equal(ifn_opencl_device_find(&api, "", &d, &err), IFN_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "backend 'opencl': '' has no subnormal numbers in f32");
}

TEST(a_kernel_that_does_not_compile_leaves_its_log_in_a_file)
{
    device d = open_device("opencl");
    ifn_opencl *const cl = ifn_opencl_of(d.backend);
    ifn_opencl_program made;
    ifn_error err = {0};
    assert_int_equal(ifn_opencl_program_build(&cl->api, cl->context, cl->device.id, "broken",
                                              "__kernel void broken(void) { not_declared(); }",
                                              IFN_DTYPE_F32, 0, &made, &err),
                     IFN_ERR_IO);
    assert_non_null(strstr(err.text, "backend 'opencl': kernel broken does not compile ("));
    const char *const path = strstr(err.text, "the log is ") + strlen("the log is ");
    char *const log = read_file(path, NULL);
    assert_that(log, "%s cannot be read", path);
    assert_non_null(strstr(log, "not_declared"));
    (void)remove(path);
    free(log);
    close_device(&d);
}

/* Stands in for a driver that has lost its device or has no memory left. */
static cl_int lost(cl_command_queue queue, cl_mem memory, cl_bool waits, size_t offset,
                   size_t bytes, void *host, cl_uint n, const cl_event *events, cl_event *event)
{
    (void)queue, (void)memory, (void)waits, (void)offset, (void)bytes, (void)host, (void)n;
    (void)events, (void)event;
    return CL_DEVICE_NOT_AVAILABLE;
}

static cl_mem full(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code)
{
    (void)context, (void)flags, (void)bytes, (void)host;
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

TEST(a_lost_device_is_said)
{
    device d = open_device("opencl");
    ifn_error err = {0};
    float got;
    ifn_opencl_of(d.backend)->api.clEnqueueReadBuffer = lost;
    ifn_copy_out_args out = IFN_ARGS(copy_out, .host = &got, .x = d.place[0], .bytes = sizeof got);
    assert_int_equal(ifn_copy_out(d.backend, &out), IFN_ERR_IO);
    assert_int_equal(ifn_backend_explain(d.backend, &err), 1);
    assert_non_null(strstr(err.text, "backend 'opencl': copy_out: the device is lost on '"));
    assert_non_null(strstr(err.text, "(CL_DEVICE_NOT_AVAILABLE, -2)"));
    close_device(&d);
}

TEST(memory_that_runs_out_on_the_device_is_said)
{
    device d = open_device("opencl");
    ifn_opencl *const cl = ifn_opencl_of(d.backend);
    ifn_error err = {0};
    ifn_packed packed;
    (void)legal_call(IFN_OP_LINEAR);
    const ifn_tensor *const w = &legal_w5;
    cl->api.clCreateBuffer = full;
    assert_int_equal(d.backend->desc->prepare(d.backend, &w, 1, IFN_USE_LINEAR, &packed, &err),
                     IFN_ERR_NOMEM);
    assert_non_null(strstr(err.text, "backend 'opencl': w5: 0.0 MB do not fit on '"));
    assert_null(cl->buffers.alloc(cl->buffers.cookie, 64, 64));
    assert_int_equal(ifn_backend_explain(d.backend, &err), 1);
    assert_non_null(strstr(err.text, "backend 'opencl': buffers: 0.0 MB do not fit on '"));
    close_device(&d);
}

/* The limit holds even if the driver would give more. Memory that was given back can be allocated again. */
TEST(no_more_memory_is_taken_than_the_options_allow)
{
    static const char *const options[] = {"opencl=+1M", "opencl=0+1M", "opencl=0.0+1M"};
    for (size_t i = 0; i < N_OF(options); i++) {
        device d = open_device(options[i]);
        const ifn_allocator *const buffers = &ifn_opencl_of(d.backend)->buffers;
        const size_t most = 1000000, left = most - ifn_opencl_of(d.backend)->taken;
        ifn_error err = {0};
        assert_true(left > 0 && left < most);
        assert_null(buffers->alloc(buffers->cookie, left + 1, 64));
        assert_int_equal(ifn_backend_explain(d.backend, &err), 1);
        assert_non_null(strstr(err.text, "backend 'opencl': buffers: found "));
        assert_non_null(strstr(err.text, " MB free of the 1.0 MB of '"));
        assert_non_null(strstr(err.text, "', expected "));
        for (int twice = 0; twice < 2; twice++) {
            void *const all = buffers->alloc(buffers->cookie, left, 64);
            assert_non_null(all);
            assert_null(buffers->alloc(buffers->cookie, 1, 64));
            buffers->free(buffers->cookie, all, left);
        }
        close_device(&d);
    }
}

/* A raw weight takes memory of the device while its call runs, a handle until it is released. */
TEST(weights_take_memory_for_as_long_as_they_are_there)
{
    device d = open_device("opencl");
    const ifn_opencl *const cl = ifn_opencl_of(d.backend);
    const uint64_t before = cl->taken;
    ifn_packed packed;
    const ifn_args call = call_of(IFN_OP_LINEAR), there = moved(&d, IFN_OP_LINEAR, &call);
    const ifn_tensor *const w = call.linear.w[0];
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_LINEAR, &there.call), IFN_OK);
    assert_true(cl->taken == before);
    assert_int_equal(d.backend->desc->prepare(d.backend, &w, 1, IFN_USE_LINEAR, &packed, NULL),
                     IFN_OK);
    assert_true(packed.bytes > 0 && cl->taken == before + packed.bytes);
    d.backend->desc->release(d.backend, &packed);
    assert_true(cl->taken == before);
    close_device(&d);
}

/* Runs in a forked child, which lacks the driver's threads: a call of the driver would wait for them for ever. */
static int use_after_fork(const device *d, const ifn_args *add)
{
    ifn_backend *again;
    ifn_error err = {0};
    (void)alarm(20);
    if (ifn_add(d->backend, &add->add) != IFN_ERR_IO || !ifn_backend_explain(d->backend, &err) ||
        !strstr(err.text, ", which was forked since process "))
        return 1;
    if (ifn_backend_synchronize(d->backend, IFN_ALL_LANES) != IFN_ERR_IO)
        return 2;
    if (ifn_backend_end(d->backend, 0) != IFN_ERR_IO)
        return 4;
    ifn_backend_close(d->backend);
    if (ifn_backend_open("opencl", NULL, &again, &err) != IFN_ERR_UNSUPPORTED ||
        !strstr(err.text, "backend 'opencl': the driver was used before this process was forked"))
        return 3;
    return 0;
}

TEST(a_process_that_was_forked_is_refused)
{
    device d = open_device("opencl");
    const ifn_args add = moved(&d, IFN_OP_ADD, &(ifn_args){.add = legal_add()});
    int status;
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_ADD, &add.call), IFN_OK);
    assert_int_equal(ifn_backend_synchronize(d.backend, IFN_ALL_LANES), IFN_OK);
    const pid_t pid = fork();
    if (pid == 0)
        _exit(use_after_fork(&d, &add));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close_device(&d);
}

static int n_flushes;

static cl_int count_flush(cl_command_queue queue)
{
    (void)queue;
    n_flushes++;
    return CL_SUCCESS;
}

static cl_int lose_flush(cl_command_queue queue)
{
    (void)queue;
    return CL_DEVICE_NOT_AVAILABLE;
}

TEST(the_end_of_a_pass_sends_it)
{
    device d = open_device("opencl");
    ifn_error err = {0};
    ifn_opencl_of(d.backend)->api.clFlush = count_flush;
    const ifn_args add = moved(&d, IFN_OP_ADD, &(ifn_args){.add = legal_add()});
    assert_int_equal(ifn_backend_begin(d.backend, 0), IFN_OK);
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_ADD, &add.call), IFN_OK);
    assert_int_equal(n_flushes, 0);
    assert_int_equal(ifn_backend_end(d.backend, 0), IFN_OK);
    assert_int_equal(n_flushes, 1);
    ifn_opencl_of(d.backend)->api.clFlush = lose_flush;
    assert_int_equal(ifn_backend_end(d.backend, 0), IFN_ERR_IO);
    assert_int_equal(ifn_backend_explain(d.backend, &err), 1);
    assert_non_null(strstr(err.text, "backend 'opencl': end: the device is lost on '"));
    close_device(&d);
}

/* An address in no buffer, and a lane that does not exist. */
TEST(what_is_no_buffer_is_refused)
{
    device d = open_device("opencl");
    float host[11] = {0};
    ifn_add_args a = moved(&d, IFN_OP_ADD, &(ifn_args){.add = legal_add()}).add;
    a.y = host;
    assert_int_equal(ifn_add(d.backend, &a), IFN_ERR_IO);
    a.y = a.x;
    a.call.lane = 7;
    assert_int_equal(ifn_add(d.backend, &a), IFN_ERR_ARGUMENT);
    close_device(&d);
}

int main(void)
{
    return opencl_is_here() ? test_run(NULL) : TEST_NOT_RUN;
}
