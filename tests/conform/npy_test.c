#include "npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "npy_file.h"
#include "paths.h"
#include "test.h"

static const npy_matrix f32 = {.descr = "<f4", .rows = 2, .cols = 3};
static const float values[6] = {1, 2, 3, 4, 5, 6};

/* What numpy.save writes for arange(6, dtype='<f4').reshape(2, 3): the header, then the data. */
static const char numpy_header[] =
    "934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f72646572273a2046"
    "616c73652c20277368617065273a2028322c2033292c207d";
static const char numpy_data[] = "000000000000803f000000400000404000008040"
                                 "0000a040";

static size_t unhex(const char *text, unsigned char *out)
{
    size_t n = 0;
    for (; text[2 * n]; n++) {
        unsigned byte;
        assert_int_equal(sscanf(text + 2 * n, "%2x", &byte), 1);
        out[n] = (unsigned char)byte;
    }
    return n;
}

/* Writes a file of version `major` with this header text and the six values after it. */
static const char *file_of(int major, const char *text, size_t data_bytes)
{
    unsigned char file[512] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)major, 0};
    const size_t n = strlen(text), start = major == 2 ? 12 : 10;
    file[8] = (unsigned char)n;
    memcpy(file + start, text, n);
    memcpy(file + start + n, values, data_bytes);
    write_file(temp_path("a.npy"), file, start + n + data_bytes);
    return temp_path("a.npy");
}

static ifn_status read_it(const char *path, ifn_error *err)
{
    float out[6];
    return npy_read(path, &f32, out, err);
}

TEST(what_is_written_is_read_back_without_its_gaps)
{
    ifn_error err = {0};
    const float gaps[8] = {1, 2, 3, -1, 4, 5, 6, -1};
    float out[6];
    const char *path = temp_path("gaps.npy");
    write_npy(path, &f32, gaps, 4 * sizeof *gaps);
    assert_ok(npy_read(path, &f32, out, &err), err);
    assert_memory_equal(out, values, sizeof out);
    temp_clean();
}

TEST(a_file_of_numpy_is_read)
{
    ifn_error err = {0};
    unsigned char file[256];
    float out[6];
    const char *path = temp_path("numpy.npy");
    size_t n = unhex(numpy_header, file);
    for (; n < 127; n++)
        file[n] = ' ';
    file[n++] = '\n';
    n += unhex(numpy_data, file + n);
    write_file(path, file, n);
    assert_ok(npy_read(path, &f32, out, &err), err);
    for (int i = 0; i < 6; i++)
        assert_true(out[i] == (float)i);
    temp_clean();
}

TEST(both_versions_and_any_order_of_keys_are_read)
{
    ifn_error err = {0};
    static const char text[] = "{\"shape\":(2,3),'fortran_order':False,'descr':'<f4'}\n";
    assert_ok(read_it(file_of(1, text, 24), &err), err);
    assert_ok(read_it(file_of(2, text, 24), &err), err);
    assert_int_equal(read_it(file_of(3, text, 24), &err), IFN_ERR_FORMAT);
    temp_clean();
}

TEST(another_matrix_is_refused_with_what_was_found)
{
    static const struct {
        const char *text, *message;
    } others[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
         "dtype '<f8', expected '<f4'"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "Fortran order"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }",
         "shape (3, 2), expected (2, 3)"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }",
         "shape (6,), expected (2, 3)"},
        {"{'descr': '<f4', 'fortran_order': False}", "no header"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", "no header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x", "no header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 3)}",
         "no header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}", "no header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }",
         "shape (2, 4), expected (2, 3)"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "shape (), expected (2, 3)"},
    };
    for (size_t i = 0; i < N_OF(others); i++) {
        ifn_error err = {0};
        assert_int_equal(read_it(file_of(1, others[i].text, 24), &err), IFN_ERR_FORMAT);
        assert_that(strstr(err.text, others[i].message), "found: %s", err.text);
        assert_non_null(strstr(err.text, "a.npy"));
    }
    temp_clean();
}

TEST(what_is_no_header_is_called_so)
{
    static const char *const texts[] = {
        "",
        "'descr': '<f4'",
        "{descr: '<f4'}",
        "{'descr",
        "{'descr' '<f4'}",
        "{'a key longer than any of ours': 1}",
        "{'descr': 4}",
        "{'descr': '<f4' 'shape': (2, 3)}",
        "{'descr': '<f4', 'shape': 2}",
        "{'descr': '<f4', 'shape': (2 3)}",
        "{'descr': '<f4', 'shape': (2, 3, 4, 5, 6, 7, 8, 9)}",
        "{'shape': (2, 3), 'shape': (2, 3)}",
        "{'fortran_order': None}",
        "{'fortran_order': False, 'fortran_order': False}",
        "{'descr': '<f4', 'shape': (2, 3)}",
        "{'fortran_order': False, 'shape': (2, 3)}",
        "{'order': False}",
    };
    for (size_t i = 0; i < N_OF(texts); i++) {
        ifn_error err = {0};
        assert_int_equal(read_it(file_of(1, texts[i], 24), &err), IFN_ERR_FORMAT);
        assert_that(strstr(err.text, "no header of .npy 1.0 or 2.0"), "%s: %s", texts[i], err.text);
    }
    temp_clean();
}

TEST(every_truncation_and_every_extra_byte_is_malformed)
{
    ifn_error err = {0};
    size_t n;
    const char *path = temp_path("whole.npy"), *cut = temp_path("cut.npy");
    write_npy(path, &f32, values, 12);
    char *file = read_file(path, &n);
    for (size_t i = 0; i < n; i++) {
        write_file(cut, file, i);
        assert_int_equal(read_it(cut, &err), IFN_ERR_FORMAT);
    }
    write_file(cut, file, n + 1); /* a name with its NUL */
    assert_int_equal(read_it(cut, &err), IFN_ERR_FORMAT);
    write_file(cut, file, n);
    assert_ok(read_it(cut, &err), err);
    free(file);
    temp_clean();
}

TEST(a_changed_byte_of_the_header_does_no_harm)
{
    ifn_error err = {0};
    size_t n;
    const char *path = temp_path("whole.npy"), *bad = temp_path("bad.npy");
    write_npy(path, &f32, values, 12);
    unsigned char *file = (unsigned char *)read_file(path, &n);
    for (size_t i = 0; i < 10; i++) {
        file[i] ^= 0x55;
        write_file(bad, file, n);
        /* the minor version does not matter */
        assert_int_equal(read_it(bad, &err), i == 7 ? IFN_OK : IFN_ERR_FORMAT);
        file[i] ^= 0x55;
    }
    free(file);
    temp_clean();
}

TEST(what_is_not_there_is_another_error)
{
    ifn_error err = {0};
    assert_int_equal(read_it("/nowhere/a.npy", &err), IFN_ERR_IO);
}
