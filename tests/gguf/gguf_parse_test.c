#include <inferno/gguf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_alloc.h"
#include "image.h"
#include "paths.h"
#include "sample.h"
#include "test.h"
#include "walk.h"

static void assert_refused(image *bytes, const char *why)
{
    const ifn_error err = image_try(bytes);
    assert_that(err.status == IFN_ERR_FORMAT && strstr(err.text, why) &&
                    strncmp(err.text, "image.gguf: ", 12) == 0,
                "status %d, '%s' does not say '%s'", (int)err.status, err.text, why);
    image_free(bytes);
}

static void assert_accepted(image *bytes)
{
    const ifn_error err = image_try(bytes);
    assert_that(err.status == IFN_OK, "%s", err.text);
    image_free(bytes);
}

TEST(only_versions_1_to_3_are_read)
{
    for (uint32_t version = 0; version < 8; version++) {
        image bytes = image_new(version, 0, 0);
        const ifn_error err = image_try(&bytes);
        const int known = version >= 1 && version <= 3;
        assert_int_equal(err.status, known ? IFN_OK : IFN_ERR_UNSUPPORTED);
        assert_true(known || strstr(err.text, "expected 1, 2 or 3"));
        image_free(&bytes);
    }
}

TEST(a_big_endian_file_is_named_as_such)
{
    image bytes = image_new(0x03000000, 0, 0);
    const ifn_error err = image_try(&bytes);
    assert_int_equal(err.status, IFN_ERR_UNSUPPORTED);
    assert_string_equal(err.text,
                        "image.gguf: found a big-endian file, expected a little-endian one");
    assert_int_equal(err.offset, 4);
    image_free(&bytes);
}

TEST(counts_that_the_file_cannot_hold_are_refused_before_any_allocation)
{
    static const uint64_t counts[] = {1, 24, 1ull << 31, 1ull << 60, UINT64_MAX / 88, UINT64_MAX};
    for (size_t i = 0; i < N_OF(counts); i++) {
        for (int which = 0; which < 2; which++) {
            image bytes = image_new(3, which ? counts[i] : 0, which ? 0 : counts[i]);
            fail_alloc counting;
            ifn_gguf *gguf;
            fail_alloc_init(&counting, -1);
            assert_int_equal(ifn_gguf_open_memory("m", bytes.data, bytes.bytes, &counting.allocator,
                                                  &gguf, NULL),
                             IFN_ERR_FORMAT);
            assert_true(counting.peak_bytes < 1000);
            image_free(&bytes);
        }
    }
}

TEST(a_key_may_not_be_empty_or_stand_twice)
{
    image bytes = image_new(3, 0, 1);
    image_kv_u32(&bytes, "", 1);
    assert_refused(&bytes, "key: found an empty one at byte 24");
    bytes = image_new(3, 0, 3);
    image_kv_u32(&bytes, "same", 1);
    image_kv_u32(&bytes, "other", 1);
    image_kv_u32(&bytes, "same", 2);
    assert_refused(&bytes, "same: key: found twice, expected once");
}

static image aligned(uint32_t type, uint32_t value)
{
    image bytes = image_new(3, 0, 1);
    image_key(&bytes, "general.alignment", type);
    image_u32(&bytes, value);
    return bytes;
}

TEST(the_alignment_is_a_u32_and_a_power_of_two)
{
    for (uint32_t shift = 0; shift < 32; shift++) {
        image bytes = aligned(IFN_GGUF_UINT32, 1u << shift);
        assert_accepted(&bytes);
    }
    static const uint32_t wrong[] = {0, 3, 24, 33, UINT32_MAX};
    for (size_t i = 0; i < N_OF(wrong); i++) {
        image bytes = aligned(IFN_GGUF_UINT32, wrong[i]);
        assert_refused(&bytes, "expected a power of two");
    }
    image bytes = aligned(IFN_GGUF_INT32, 32);
    assert_refused(&bytes, "general.alignment: found i32, expected u32");
    bytes = aligned(IFN_GGUF_FLOAT32, 32);
    assert_refused(&bytes, "general.alignment: found f32, expected u32");
}

TEST(data_begins_at_the_alignment_of_the_file)
{
    for (uint32_t alignment = 1; alignment <= 4096; alignment *= 2) {
        image bytes = image_new(3, 1, 1);
        image_kv_u32(&bytes, "general.alignment", alignment);
        image_tensor(&bytes, "t", 1, (uint64_t[]){1}, 24, alignment);
        image_pad(&bytes, alignment);
        const size_t begin = bytes.bytes;
        image_zeros(&bytes, alignment);
        image_put(&bytes, "!", 1);
        ifn_gguf *gguf;
        ifn_error err;
        assert_ok(image_open(&bytes, &gguf, &err), err);
        assert_int_equal(ifn_gguf_alignment(gguf), alignment);
        assert_int_equal(ifn_gguf_data_offset(gguf), begin);
        assert_int_equal(*(const char *)ifn_gguf_tensor_at(gguf, 0)->view.data, '!');
        image_close(gguf);
        image_free(&bytes);
    }
}

TEST(a_file_without_tensors_ends_where_its_metadata_ends)
{
    image bytes = image_new(3, 0, 1);
    image_kv_u32(&bytes, "k", 1);
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(image_open(&bytes, &gguf, &err), err);
    assert_int_equal(ifn_gguf_data_offset(gguf), bytes.bytes);
    image_close(gguf);
    image_put(&bytes, "trailing garbage", 16);
    assert_accepted(&bytes);
}

/* Makes a file with one tensor and a data section of `room` bytes. */
static image one_tensor(const char *name, uint32_t n_dims, const uint64_t *dims, uint32_t type,
                        uint64_t offset, size_t room)
{
    image bytes = image_new(3, 1, 0);
    image_tensor(&bytes, name, n_dims, dims, type, offset);
    image_pad(&bytes, 32);
    image_zeros(&bytes, room);
    return bytes;
}

TEST(a_tensor_is_what_its_entry_says)
{
    image bytes = one_tensor("weight", 3, (uint64_t[]){64, 2, 3}, 8, 32, 32 + 6 * 68);
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(image_open(&bytes, &gguf, &err), err);
    const ifn_gguf_tensor *t = ifn_gguf_tensor_at(gguf, 0);
    assert_string_equal(t->view.name, "weight");
    assert_int_equal(t->view.n_dims, 3);
    assert_int_equal(t->view.shape[0], 3);
    assert_int_equal(t->view.shape[1], 2);
    assert_int_equal(t->view.shape[2], 64);
    assert_int_equal(t->view.dtype, IFN_DTYPE_Q8_0);
    assert_int_equal(t->known, 1);
    assert_string_equal(t->type_name, "Q8_0");
    assert_int_equal(t->bytes, 6 * 68);
    assert_int_equal(t->offset, ifn_gguf_data_offset(gguf) + 32);
    image_close(gguf);
    image_free(&bytes);
}

TEST(a_type_without_code_is_still_named_and_measured)
{
    image bytes = one_tensor("t", 1, (uint64_t[]){256}, 17, 0, 74);
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(image_open(&bytes, &gguf, &err), err);
    const ifn_gguf_tensor *t = ifn_gguf_tensor_at(gguf, 0);
    assert_int_equal(t->known, 0);
    assert_int_equal(t->gguf_type, 17);
    assert_string_equal(t->type_name, "IQ2_XS");
    assert_int_equal(t->bytes, 74);
    image_close(gguf);
    image_free(&bytes);
    static const uint32_t withdrawn[] = {4, 5, 31, 32, 33, 36, 37, 38, 43, UINT32_MAX};
    for (size_t i = 0; i < N_OF(withdrawn); i++) {
        bytes = one_tensor("t", 1, (uint64_t[]){256}, withdrawn[i], 0, 4096);
        assert_refused(&bytes, "which is unknown or withdrawn");
    }
}

TEST(names_have_at_most_63_bytes_and_no_nul)
{
    char name[65] = {0};
    memset(name, 'n', 63);
    image bytes = one_tensor(name, 1, (uint64_t[]){1}, 0, 0, 4);
    assert_accepted(&bytes);
    name[63] = 'n';
    bytes = one_tensor(name, 1, (uint64_t[]){1}, 0, 0, 4);
    assert_refused(&bytes, "tensor name: found 64 bytes, expected at most 63");
    bytes = one_tensor("a_b", 1, (uint64_t[]){1}, 0, 0, 4);
    *(char *)memchr(bytes.data, '_', bytes.bytes) = '\0';
    assert_refused(&bytes, "NUL");
}

TEST(the_number_of_dimensions_is_at_most_4)
{
    for (uint32_t n = 0; n <= 4; n++) {
        image bytes = one_tensor("t", n, (uint64_t[]){1, 1, 1, 1}, 0, 0, 4);
        assert_accepted(&bytes);
    }
    image bytes = one_tensor("t", 5, (uint64_t[]){1, 1, 1, 1, 1}, 0, 0, 4);
    assert_refused(&bytes, "t: n_dims: found 5, expected at most 4");
}

TEST(a_tensor_without_dimensions_is_one_number)
{
    image bytes = one_tensor("scalar", 0, NULL, 0, 0, 4);
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(image_open(&bytes, &gguf, &err), err);
    const ifn_gguf_tensor *t = ifn_gguf_tensor_at(gguf, 0);
    assert_int_equal(t->view.n_dims, 1);
    assert_int_equal(t->view.shape[0], 1);
    assert_int_equal(t->bytes, 4);
    image_close(gguf);
    image_free(&bytes);
}

TEST(sizes_that_do_not_fit_64_bits_are_refused)
{
    static const struct {
        uint64_t dims[4];
        const char *why;
    } cases[] = {
        {{1ull << 63, 1, 1, 1}, "t: dimension: found 9223372036854775808"},
        {{UINT64_MAX, 1, 1, 1}, "t: dimension: found 18446744073709551615"},
        {{1ull << 32, 1ull << 32, 1, 1}, "t: shape: more bytes"},
        {{1, 1ull << 32, 1ull << 32, 1}, "t: shape: more elements"},
        /* With four bytes per element these sizes overflow to 0 and to 4096 bytes. */
        {{1ull << 62, 1, 1, 1}, "t: shape: more bytes"},
        {{1024, (1ull << 52) + 1, 1, 1}, "t: shape: more bytes"},
        {{1ull << 61, 1, 1, 1}, "expected them inside the file"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        image bytes = one_tensor("t", 4, cases[i].dims, 0, 0, 8192);
        assert_refused(&bytes, cases[i].why);
    }
}

TEST(a_row_is_a_whole_number_of_blocks)
{
    image bytes = one_tensor("t", 2, (uint64_t[]){33, 32}, 8, 0, 4096);
    assert_refused(&bytes, "t: row length: found 33, expected a multiple of 32 for Q8_0");
    bytes = one_tensor("t", 2, (uint64_t[]){128, 2}, 12, 0, 4096);
    assert_refused(&bytes, "expected a multiple of 256 for Q4_K");
}

TEST(data_lies_inside_the_file_at_an_aligned_offset)
{
    image bytes = one_tensor("t", 1, (uint64_t[]){8}, 0, 32, 64);
    assert_accepted(&bytes);
    bytes = one_tensor("t", 1, (uint64_t[]){8}, 0, 32, 63);
    assert_refused(&bytes, "t: data: found 32 bytes from data offset 32");
    bytes = one_tensor("t", 1, (uint64_t[]){8}, 0, 1, 64);
    assert_refused(&bytes, "t: offset: found 1, expected a multiple of 32");
    bytes = one_tensor("t", 1, (uint64_t[]){8}, 0, UINT64_MAX - 31, 64);
    assert_refused(&bytes, "expected them inside the file");
    bytes = one_tensor("t", 1, (uint64_t[]){8}, 0, 1ull << 40, 64);
    assert_refused(&bytes, "expected them inside the file");
}

/* Makes a file with tensors of 9 floats each at these offsets, in a data section of 192 bytes. */
static image tensors_at(const uint64_t *offsets, size_t n)
{
    image bytes = image_new(3, n, 0);
    for (size_t i = 0; i < n; i++)
        image_tensor(&bytes, (char[]){(char)('a' + i), 0}, 1, (uint64_t[]){9}, 0, offsets[i]);
    image_pad(&bytes, 32);
    image_zeros(&bytes, 192);
    return bytes;
}

TEST(data_may_lie_in_any_order_but_not_overlap)
{
    image bytes = tensors_at((uint64_t[]){128, 0, 64}, 3);
    assert_accepted(&bytes);
    bytes = tensors_at((uint64_t[]){128, 0, 32}, 3);
    assert_refused(&bytes, "data overlaps that of");
    bytes = tensors_at((uint64_t[]){64, 64}, 2);
    assert_refused(&bytes, "data overlaps that of");
}

TEST(a_tensor_of_no_elements_takes_no_room)
{
    image bytes = image_new(3, 3, 0);
    image_tensor(&bytes, "a", 1, (uint64_t[]){8}, 0, 0);
    image_tensor(&bytes, "none", 2, (uint64_t[]){8, 0}, 0, 32);
    image_tensor(&bytes, "b", 1, (uint64_t[]){8}, 0, 32);
    image_pad(&bytes, 32);
    image_zeros(&bytes, 64);
    assert_accepted(&bytes);
}

TEST(a_tensor_name_may_not_stand_twice)
{
    image bytes = image_new(3, 2, 0);
    image_tensor(&bytes, "same", 1, (uint64_t[]){8}, 0, 0);
    image_tensor(&bytes, "same", 1, (uint64_t[]){8}, 0, 32);
    image_pad(&bytes, 32);
    image_zeros(&bytes, 64);
    assert_refused(&bytes, "same: tensor name found twice, expected once");
}

TEST(control_bytes_of_a_file_do_not_reach_the_terminal)
{
    image bytes = image_new(3, 0, 1);
    image_key(&bytes, "\x1b[2Jkey\n", 99);
    const ifn_error err = image_try(&bytes);
    assert_int_equal(err.status, IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "image.gguf: \\x1b[2Jkey\\x0a: value type: found 99"));
    image_free(&bytes);
}

TEST(a_hundred_thousand_entries_open_without_fuss)
{
    enum { N = 100000, KEY_BYTES = 16, ENTRY = 8 + KEY_BYTES + 4 + 1 };
    image bytes = image_new(3, 0, N);
    uint8_t *entries = malloc((size_t)N * ENTRY);
    char key[KEY_BYTES + 1];
    for (size_t i = 0; i < N; i++) {
        image one = {NULL, 0, 3, 0};
        snprintf(key, sizeof key, "same.start.%05zu", (i * 7919) % N);
        image_key(&one, key, IFN_GGUF_UINT8);
        image_zeros(&one, 1);
        memcpy(entries + i * ENTRY, one.data, ENTRY);
        image_free(&one);
    }
    image_put(&bytes, entries, (size_t)N * ENTRY);
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(image_open(&bytes, &gguf, &err), err);
    assert_non_null(ifn_gguf_find(gguf, "same.start.00000"));
    assert_non_null(ifn_gguf_find(gguf, "same.start.99999"));
    image_close(gguf);
    memcpy(bytes.data + bytes.bytes - ENTRY, entries, ENTRY);
    assert_refused(&bytes, "found twice");
    free(entries);
}

static image sample_image(uint32_t alignment)
{
    image bytes = {NULL, 0, 3, 0};
    const char *path = temp_path("sample.gguf");
    sample_write(path, alignment);
    bytes.data = (uint8_t *)read_file(path, &bytes.bytes);
    return bytes;
}

TEST(a_file_cut_anywhere_is_refused)
{
    image whole = sample_image(32);
    /* After the last tensor there is only padding, which may be missing. */
    const size_t needed = whole.bytes - (160 - 144);
    for (size_t cut = 0; cut < whole.bytes; cut++) {
        const image part = {whole.data, cut, 3, 0};
        const ifn_error err = image_try(&part);
        assert_that((err.status == IFN_OK) == (cut >= needed), "cut at %zu of %zu: %d %s", cut,
                    whole.bytes, (int)err.status, err.text);
    }
    image_free(&whole);
}

TEST(a_file_with_any_byte_changed_is_opened_or_refused_but_read_within_bounds)
{
    image whole = sample_image(8);
    const uint8_t changes[] = {0xff, 0x80, 0x01};
    size_t n_refused = 0;
    for (size_t at = 0; at < whole.bytes; at++) {
        for (size_t i = 0; i < N_OF(changes); i++) {
            ifn_gguf *gguf;
            uint64_t sum;
            ifn_error err = {.text = ""};
            whole.data[at] ^= changes[i];
            if (image_open(&whole, &gguf, &err) == IFN_OK) {
                assert_true(walk_everything(gguf, &sum));
                image_close(gguf);
            } else {
                assert_true(err.text[0] != '\0');
                n_refused++;
            }
            whole.data[at] ^= changes[i];
        }
    }
    assert_true(n_refused > whole.bytes / 2);
    image_free(&whole);
}
