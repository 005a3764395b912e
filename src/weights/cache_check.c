#include "cache_check.h"

#include <stdatomic.h>

#include "hash64.h"
#include "model_priv.h"
#include "pool.h"

uint64_t ifn_cache_hash_weight(const ifn_model *model, const ifn_tensor *w)
{
    const size_t bytes = ifn_matrix_bytes(w);
    const uint64_t hash = ifn_hash64(w->data, bytes, 0);
    ifn_gguf_drop(ifn_model_gguf(model), w->data, bytes);
    return hash;
}

bool ifn_cache_is_of_stamp(const ifn_cache_file *file, const ifn_model *model)
{
    return file->model.bytes != 0 && ifn_file_stamp_equal(&file->model, ifn_model_stamp(model));
}

/* The state that the threads share: `next` is the next entry to check, `first_bad` the first bad one found so far. */
typedef struct checking {
    const ifn_cache_check *what;
    bool is_of_stamp;
    atomic_size_t next, first_bad;
} checking;

static bool is_image_good(const ifn_cache_check *c, const ifn_cache_entry *e)
{
    return ifn_hash64(ifn_cache_file_image(c->file, e), e->bytes, 0) == e->image;
}

static bool is_weight_good(const checking *c, size_t i, const ifn_cache_entry *e)
{
    return c->is_of_stamp ||
           ifn_cache_hash_weight(c->what->model, c->what->items[i].weight) == e->weight;
}

static void note_bad(checking *c, size_t i)
{
    size_t first = atomic_load(&c->first_bad);
    while (i < first && !atomic_compare_exchange_weak(&c->first_bad, &first, i))
        continue;
}

static void check_some(void *cookie, int32_t task)
{
    checking *const c = cookie;
    size_t i;
    (void)task;
    while ((i = atomic_fetch_add(&c->next, 1)) < c->what->file->n) {
        const ifn_cache_entry e = ifn_cache_file_entry(c->what->file, i);
        if (!is_weight_good(c, i, &e) || !is_image_good(c->what, &e))
            note_bad(c, i);
    }
}

static ifn_status tell_bad(const checking *c, size_t i, ifn_error *err)
{
    const ifn_cache_entry e = ifn_cache_file_entry(c->what->file, i);
    if (!is_weight_good(c, i, &e))
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s was another weight when it was prepared",
                        ifn_path_label(c->what->path), e.name);
    return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s has changed since it was written",
                    ifn_path_label(c->what->path), e.name);
}

ifn_status ifn_cache_check_run(const ifn_cache_check *self, const ifn_allocator *alloc,
                               ifn_error *err)
{
    ifn_pool *pool;
    checking c = {.what = self, .is_of_stamp = ifn_cache_is_of_stamp(self->file, self->model)};
    atomic_init(&c.next, 0);
    atomic_init(&c.first_bad, SIZE_MAX);
    IFN_TRY(ifn_pool_open(self->n_threads, alloc, &pool, err));
    (void)ifn_pool_run(pool, ifn_pool_threads(pool), check_some, &c);
    ifn_pool_close(pool);
    const size_t bad = atomic_load(&c.first_bad);
    return bad == SIZE_MAX ? IFN_OK : tell_bad(&c, bad, err);
}
