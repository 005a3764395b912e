#include <inferno/gguf.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "gguf_priv.h"
#include "image.h"
#include "paths.h"
#include "test.h"

/* Makes a file with two keys and two tensors, whose data are in reverse order with a gap between. */
static image small_image(uint32_t version)
{
    image bytes = image_new(version, 2, 2);
    image_kv_u32(&bytes, "first", 1);
    image_key(&bytes, "second", IFN_GGUF_STRING);
    image_string(&bytes, "value");
    image_tensor(&bytes, "late", 2, (uint64_t[]){4, 2}, 0, 64);
    image_tensor(&bytes, "early", 1, (uint64_t[]){3}, 0, 0);
    image_pad(&bytes, 32);
    image_zeros(&bytes, 96);
    return bytes;
}

TEST(a_file_says_what_it_is)
{
    for (uint32_t version = 1; version <= 3; version++) {
        image bytes = small_image(version);
        const char *path = temp_path("small.gguf");
        write_file(path, bytes.data, bytes.bytes);
        ifn_gguf *gguf;
        ifn_error err;
        assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
        assert_string_equal(ifn_gguf_path(gguf), path);
        assert_int_equal(ifn_gguf_version(gguf), version);
        assert_int_equal(ifn_gguf_alignment(gguf), 32);
        assert_int_equal(ifn_gguf_file_bytes(gguf), bytes.bytes);
        assert_int_equal(ifn_gguf_data_offset(gguf), bytes.bytes - 96);
        assert_int_equal(ifn_gguf_n_kv(gguf), 2);
        assert_int_equal(ifn_gguf_n_tensors(gguf), 2);
        ifn_gguf_close(gguf);
        image_free(&bytes);
    }
}

TEST(bytes_in_memory_are_borrowed_not_copied)
{
    image bytes = small_image(3);
    ifn_gguf *gguf;
    ifn_error err;
    char name[] = "a name";
    assert_ok(ifn_gguf_open_memory(name, bytes.data, bytes.bytes, NULL, &gguf, &err), err);
    name[0] = 'x';
    assert_string_equal(ifn_gguf_path(gguf), "a name");
    const ifn_gguf_tensor *late = ifn_gguf_find_tensor(gguf, "late");
    assert_ptr_equal(late->view.data, bytes.data + bytes.bytes - 96 + 64);
    assert_ptr_equal((const uint8_t *)ifn_gguf_find(gguf, "first")->key.data, bytes.data + 32);
    ifn_gguf_close(gguf);
    image_free(&bytes);
}

static void assert_open_fails(const char *path, ifn_status expected, const char *why)
{
    ifn_gguf *gguf = (ifn_gguf *)&gguf;
    ifn_error err;
    assert_int_equal(ifn_gguf_open(path, NULL, &gguf, &err), expected);
    assert_null(gguf);
    assert_int_equal(err.status, expected);
    assert_that(strstr(err.text, path) && strstr(err.text, why), "'%s' does not say '%s'", err.text,
                why);
}

TEST(what_is_no_gguf_file_is_refused_by_name)
{
    assert_open_fails(temp_path("missing"), IFN_ERR_IO, "no such file");
    assert_open_fails("/", IFN_ERR_IO, "directory");
    const char *path = temp_path("other");
    write_file(path, "", 0);
    assert_open_fails(path, IFN_ERR_FORMAT, "truncated: found 0 bytes");
    write_file(path, "GGUF", 4);
    assert_open_fails(path, IFN_ERR_FORMAT, "expected a version");
    write_file(path,
               "\x7f"
               "ELF....",
               8);
    assert_open_fails(path, IFN_ERR_FORMAT, "found 7f 45 4c 46, expected GGUF");
}

TEST(every_failing_allocation_is_reported_and_nothing_leaks)
{
    image bytes = small_image(3);
    fail_alloc counting;
    ifn_gguf *gguf;
    fail_alloc_init(&counting, -1);
    assert_int_equal(
        ifn_gguf_open_memory("m", bytes.data, bytes.bytes, &counting.allocator, &gguf, NULL), 0);
    ifn_gguf_close(gguf);
    assert_int_equal(counting.live_bytes, 0);
    assert_true(counting.n_calls > 0);
    for (long n = 0; n < counting.n_calls; n++) {
        fail_alloc failing;
        ifn_error err = {.status = IFN_OK};
        fail_alloc_init(&failing, n);
        assert_int_equal(
            ifn_gguf_open_memory("m", bytes.data, bytes.bytes, &failing.allocator, &gguf, &err),
            IFN_ERR_NOMEM);
        assert_null(gguf);
        assert_int_equal(err.status, IFN_ERR_NOMEM);
        assert_string_equal(err.text, "m: out of memory");
        assert_int_equal(failing.live_blocks, 0);
    }
    image_free(&bytes);
}

TEST(a_long_path_leaves_room_for_the_reason)
{
    char path[301];
    memset(path, 'p', 300);
    strcpy(path + 290, "/file.gguf");
    ifn_gguf *gguf;
    ifn_error err;
    assert_int_equal(ifn_gguf_open_memory(path, "GGML", 4, NULL, &gguf, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "/file.gguf: magic: found 47 47 4d 4c, expected GGUF"));
}

/* Returns how many lines of this process's list of mappings name the file. */
static int n_mappings_of(const char *path)
{
    char *maps = read_file("/proc/self/maps", NULL);
    int n = 0;
    for (const char *at = maps; (at = strstr(at, path)); at++)
        n++;
    free(maps);
    return n;
}

TEST(closing_gives_the_mapping_back)
{
    if (access("/proc/self/maps", R_OK) != 0)
        skip();
    image bytes = small_image(3);
    const char *path = temp_path("mapped.gguf");
    write_file(path, bytes.data, bytes.bytes);
    image_free(&bytes);
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    assert_int_equal(n_mappings_of(path), 1);
    ifn_gguf_close(gguf);
    assert_int_equal(n_mappings_of(path), 0);
    write_file(path, "GGUF", 4);
    assert_int_equal(ifn_gguf_open(path, NULL, &gguf, &err), IFN_ERR_FORMAT);
    assert_int_equal(n_mappings_of(path), 0);
}

TEST(closing_nothing_is_fine)
{
    ifn_gguf_close(NULL);
}

TEST(bytes_of_the_caller_are_never_dropped)
{
    enum { PAGE = 4096, BYTES = 16 * PAGE };
    image bytes = small_image(3);
    unsigned char *const own = aligned_alloc(PAGE, BYTES);
    ifn_gguf *gguf;
    ifn_error err = {0};
    assert_non_null(own);
    memset(own, 7, BYTES);
    memcpy(own, bytes.data, bytes.bytes);
    assert_ok(ifn_gguf_open_memory("own", own, bytes.bytes, NULL, &gguf, &err), err);
    ifn_gguf_drop(gguf, own, bytes.bytes);
    ifn_gguf_drop(gguf, own, BYTES);
    assert_memory_equal(own, bytes.data, bytes.bytes);
    assert_int_equal(own[BYTES - 1], 7);
    ifn_gguf_close(gguf);
    image_free(&bytes);
    free(own);
}
