#include "cache_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model_priv.h"
#include "weights_road.h"

enum { N = 5 };

/* A cache of the first weights of a model; the images are copies of their bytes. */
typedef struct made {
    half_road road;
    ifn_cache_item items[N];
    ifn_cache_file file;
    const char *path;
} made;

static made make(const ifn_file_stamp *stamp)
{
    const tiny_model m = tiny_default("qwen3");
    made c = {.road = half_road_open(&m), .path = temp_path("images")};
    ifn_error err = {0};
    const ifn_layer *const l = ifn_model_layer(c.road.model, 0);
    const ifn_tensor *const weights[N] = {l->attn_q, l->attn_k, l->attn_v, l->ffn_up, l->ffn_down};
    for (int i = 0; i < N; i++) {
        c.items[i] = (ifn_cache_item){.weight = weights[i], .image = weights[i]->data};
        c.items[i].entry.bytes = ifn_matrix_bytes(weights[i]);
        c.items[i].entry.weight = ifn_cache_hash_weight(c.road.model, weights[i]);
        snprintf(c.items[i].entry.name, sizeof c.items[i].entry.name, "%s", weights[i]->name);
    }
    const ifn_cache_target target = {.path = c.path,
                                     .model = stamp ? stamp : ifn_model_stamp(c.road.model)};
    assert_ok(ifn_cache_file_write(&target, c.items, N, ifn_default_allocator(), &err), err);
    return c;
}

static ifn_status check(made *c, int32_t n_threads, ifn_error *err)
{
    const ifn_cache_check all = {&c->file, c->path, c->road.model, c->items, n_threads};
    ifn_error bad = {0};
    assert_ok(ifn_cache_file_open(c->path, &c->file, &bad), bad);
    const ifn_status status = ifn_cache_check_run(&all, ifn_default_allocator(), err);
    ifn_cache_file_close(&c->file);
    return status;
}

/* Changes one byte of the image of item i. */
static void flip(const made *c, int i)
{
    size_t bytes;
    char *data = read_file(c->path, &bytes);
    data[c->items[i].entry.offset + c->items[i].entry.bytes - 1] ^= 1;
    write_file(c->path, data, bytes);
    free(data);
}

TEST(what_was_written_is_good_on_any_number_of_threads)
{
    made c = make(NULL);
    for (int32_t n = 1; n < 4; n++) {
        ifn_error err = {0};
        assert_ok(check(&c, n, &err), err);
    }
    half_road_close(&c.road);
}

TEST(the_first_image_that_has_changed_is_named)
{
    for (int32_t n = 1; n < 4; n++) {
        made c = make(NULL);
        ifn_error err = {0};
        flip(&c, 4);
        flip(&c, 2);
        assert_int_equal(check(&c, n, &err), IFN_ERR_FORMAT);
        assert_non_null(strstr(err.text, "blk.0.attn_v.weight has changed since it was written"));
        half_road_close(&c.road);
    }
}

/* The weight has changed: this is not noticed where the cache has the stamp of the model's file. */
TEST(weights_are_hashed_where_the_stamp_is_another)
{
    static const ifn_file_stamp none = {0}, other = {.bytes = 1, .inode = 2, .changed = 3};
    const ifn_file_stamp *const stamps[] = {&none, &other, NULL};
    for (size_t i = 0; i < N_OF(stamps); i++) {
        made c = make(stamps[i]);
        ifn_error err = {0};
        assert_ok(check(&c, 2, &err), err);
        c.items[3].weight = c.items[4].weight;
        if (stamps[i]) {
            assert_int_equal(check(&c, 2, &err), IFN_ERR_FORMAT);
            assert_non_null(strstr(err.text, "blk.0.ffn_up.weight was another weight when"));
        } else {
            assert_ok(check(&c, 2, &err), err);
        }
        half_road_close(&c.road);
    }
}
