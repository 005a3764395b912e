/* Devices: their own ops, staged ops, and the calls that a chain with a device refuses. */
#include <inferno/backend.h>
#include <inferno/trace.h>

#include <math.h>
#include <string.h>

#include "device_calls.h"
#include "op_split.h"
#include "signal_of_reading.h"
#include "test.h"

static void expect_as_on_the_host(const char *expression)
{
    device d = open_device(expression);
    ifn_backend *scalar;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        if (op ==
            IFN_OP_COPY_OUT) /* its result is on the host; the results of all other ops are checked by means of it */
            continue;
        fill_memory((uint64_t)i + 1);
        ifn_args args = call_of(op);
        run_both(&d, scalar, op, &args);
        for (int axis = 0; axis < 2; axis++) {
            args = call_of(op);
            const int64_t n = ifn_op_extent(op, &args.call, axis);
            ifn_op_set_part(op, &args.call, axis, n / 2, n);
            if (n > 1)
                run_both(&d, scalar, op, &args);
        }
    }
    ifn_backend_close(scalar);
    close_device(&d);
}

TEST(a_device_computes_behind_its_fence)
{
    expect_as_on_the_host(FENCED);
}

TEST(what_a_device_lacks_is_staged)
{
    expect_as_on_the_host(FENCED "=doors");
    expect_as_on_the_host(FENCED "=matmul,softmax_rows:scalar");
    expect_as_on_the_host("parallel=2+small:" FENCED "=linear");
}

/* A tensor that is input and output is staged once and copied back to its place. */
TEST(a_call_in_place_is_staged_in_place)
{
    device d = open_device(FENCED "=doors");
    ifn_backend *scalar;
    assert_int_equal(ifn_backend_open("scalar", NULL, &scalar, NULL), IFN_OK);
    fill_memory(7);
    const ifn_args norm = {.rms_norm = IFN_ARGS(rms_norm, .out = mem[0], .sum = mem[1], .x = mem[0],
                                                .add = mem[1], .weight = mem[2], .rows = 2,
                                                .dim = 64, .eps = 1e-5f)};
    run_both(&d, scalar, IFN_OP_RMS_NORM, &norm);
    const uint64_t rows = 2 * 64 * 4;
    assert_true(ifn_backend_staged_bytes(d.backend, 0) == 2 * rows + 64 * 4 + 2 * rows);
    ifn_backend_close(scalar);
    close_device(&d);
}

/* In both phases of a staged attention all partials are staged, since their layout is the backend's own. */
TEST(both_phases_of_attention_are_staged)
{
    device d = open_device(FENCED "=doors");
    ifn_backend *scalar;
    assert_int_equal(ifn_backend_open("scalar", NULL, &scalar, NULL), IFN_OK);
    fill_memory(9);
    ifn_args args = call_of(IFN_OP_ATTENTION);
    args.attention.partials = mem[5];
    args.attention.phase = IFN_ATTENTION_PARTIALS;
    run_both(&d, scalar, IFN_OP_ATTENTION, &args);
    args.attention.phase = IFN_ATTENTION_MERGE;
    run_both(&d, scalar, IFN_OP_ATTENTION, &args);
    ifn_backend_close(scalar);
    close_device(&d);
}

/* For a cache in pages, a part of a call stages only the rows of its own heads. */
TEST(a_call_in_pages_is_staged)
{
    static const char *const devices[] = {FENCED "=doors", FENCED "=attention,kv_store",
                                          "parallel=2+small:" FENCED "=attention,kv_store"};
    static const int32_t table[] = {1, 0};
    ifn_backend *scalar;
    assert_int_equal(ifn_backend_open("scalar", NULL, &scalar, NULL), IFN_OK);
    for (size_t i = 0; i < N_OF(devices); i++) {
        device d = open_device(devices[i]);
        fill_memory(i + 4);
        ifn_args store = call_of(IFN_OP_KV_STORE), read = call_of(IFN_OP_ATTENTION);
        store.kv_store.pages = read.attention.pages = table;
        store.kv_store.n_pages = read.attention.n_pages = 2;
        store.kv_store.page_rows = read.attention.page_rows = 16;
        store.kv_store.first_pos = read.attention.first_pos = 15;
        store.kv_store.max_pos = read.attention.max_pos = 35;
        run_both(&d, scalar, IFN_OP_KV_STORE, &store);
        run_both(&d, scalar, IFN_OP_ATTENTION, &read);
        close_device(&d);
    }
    ifn_backend_close(scalar);
}

TEST(a_device_says_what_it_is_and_what_it_stages)
{
    device d = open_device("trace:" FENCED "=add");
    fill_memory(3);
    all_in(&d);
    assert_true(ifn_backend_is_device(d.backend));
    const ifn_args add = moved(&d, IFN_OP_ADD, &(ifn_args){.add = legal_add()});
    const ifn_args times = moved(&d, IFN_OP_HADAMARD, &(ifn_args){.hadamard = legal_hadamard()});
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_ADD, &add.call), IFN_OK);
    assert_true(ifn_backend_staged_bytes(d.backend, 0) == 0);
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_HADAMARD, &times.call), IFN_OK);
    assert_true(ifn_backend_staged_bytes(d.backend, 0) == 3 * 11 * 4);
    assert_true(ifn_backend_staged_bytes(d.backend, 1) == 0);
    close_device(&d);
}

TEST(an_illegal_call_is_refused_before_anything_is_staged)
{
    device d = open_device(FENCED "=doors");
    ifn_add_args a = legal_add();
    a.n = -1;
    assert_int_equal(ifn_add(d.backend, &a), IFN_ERR_SHAPE);
    a = legal_add();
    a.call.lane = 1;
    assert_int_equal(ifn_add(d.backend, &a), IFN_ERR_ARGUMENT);
    assert_true(ifn_backend_staged_bytes(d.backend, 0) == 0);
    close_device(&d);
}

/* A staged call is not cut, as each part would be staged separately. */
TEST(staged_calls_are_whole)
{
    device d = open_device(FENCED "=add");
    const ifn_args add = {.add = legal_add()}, times = {.hadamard = legal_hadamard()};
    assert_int_equal(ifn_backend_granule(d.backend, IFN_OP_ADD, 0, &add.call), 1);
    assert_int_equal(ifn_backend_granule(d.backend, IFN_OP_HADAMARD, 0, &times.call), 11);
    close_device(&d);
}

TEST(the_host_cannot_read_a_buffer)
{
    device d = open_device(FENCED);
    assert_int_equal(signal_of_reading(d.place[0]), SIGSEGV);
    close_device(&d);
}

static void expect_refused(const char *expression, const char *why)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_int_equal(ifn_backend_open(expression, NULL, &b, &err), IFN_ERR_ARGUMENT);
    assert_that(strstr(err.text, why), "'%s' lacks '%s'", err.text, why);
}

TEST(nothing_stands_on_a_device_but_a_wrapper)
{
    expect_refused("simd:" FENCED, "backend 'simd': cannot stand on 'fenced', a device");
}

static void fill_nothing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table;
    (void)env;
}

static const ifn_allocator *heap(const ifn_backend *self)
{
    (void)self;
    return ifn_default_allocator();
}

TEST(a_device_has_doors_of_its_own)
{
    ifn_backend *b;
    ifn_error err = {0};
    const ifn_backend_desc desc = {IFN_BACKEND_STAMP,    .flags = IFN_BACKEND_DEVICE,
                                   .name = "shut",       .summary = "no way in",
                                   .fill = fill_nothing, .buffers = heap};
    assert_int_equal(ifn_backend_open_desc(&desc, NULL, NULL, NULL, &b, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'shut': a device without a copy_in of its own");
}

static char heard[256];

static void hear(void *cookie, const ifn_trace_call *call)
{
    (void)cookie;
    (void)ifn_trace_line(call, heard, sizeof heard);
}

static ifn_status append(void *cookie, const char *data, size_t bytes)
{
    strncat(cookie, data, bytes);
    return IFN_OK;
}

TEST(a_trace_shows_what_is_staged)
{
    char summary[4096] = "";
    device d = open_device("trace:" FENCED "=add");
    fill_memory(3);
    all_in(&d);
    (void)ifn_trace_listen(d.backend, hear, NULL);
    const ifn_args add = moved(&d, IFN_OP_ADD, &(ifn_args){.add = legal_add()});
    const ifn_args times = moved(&d, IFN_OP_HADAMARD, &(ifn_args){.hadamard = legal_hadamard()});
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_ADD, &add.call), IFN_OK);
    assert_null(strstr(heard, "staged"));
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_HADAMARD, &times.call), IFN_OK);
    assert_non_null(strstr(heard, " staged 0.1KB"));
    ifn_trace_total total = IFN_TRACE_TOTAL_INIT;
    assert_true(ifn_trace_totals(d.backend, IFN_OP_HADAMARD, &total) && total.staged_bytes == 132);
    assert_true(ifn_trace_totals(d.backend, IFN_OP_ADD, &total) && total.staged_bytes == 0);
    assert_int_equal(ifn_trace_write_summary(d.backend, NULL, append, summary, NULL), IFN_OK);
    assert_non_null(strstr(summary, "  0.00 MB staged\n"));
    close_device(&d);
}

/* The tensors that check scans lie in buffers; it reads them by copy_out. */
TEST(a_check_looks_through_the_door)
{
    device d = open_device("check=stop:" FENCED);
    fill_memory(3);
    mem[3][5] = HUGE_VALF;
    all_in(&d);
    const ifn_args add = moved(&d, IFN_OP_ADD, &(ifn_args){.add = legal_add()});
    ifn_error err = {0};
    assert_int_equal(ifn_op_run(d.backend, IFN_OP_ADD, &add.call), IFN_ERR_NUMERIC);
    assert_int_equal(ifn_backend_explain(d.backend, &err), 1);
    assert_non_null(strstr(err.text, "add on fenced: out is inf at row 0, element 5"));
    assert_non_null(strstr(err.text, "y is inf at row 0, element 5 already"));
    close_device(&d);
}
