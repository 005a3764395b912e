/* A poisoned backend: every buffer begins as NaN, whatever was in the memory before, and ops go to the backend
 * within. */
#include "poisoned.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "test.h"

static int is_nan(const unsigned char *p, size_t bytes)
{
    for (size_t at = 0; at + sizeof(float) <= bytes; at += sizeof(float)) {
        float x;
        memcpy(&x, p + at, sizeof x);
        if (!isnan(x))
            return 0;
    }
    return 1;
}

typedef struct pair {
    ifn_backend *scalar, *poisoned;
} pair;

static pair open_pair(void)
{
    pair p;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("scalar", NULL, &p.scalar, &err), err);
    assert_ok(conform_poisoned_open(p.scalar, &p.poisoned, &err), err);
    return p;
}

static void close_pair(pair *p)
{
    ifn_backend_close(p->poisoned);
    ifn_backend_close(p->scalar);
}

TEST(new_memory_is_no_number)
{
    pair p = open_pair();
    const ifn_allocator *const buffers = p.poisoned->buffers;
    for (int turn = 0; turn < 2; turn++) { /* the second gets the zeros of the first */
        unsigned char *block = buffers->alloc(buffers->cookie, 4096, 64);
        assert_non_null(block);
        assert_true(is_nan(block, 4096));
        memset(block, 0, 4096);
        block = buffers->resize(buffers->cookie, block, 4096, 8192, 64);
        assert_non_null(block);
        assert_true(block[0] == 0 && block[4095] == 0 && is_nan(block + 4096, 4096));
        memset(block, 0, 8192);
        block = buffers->resize(buffers->cookie, block, 8192, 4096, 64);
        assert_true(block && block[4095] == 0);
        buffers->free(buffers->cookie, block, 4096);
    }
    close_pair(&p);
}

TEST(its_ops_are_those_within)
{
    pair p = open_pair();
    const float x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
    float out[3] = {0};
    const ifn_add_args args = IFN_ARGS(add, .x = x, .y = y, .out = out, .n = 3);
    assert_int_equal(ifn_add(p.poisoned, &args), IFN_OK);
    assert_true(out[0] == 11 && out[1] == 22 && out[2] == 33);
    close_pair(&p);
}

/* Another lane may use the memory at once, so it must be poisoned by then. */
TEST(memory_of_a_device_is_poisoned_when_it_is_handed_out)
{
    ifn_backend *device, *poisoned;
    ifn_error err = {0};
    int64_t (*n_waiting)(void) = NULL;
    unsigned char back[100];
    assert_ok(ifn_backend_open(DEFERRED, NULL, &device, &err), err);
    assert_ok(conform_poisoned_open(device, &poisoned, &err), err);
    void *const plugin = dlopen(DEFERRED, RTLD_NOW | RTLD_NOLOAD);
    void *const symbol = dlsym(plugin, "deferred_n_waiting");
    assert_non_null(symbol);
    memcpy(&n_waiting, &symbol, sizeof n_waiting);
    void *const p = poisoned->buffers->alloc(poisoned->buffers->cookie, sizeof back, 64);
    assert_non_null(p);
    assert_int_equal(n_waiting(), 0);
    assert_int_equal(
        ifn_copy_out(poisoned, &IFN_ARGS(copy_out, .host = back, .x = p, .bytes = sizeof back)),
        IFN_OK);
    assert_true(is_nan(back, sizeof back));
    poisoned->buffers->free(poisoned->buffers->cookie, p, sizeof back);
    dlclose(plugin);
    ifn_backend_close(poisoned);
    ifn_backend_close(device);
}
