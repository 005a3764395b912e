#include "cache_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "paths.h"
#include "test.h"

enum { N = 3, PAGE = 4096, AT_VERSION = 8, AT_BYTES = 16 };

static const char *const images[N] = {"some bytes", "", "others, a few more"};
static const ifn_file_stamp stamp = {.bytes = 12, .inode = 34, .modified = 56, .changed = -78};

static void make_items(ifn_cache_item items[N])
{
    for (int i = 0; i < N; i++) {
        items[i] = (ifn_cache_item){.image = images[i]};
        items[i].entry = (ifn_cache_entry){.weight = 100 + (uint64_t)i, .bytes = strlen(images[i])};
        snprintf(items[i].entry.name, sizeof items[i].entry.name, "blk.%d", i);
        snprintf(items[i].entry.layout, sizeof items[i].entry.layout, "mine/%d", i);
    }
}

static const char *write_cache(void)
{
    const char *path = temp_path("cache");
    ifn_cache_item items[N];
    ifn_error err = {0};
    make_items(items);
    const ifn_cache_target target = {.path = path, .model = &stamp};
    assert_ok(ifn_cache_file_write(&target, items, N, ifn_default_allocator(), &err), err);
    return path;
}

TEST(what_was_written_is_there)
{
    ifn_cache_file f;
    ifn_error err = {0};
    assert_ok(ifn_cache_file_open(write_cache(), &f, &err), err);
    assert_int_equal(f.n, N);
    assert_true(ifn_file_stamp_equal(&f.model, &stamp));
    for (int i = 0; i < N; i++) {
        const ifn_cache_entry e = ifn_cache_file_entry(&f, (size_t)i);
        char name[16];
        snprintf(name, sizeof name, "blk.%d", i);
        assert_string_equal(e.name, name);
        snprintf(name, sizeof name, "mine/%d", i);
        assert_string_equal(e.layout, name);
        assert_int_equal(e.weight, 100 + i);
        assert_int_equal(e.bytes, strlen(images[i]));
        assert_int_equal(e.offset % PAGE, 0);
        assert_int_equal((uintptr_t)ifn_cache_file_image(&f, &e) % PAGE, 0);
        assert_memory_equal(ifn_cache_file_image(&f, &e), images[i], e.bytes);
    }
    ifn_cache_file_close(&f);
    ifn_cache_file_close(&f);
    assert_int_equal(names_in(temp_path(""), "cache"), 1);
}

static void expect_bad(const char *path, bool is_foreign, const char *text)
{
    ifn_cache_file f;
    ifn_error err = {0};
    assert_int_equal(ifn_cache_file_open(path, &f, &err), IFN_ERR_FORMAT);
    assert_int_equal(f.is_foreign, is_foreign);
    assert_non_null(strstr(err.text, text));
    assert_non_null(strstr(err.text, path));
    ifn_cache_file_close(&f);
}

/* Returns where the head ends, with its hash; the first image begins at the next page. */
static size_t head_bytes(const char *data)
{
    size_t end = PAGE;
    while (data[end - 1] == 0)
        end--;
    return end;
}

TEST(each_changed_byte_of_the_head_is_noticed)
{
    const char *path = write_cache();
    size_t bytes;
    char *data = read_file(path, &bytes);
    for (size_t i = 0; i < head_bytes(data); i++) {
        data[i] ^= 0x40;
        write_file(path, data, bytes);
        data[i] ^= 0x40;
        expect_bad(path, i < 8, i < 8 ? "is no cache of prepared weights, and left as it is" : "");
    }
    data[AT_VERSION]++;
    write_file(path, data, bytes);
    expect_bad(path, false, "has version 2, expected 1");
    data[AT_VERSION]--;
    data[AT_BYTES]++;
    write_file(path, data, bytes);
    expect_bad(path, false, " bytes, expected ");
    free(data);
}

TEST(each_cut_is_noticed)
{
    const char *path = write_cache();
    size_t bytes;
    char *data = read_file(path, &bytes);
    assert_true(bytes > PAGE);
    for (size_t n = 0; n < bytes; n += n < PAGE / 4 ? 1 : 509) {
        write_file(path, data, n);
        expect_bad(path, n < 8, "");
    }
    write_file(path, data, bytes - 1);
    expect_bad(path, false, " bytes, expected ");
    free(data);
}

TEST(entries_outside_of_the_file_are_refused)
{
    const char *path = temp_path("odd");
    ifn_cache_file f;
    ifn_error err = {0};
    ifn_cache_item item = {.image = "", .entry = {.name = "w"}};
    memset(item.entry.name, 'x', sizeof item.entry.name); /* no NUL */
    const ifn_cache_target target = {.path = path, .model = &stamp};
    assert_ok(ifn_cache_file_write(&target, &item, 1, ifn_default_allocator(), &err), err);
    assert_int_equal(ifn_cache_file_open(path, &f, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "entry 0 does not fit"));
    ifn_cache_file_close(&f);
}

TEST(what_is_no_cache_is_told_from_one_that_is_broken)
{
    const char *path = temp_path("other");
    write_file(path, "GGUF and more than that", 23);
    expect_bad(path, true, "is no cache");
    write_file(path, "", 0);
    expect_bad(path, true, "is no cache");
    ifn_cache_file f;
    assert_int_equal(ifn_cache_file_open(temp_path("missing"), &f, NULL), IFN_ERR_IO);
    ifn_cache_file_close(&f);
}

TEST(a_failed_write_leaves_the_old_file)
{
    const char *path = write_cache();
    size_t bytes, after;
    char *data = read_file(path, &bytes);
    ifn_cache_target target = {.path = path, .model = &stamp};
    for (long n = 0; n < 4; n++) {
        fail_alloc failing;
        ifn_cache_item items[N];
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        make_items(items);
        assert_int_equal(ifn_cache_file_write(&target, items, N, &failing.allocator, &err),
                         IFN_ERR_NOMEM);
        assert_non_null(strstr(err.text, "out of memory"));
        assert_int_equal(failing.live_blocks, 0);
    }
    ifn_cache_item items[N];
    make_items(items);
    target.path = temp_path("no/folder");
    assert_int_equal(ifn_cache_file_write(&target, items, N, ifn_default_allocator(), NULL),
                     IFN_ERR_IO);
    char *still = read_file(path, &after);
    assert_int_equal(after, bytes);
    assert_memory_equal(still, data, bytes);
    assert_int_equal(names_in(temp_path(""), "cache"), 1);
    free(still);
    free(data);
}

typedef struct heard {
    int n_named, n_ended;
} heard;

static void hear(void *cookie, const char *temporary)
{
    heard *const h = cookie;
    h->n_named += temporary != NULL;
    h->n_ended += temporary == NULL;
    if (temporary) {
        assert_int_equal(access(temporary, F_OK), 0);
        assert_int_equal(names_in(temp_path(""), "heard"), 1);
    }
}

TEST(who_asks_hears_under_which_name_it_is_written)
{
    ifn_cache_item items[N];
    heard h = {0};
    make_items(items);
    ifn_cache_target target = {temp_path("heard"), &stamp, hear, &h};
    assert_int_equal(ifn_cache_file_write(&target, items, N, ifn_default_allocator(), NULL),
                     IFN_OK);
    assert_int_equal(h.n_named, 1);
    assert_int_equal(h.n_ended, 1);
    h = (heard){0};
    target.path = temp_path("no/heard"); /* the file cannot be begun */
    assert_int_equal(ifn_cache_file_write(&target, items, N, ifn_default_allocator(), NULL),
                     IFN_ERR_IO);
    assert_int_equal(h.n_named, 0);
}
