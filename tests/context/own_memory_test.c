/*
 * Buffers belong to the backend: this one puts them on pages that are accessible only while an op runs. A road that
 * reads or writes one itself dies.
 */
#include "road.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct region {
    void *base;
    size_t bytes;
} region;

static struct {
    region regions[64];
    int n;
} closed;

static void protect(int access)
{
    for (int i = 0; i < closed.n; i++)
        if (mprotect(closed.regions[i].base, closed.regions[i].bytes, access) != 0)
            abort();
}

static void *page_alloc(void *cookie, size_t bytes, size_t align)
{
    (void)cookie;
    (void)align;
    const int zero = open("/dev/zero", O_RDWR);
    void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE, zero, 0);
    close(zero);
    if (p == MAP_FAILED || closed.n == 64)
        abort();
    closed.regions[closed.n++] = (region){p, bytes};
    return p;
}

static void page_free(void *cookie, void *p, size_t bytes)
{
    (void)cookie;
    for (int i = 0; p && i < closed.n; i++) {
        if (closed.regions[i].base == p) {
            closed.regions[i] = closed.regions[--closed.n];
            munmap(p, bytes);
            return;
        }
    }
}

static void *page_resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    (void)cookie, (void)p, (void)old_bytes, (void)bytes, (void)align;
    return NULL;
}

static const ifn_allocator pages = {page_alloc, page_resize, page_free, NULL};

static const ifn_allocator *its_buffers(const ifn_backend *self)
{
    (void)self;
    return &pages;
}

/* guard_matmul, ...: opens the pages, runs the op, closes them. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status guard_##name(ifn_backend *self, const ifn_##name##_args *a)                  \
    {                                                                                              \
        protect(PROT_READ | PROT_WRITE);                                                           \
        const ifn_status status = ifn_##name(self->inner, a);                                      \
        protect(PROT_NONE);                                                                        \
        return status;                                                                             \
    }
IFN_OPS(X)
#undef X

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
#define X(NAME, name, cut, cut2, doc) t->name = guard_##name;
    IFN_OPS(X)
#undef X
}

static const ifn_backend_desc closing = {
    IFN_BACKEND_STAMP, .flags = IFN_BACKEND_WRAPPER, .name = "closing", .summary = "own memory",
    .fill = fill,      .buffers = its_buffers,
};

static void generate(const tiny_model *m, const ifn_context_params *p, ifn_token *ids, size_t n)
{
    const char *path = temp_path("own.gguf");
    ifn_backend *scalar;
    road r;
    ifn_error err = {0};
    tiny_write(m, path);
    assert_ok(ifn_gguf_open(path, NULL, &r.gguf, &err), err);
    assert_ok(ifn_model_open(r.gguf, NULL, &r.model, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    assert_ok(ifn_backend_open_desc(&closing, scalar, "", NULL, &r.backend, &err), err);
    assert_ok(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, p), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, p, NULL, &r.context, &err), err);
    assert_true(closed.n > 0);
    road_generate(&r, (const ifn_token[]){5, 6, 7}, 3, ids, n);
    float prob = 0;
    assert_int_equal(road_greedy(&r, &prob), ids[n - 1]);
    assert_true(prob > 0.0f && prob <= 1.0f);
    road_close(&r);
    ifn_backend_close(scalar);
    assert_int_equal(closed.n, 0);
}

TEST(the_road_never_looks_into_a_buffer)
{
    for (int graph = 0; graph < 2; graph++) {
        const tiny_model m = tiny_default("qwen3");
        ifn_context_params p = road_params();
        p.graph = graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED;
        ifn_token foreign[8], plain[8];
        generate(&m, &p, foreign, N_OF(foreign));
        road r = road_open(&m, &p);
        road_generate(&r, (const ifn_token[]){5, 6, 7}, 3, plain, N_OF(plain));
        road_close(&r);
        assert_memory_equal(foreign, plain, sizeof plain);
    }
}
