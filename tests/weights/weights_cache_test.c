#include "weights_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "weights_road.h"

/* The notes that one opening gave. */
typedef struct notes {
    int n;
    char last[512];
} notes;

static void hear(void *cookie, const char *text)
{
    notes *const all = cookie;
    all->n++;
    snprintf(all->last, sizeof all->last, "%s", text);
}

static ifn_weights *open_for(uint32_t uses, const half_road *r, ifn_backend *b, const char *path,
                             notes *heard)
{
    const ifn_weights_params how =
        IFN_SIZED(ifn_weights_params, .uses = uses, .cache = path, .note = hear, .cookie = heard);
    ifn_weights *w;
    ifn_error err = {0};
    *heard = (notes){0};
    assert_ok(ifn_weights_open_with(r->model, b, &how, NULL, &w, &err), err);
    return w;
}

static ifn_weights *open_cached(const half_road *r, ifn_backend *b, const char *path, notes *heard)
{
    return open_for(IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 | IFN_USE_GATHER_ROWS, r, b, path, heard);
}

static ifn_backend *open_simd(void)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("simd", NULL, &b, &err), err);
    return b;
}

/* Expects the file to hold the image of q, byte for byte. */
static void expect_image_in(const char *path, const ifn_weights *w, ifn_backend *b)
{
    const ifn_weight *const q = &w->layers[0].qkv.w[0];
    ifn_cache_file f;
    ifn_error err = {0};
    size_t bytes = 0, i = 0, use = 0;
    assert_ok(ifn_cache_file_open(path, &f, &err), err);
    while (strcmp(ifn_cache_file_entry(&f, i).name, q->raw->name) != 0)
        assert_true(++i < f.n);
    while (q->packed_by[use] != b)
        assert_true(++use < IFN_WEIGHT_USE_COUNT);
    const ifn_cache_entry e = ifn_cache_file_entry(&f, i);
    const void *const image = b->desc->image(b, &q->packed[use], &bytes);
    assert_int_equal(e.bytes, bytes);
    assert_memory_equal(ifn_cache_file_image(&f, &e), image, bytes);
    ifn_cache_file_close(&f);
}

/* Opens the weights once, and returns how many handles were prepared and adopted. */
static void open_once(const half_road *r, ifn_backend *b, const char *path, notes *heard,
                      int64_t *prepared, int64_t *adopted)
{
    ifn_weights *const w = open_cached(r, b, path, heard);
    *prepared = ifn_weights_prepared(w);
    *adopted = ifn_weights_adopted(w);
    ifn_weights_unref(w);
}

static void expect_made(const half_road *r, ifn_backend *b, const char *path, const char *note)
{
    notes heard;
    int64_t prepared, adopted;
    open_once(r, b, path, &heard, &prepared, &adopted);
    assert_true(prepared > 0);
    assert_int_equal(adopted, 0);
    assert_int_equal(heard.n, note != NULL);
    if (note)
        assert_that(strstr(heard.last, note) != NULL, "%s", heard.last);
}

static void expect_used(const half_road *r, ifn_backend *b, const char *path)
{
    notes heard;
    int64_t prepared, adopted;
    open_once(r, b, path, &heard, &prepared, &adopted);
    assert_that(heard.n == 0, "%s", heard.last);
    assert_int_equal(prepared, 0);
    assert_true(adopted > 0);
}

TEST(the_second_opening_prepares_nothing)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0,
                                       IFN_DTYPE_Q4_K};
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        const tiny_model m = tiny_wide("qwen3", dtypes[i]);
        half_road r = half_road_open(&m);
        const char *path = temp_path("w.cache");
        unlink(path);
        ifn_backend *b = open_simd();
        notes heard;
        ifn_weights *const first = open_cached(&r, b, path, &heard);
        ifn_weights *const second = open_cached(&r, b, path, &heard);
        assert_int_equal(heard.n, 0);
        assert_int_equal(ifn_weights_prepared(second), 0);
        assert_int_equal(ifn_weights_adopted(first), 0);
        assert_int_equal(ifn_weights_adopted(second), ifn_weights_prepared(first));
        assert_true(ifn_weights_bytes(second) < ifn_weights_bytes(first));
        const ifn_weight *const of_1 = &first->layers[0].qkv.w[0];
        const ifn_weight *const of_2 = &second->layers[0].qkv.w[0];
        for (size_t use = 0; use < IFN_WEIGHT_USE_COUNT; use++)
            assert_int_equal(!of_1->handle[use], !of_2->handle[use]);
        expect_image_in(path, first, b);
        ifn_weights_unref(first);
        ifn_weights_unref(second);
        ifn_backend_close(b);
        half_road_close(&r);
    }
}

/* The cache asks the backend only for names of layouts: uses with the same names share images. */
TEST(a_cache_is_that_of_all_uses_with_the_same_layouts)
{
    static const uint32_t others[] = {IFN_USE_LINEAR | IFN_USE_LINEAR_Q8,
                                      IFN_USE_LINEAR_Q8 | IFN_USE_ONE_ROW,
                                      IFN_USE_LINEAR_Q8 | IFN_USE_MANY_ROWS | IFN_USE_GATHER_ROWS};
    for (int i = 0; i < 2; i++) {
        const tiny_model m = tiny_wide("qwen3", i ? IFN_DTYPE_F16 : IFN_DTYPE_Q8_0);
        half_road r = half_road_open(&m);
        const char *path = temp_path("uses.cache");
        ifn_backend *b = open_simd();
        notes heard;
        expect_made(&r, b, path, NULL);
        for (size_t k = 0; k < N_OF(others); k++) {
            ifn_weights *const w = open_for(others[k], &r, b, path, &heard);
            assert_that(heard.n == 0, "%s", heard.last);
            assert_int_equal(ifn_weights_prepared(w), 0);
            assert_true(ifn_weights_adopted(w) > 0);
            ifn_weights_unref(w);
            ifn_weights *const anew = weights_of(&r, b, others[k]);
            expect_image_in(path, anew, b);
            ifn_weights_unref(anew);
        }
        unlink(path);
        ifn_backend_close(b);
        half_road_close(&r);
    }
}

static void flip_byte(const char *path, off_t from_end)
{
    size_t bytes;
    char *data = read_file(path, &bytes);
    data[bytes - (size_t)from_end] ^= 1;
    write_file(path, data, bytes);
    free(data);
}

TEST(a_cache_that_does_not_fit_is_made_anew)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    const char *path = temp_path("anew.cache");
    ifn_backend *b = open_simd();
    struct stat st;
    expect_made(&r, b, path, NULL);
    expect_used(&r, b, path);
    flip_byte(path, 1);
    expect_made(&r, b, path, " has changed since it was written; it is made anew");
    expect_used(&r, b, path);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(truncate(path, st.st_size - 1), 0);
    expect_made(&r, b, path, " bytes, expected ");
    expect_used(&r, b, path);
    ifn_backend_close(b);
    half_road_close(&r);
}

TEST(a_cache_of_other_weights_or_another_layout_is_made_anew)
{
    tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    const char *path = temp_path("other.cache");
    ifn_backend *b = open_simd();
    half_road r = half_road_open(&m);
    expect_made(&r, b, path, NULL);
    half_road_close(&r);
    m.seed++;
    r = half_road_open(&m);
    expect_made(&r, b, path, " was another weight when it was prepared; it is made anew");
    expect_used(&r, b, path);
    half_road_close(&r);
    m = tiny_wide("qwen3", IFN_DTYPE_Q4_0);
    r = half_road_open(&m);
    expect_made(&r, b, path, "; it is made anew");
    expect_used(&r, b, path);
    half_road_close(&r);
    ifn_backend_close(b);
}

TEST(what_cannot_be_written_is_a_note)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_simd();
    expect_made(&r, b, temp_path("no/folder.cache"), "; weights are prepared at each start");
    expect_made(&r, b, "/", "is a directory");
    ifn_backend_close(b);
    half_road_close(&r);
}

TEST(files_of_others_are_left_alone)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_simd();
    const char *text = temp_path("letter.txt"), *fifo = temp_path("pipe");
    write_file(text, "Dear reader,", 12);
    expect_made(&r, b, text, "letter.txt: is no cache of prepared weights, and left as it is");
    char *still = read_file(text, NULL);
    assert_string_equal(still, "Dear reader,");
    free(still);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    expect_made(&r, b, fifo, "is not a regular file");
    ifn_backend_close(b);
    half_road_close(&r);
}

TEST(a_backend_without_layouts_makes_no_cache)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    const char *path = temp_path("none.cache");
    notes heard;
    ifn_weights_unref(open_cached(&r, r.scalar, path, &heard));
    assert_int_equal(heard.n, 1);
    assert_non_null(strstr(heard.last, "none.cache: not made, as nothing is prepared that"));
    assert_int_not_equal(access(path, F_OK), 0);
    half_road_close(&r);
}

TEST(every_failed_allocation_is_an_error_or_a_note)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_simd();
    for (int is_there = 0; is_there < 2; is_there++) {
        for (long n = 0; n < 40; n++) {
            const char *path = temp_path("memory.cache");
            if (!is_there)
                unlink(path);
            fail_alloc failing;
            ifn_weights *w;
            ifn_error err = {0};
            notes heard = {0};
            fail_alloc_init(&failing, n);
            const ifn_weights_params how = IFN_SIZED(ifn_weights_params, .uses = IFN_USE_LINEAR_Q8,
                                                     .cache = path, .note = hear, .cookie = &heard);
            const ifn_status status =
                ifn_weights_open_with(r.model, b, &how, &failing.allocator, &w, &err);
            if (status != IFN_OK)
                assert_non_null(strstr(err.text, "memory"));
            if (heard.n)
                assert_non_null(strstr(heard.last, "memory"));
            ifn_weights_unref(w);
            assert_int_equal(failing.live_blocks, 0);
        }
        expect_made(&r, b, temp_path("full.cache"), NULL);
        unlink(temp_path("full.cache"));
    }
    ifn_backend_close(b);
    half_road_close(&r);
}
