/*
 * Handles on a device: what prepare or an op writes beside one, what an op changes in one, and what release
 * keeps is found there, too.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "fence.h"
#include "leaves.h"
#include "test.h"

/* What it does with a handle of n bytes beside reading it. */
typedef struct habit {
    int64_t packs;   /* prepare writes to byte n - 1 + packs of it, or before it; 0: not */
    int64_t writes;  /* and so does the op; */
    bool changes;    /* the op notes there that it was called */
    bool keeps;      /* release gives nothing back */
    bool resizes;    /* prepare takes a shorter buffer first */
    bool goes_round; /* handles do not come from the allocator that prepare finds */
} habit;

static const habit honest = {.packs = 0};
static const habit *next = &honest; /* of the device that is opened next */

typedef struct device {
    fence *fence;
    habit habit;
} device;

static const device *device_of(const ifn_backend *self)
{
    return self->state;
}

static unsigned char *inside(const ifn_backend *self, const void *p)
{
    return fence_inside(device_of(self)->fence, p);
}

static ifn_status device_copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    if (a->bytes)
        memmove(inside(self, a->out), a->host, a->bytes);
    return IFN_OK;
}

static ifn_status device_copy_out(ifn_backend *self, const ifn_copy_out_args *a)
{
    if (a->bytes)
        memmove(a->host, inside(self, a->x), a->bytes);
    return IFN_OK;
}

static void write_beside(unsigned char *data, size_t bytes, int64_t at)
{
    if (at)
        data[at < 0 ? at : (int64_t)bytes - 1 + at] = 7;
}

/* A handle has some bytes more than the weight, which no op needs. */
enum { NOTES = 64 };

static size_t bytes_of(const ifn_tensor *w)
{
    return ifn_matrix_bytes(w) ? ifn_matrix_bytes(w) + NOTES : 0;
}

static ifn_status device_gather_rows(ifn_backend *self, const ifn_gather_rows_args *args)
{
    const habit *const h = &device_of(self)->habit;
    ifn_gather_rows_args a = *args;
    ifn_tensor table = *args->table;
    unsigned char *const packed = args->packed ? inside(self, args->packed) : NULL;
    a.out = (void *)inside(self, args->out);
    a.ids = (const void *)inside(self, args->ids);
    if (packed) {
        table.data = packed;
        a.table = &table;
        a.packed = NULL;
        write_beside(packed, bytes_of(&table), h->writes);
    }
    const ifn_status status = ifn_gather_rows(self->base, &a);
    if (packed && h->changes)
        packed[bytes_of(&table) - NOTES] = 7;
    return status;
}

static const ifn_allocator *buffers(const ifn_backend *self)
{
    return fence_buffers(device_of(self)->fence);
}

static void *handle_memory(ifn_backend *self, size_t bytes)
{
    const ifn_allocator *const a =
        device_of(self)->habit.goes_round ? buffers(self) : self->buffers;
    if (!device_of(self)->habit.resizes)
        return a->alloc(a->cookie, bytes, 64);
    void *const first = a->alloc(a->cookie, bytes / 2, 64);
    if (!first)
        return NULL;
    memset(inside(self, first), 5, bytes / 2);
    unsigned char *const whole = a->resize(a->cookie, first, bytes / 2, bytes, 64);
    for (size_t i = 0; whole && i < bytes / 2; i++)
        assert_int_equal(inside(self, whole)[i], 5);
    return whole;
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    (void)uses;
    for (int i = 0; i < n; i++) {
        const size_t bytes = bytes_of(w[i]);
        out[i] = (ifn_packed){.data = NULL};
        if (bytes == 0)
            continue;
        void *const data = handle_memory(self, bytes);
        if (!data)
            return ifn_fail(err, IFN_ERR_NOMEM, "no memory");
        memset(inside(self, data), 0, bytes);
        memcpy(inside(self, data), w[i]->data, ifn_matrix_bytes(w[i]));
        write_beside(inside(self, data), bytes, device_of(self)->habit.packs);
        out[i] = (ifn_packed){data, bytes, IFN_USE_GATHER_ROWS};
    }
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    const ifn_allocator *const a =
        device_of(self)->habit.goes_round ? buffers(self) : self->buffers;
    if (!device_of(self)->habit.keeps)
        a->free(a->cookie, packed->data, packed->bytes);
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->copy_in = device_copy_in;
    table->copy_out = device_copy_out;
    table->gather_rows = device_gather_rows;
}

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    device *const self = calloc(1, sizeof *self);
    (void)env;
    (void)err;
    *state = self;
    if (!self)
        return IFN_ERR_NOMEM;
    self->habit = *next;
    self->fence = fence_open();
    return self->fence ? IFN_OK : IFN_ERR_NOMEM;
}

static void close_state(void *state)
{
    device *const self = state;
    if (self)
        fence_close(self->fence);
    free(self);
}

static const ifn_backend_desc desc = {
    IFN_BACKEND_STAMP,  .flags = IFN_BACKEND_DEVICE, .name = "device",          .summary = "",
    .fill = fill,       .open = open_state,          .close = close_state,      .buffers = buffers,
    .prepare = prepare, .release = release,          .manifest = &leaf_promises};
static const conform_tested tested = {"device", leaf_open, &desc};

static const conform_case gathered = {.op = IFN_OP_GATHER_ROWS,
                                      .dim = {4, 5, 32},
                                      .dtype = IFN_DTYPE_F32,
                                      .tier = TIER_T1,
                                      .family = FAMILY_NORMAL,
                                      .prepared = 1,
                                      .seed = 3};

static void expect(habit h, conform_check check, const char *text)
{
    next = &h;
    const conform_verdict v = judge_once(&tested, &gathered);
    next = &honest;
    assert_that(v.check == check && strstr(v.detail, text), "%s: %s, expected %s: %s",
                conform_check_name(v.check), v.detail, conform_check_name(check), text);
}

TEST(honest_handles_pass)
{
    expect(honest, CHECK_NONE, "");
    expect((habit){.resizes = true}, CHECK_NONE, "");
    expect((habit){.goes_round = true}, CHECK_NONE, "");
}

TEST(what_prepare_writes_beside_a_handle_is_found)
{
    expect((habit){.packs = 1}, CHECK_SLACK,
           "weights prepared: 1 bytes after packed_0, the first 0 away");
    expect((habit){.packs = 9}, CHECK_SLACK,
           "weights prepared: 1 bytes after packed_0, the first 8 away");
    expect((habit){.packs = -2}, CHECK_SLACK,
           "weights prepared: 1 bytes before packed_0, the first 2 away");
}

TEST(what_an_op_writes_to_a_handle_or_beside_it_is_found)
{
    expect((habit){.changes = true}, CHECK_INPUT,
           "packed_0: 1 bytes have changed since prepare, the first at 640");
    expect((habit){.writes = 1}, CHECK_SLACK,
           "since prepare: 1 bytes after packed_0, the first 0 away");
    expect((habit){.writes = -1}, CHECK_SLACK,
           "since prepare: 1 bytes before packed_0, the first 1 away");
}

TEST(a_handle_that_is_kept_is_found)
{
    expect((habit){.keeps = true}, CHECK_PREPARE, "packed_0: 704 bytes are not given back");
}
