/*
 * Handles on a device: the judge finds what prepare or an op writes beside a handle there, what an op changes in it,
 * and what release keeps.
 */
#include <string.h>

#include "bench.h"
#include "fenced_leaf.h"
#include "test.h"

/* What the backend does with a handle of n bytes besides reading it. */
typedef struct habit {
    int64_t packs;   /* prepare writes to byte n - 1 + packs of it, or before it; 0: not */
    int64_t writes;  /* the same, but the op writes */
    bool changes;    /* the op writes to the handle that it was called */
    bool keeps;      /* release gives nothing back */
    bool resizes;    /* prepare first takes a shorter buffer */
    bool goes_round; /* handles do not come from the allocator that prepare is given */
} habit;

static const habit honest = {.packs = 0};

static const habit *habit_of(const ifn_backend *self)
{
    return fenced_leaf_habit(self);
}

static void write_beside(unsigned char *data, size_t bytes, int64_t at)
{
    if (at)
        data[at < 0 ? at : (int64_t)bytes - 1 + at] = 7;
}

/* A handle has NOTES bytes more than the weight, which no op needs. */
enum { NOTES = 64 };

static size_t bytes_of(const ifn_tensor *w)
{
    return ifn_matrix_bytes(w) ? ifn_matrix_bytes(w) + NOTES : 0;
}

static ifn_status device_gather_rows(ifn_backend *self, const ifn_gather_rows_args *args)
{
    const habit *const h = habit_of(self);
    ifn_gather_rows_args a = *args;
    ifn_tensor table = *args->table;
    unsigned char *const packed = args->packed ? fenced_leaf_inside(self, args->packed) : NULL;
    a.out = fenced_leaf_inside(self, args->out);
    a.ids = fenced_leaf_inside(self, args->ids);
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

static const ifn_allocator *handle_buffers(const ifn_backend *self)
{
    return habit_of(self)->goes_round ? fenced_leaf_buffers(self) : self->buffers;
}

static void *handle_memory(ifn_backend *self, size_t bytes)
{
    const ifn_allocator *const a = handle_buffers(self);
    if (!habit_of(self)->resizes)
        return a->alloc(a->cookie, bytes, 64);
    void *const first = a->alloc(a->cookie, bytes / 2, 64);
    if (!first)
        return NULL;
    memset(fenced_leaf_inside(self, first), 5, bytes / 2);
    void *const whole = a->resize(a->cookie, first, bytes / 2, bytes, 64);
    const unsigned char *const copy = fenced_leaf_inside(self, whole);
    for (size_t i = 0; whole && i < bytes / 2; i++)
        assert_int_equal(copy[i], 5);
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
        unsigned char *const inside = fenced_leaf_inside(self, data);
        memset(inside, 0, bytes);
        memcpy(inside, w[i]->data, ifn_matrix_bytes(w[i]));
        write_beside(inside, bytes, habit_of(self)->packs);
        out[i] = (ifn_packed){data, bytes, IFN_USE_GATHER_ROWS};
    }
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    const ifn_allocator *const a = handle_buffers(self);
    if (!habit_of(self)->keeps)
        a->free(a->cookie, packed->data, packed->bytes);
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->copy_in = fenced_leaf_copy_in;
    table->copy_out = fenced_leaf_copy_out;
    table->gather_rows = device_gather_rows;
}

static const ifn_backend_desc desc = {FENCED_LEAF, .fill = fill, .prepare = prepare,
                                      .release = release};
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
    fenced_leaf_expect(&tested, &h, gathered, check, text);
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
