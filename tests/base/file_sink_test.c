#include "file_sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "paths.h"
#include "test.h"

TEST(a_file_appears_only_when_it_is_finished)
{
    const char *path = temp_path("out.gguf");
    ifn_file_sink sink;
    ifn_error err;
    assert_ok(ifn_file_sink_init(&sink, path, ifn_default_allocator(), &err), err);
    assert_ok(ifn_file_sink_write(&sink, "hello ", 6, &err), err);
    assert_ok(ifn_file_sink_write(&sink, "world", 5, &err), err);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(names_in(temp_path(""), "out.gguf"), 1);
    assert_ok(ifn_file_sink_finish(&sink, &err), err);
    ifn_file_sink_fini(&sink);
    size_t bytes;
    char *text = read_file(path, &bytes);
    assert_int_equal(bytes, 11);
    assert_string_equal(text, "hello world");
    free(text);
    assert_int_equal(names_in(temp_path(""), "out.gguf"), 1);
    unlink(path);
}

TEST(what_was_not_finished_leaves_the_old_file_alone)
{
    const char *path = temp_path("kept");
    ifn_file_sink sink;
    write_file(path, "old", 3);
    assert_int_equal(ifn_file_sink_init(&sink, path, ifn_default_allocator(), NULL), IFN_OK);
    assert_int_equal(ifn_file_sink_write(&sink, "new", 3, NULL), IFN_OK);
    ifn_file_sink_fini(&sink);
    char *text = read_file(path, NULL);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(names_in(temp_path(""), "kept"), 1);
}

TEST(a_stranger_with_the_temporary_name_is_left_alone)
{
    char stranger[1100];
    const char *path = temp_path("beside");
    ifn_file_sink sink;
    snprintf(stranger, sizeof stranger, "%s.%ld-0.tmp", path, (long)getpid());
    write_file(stranger, "mine", 4);
    assert_int_equal(ifn_file_sink_init(&sink, path, ifn_default_allocator(), NULL), IFN_OK);
    assert_int_equal(ifn_file_sink_write(&sink, "other", 5, NULL), IFN_OK);
    assert_int_equal(ifn_file_sink_finish(&sink, NULL), IFN_OK);
    ifn_file_sink_fini(&sink);
    char *text = read_file(stranger, NULL);
    assert_string_equal(text, "mine");
    free(text);
}

TEST(the_mode_of_the_file_is_that_of_any_new_file)
{
    const char *path = temp_path("mode");
    ifn_file_sink sink;
    struct stat st;
    const mode_t before = umask(027);
    assert_int_equal(ifn_file_sink_init(&sink, path, ifn_default_allocator(), NULL), IFN_OK);
    assert_int_equal(ifn_file_sink_finish(&sink, NULL), IFN_OK);
    ifn_file_sink_fini(&sink);
    umask(before);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
}

TEST(pieces_of_every_size_arrive_in_order)
{
    enum { TOTAL = 400000 };
    static uint8_t all[TOTAL];
    for (size_t i = 0; i < TOTAL; i++)
        all[i] = (uint8_t)(i * 31 >> 3);
    const char *path = temp_path("pieces");
    ifn_file_sink sink;
    assert_int_equal(ifn_file_sink_init(&sink, path, ifn_default_allocator(), NULL), IFN_OK);
    static const size_t pieces[] = {1, 65535, 1, 0, 65536, 65537, 100, 130000};
    size_t at = 0;
    for (size_t i = 0; i < N_OF(pieces); i++) {
        assert_int_equal(ifn_file_sink_write(&sink, all + at, pieces[i], NULL), IFN_OK);
        at += pieces[i];
    }
    assert_int_equal(ifn_file_sink_finish(&sink, NULL), IFN_OK);
    ifn_file_sink_fini(&sink);
    size_t bytes;
    char *text = read_file(path, &bytes);
    assert_int_equal(bytes, at);
    assert_memory_equal(text, all, at);
    free(text);
}

static void assert_cannot_open(const char *path, const char *why)
{
    ifn_file_sink sink;
    ifn_error err;
    assert_int_equal(ifn_file_sink_init(&sink, path, ifn_default_allocator(), &err), IFN_ERR_IO);
    ifn_file_sink_fini(&sink);
    assert_that(strstr(err.text, path) && strstr(err.text, why), "'%s' does not say '%s'", err.text,
                why);
}

TEST(zeros_of_any_number_stand_between_pieces)
{
    static const size_t numbers[] = {0, 1, 4095, 4096, 4097, 100000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *path = temp_path("zeros");
        ifn_file_sink sink;
        ifn_error err;
        size_t bytes, n_zeros = 0;
        assert_ok(ifn_file_sink_init(&sink, path, ifn_default_allocator(), &err), err);
        assert_ok(ifn_file_sink_write(&sink, "a", 1, &err), err);
        assert_ok(ifn_file_sink_zeros(&sink, numbers[i], &err), err);
        assert_ok(ifn_file_sink_write(&sink, "b", 1, &err), err);
        assert_ok(ifn_file_sink_finish(&sink, &err), err);
        ifn_file_sink_fini(&sink);
        char *data = read_file(path, &bytes);
        assert_int_equal(bytes, numbers[i] + 2);
        assert_true(data[0] == 'a' && data[bytes - 1] == 'b');
        while (data[1 + n_zeros] == '\0')
            n_zeros++;
        assert_int_equal(n_zeros, numbers[i]);
        free(data);
    }
}

TEST(what_cannot_be_written_is_refused_by_name)
{
    assert_cannot_open(temp_path("no/such/dir"), "no such file or directory");
    assert_cannot_open("/", "is a directory");
    write_file(temp_path("plain"), "", 0);
    assert_cannot_open(temp_path("plain/below"), "not a directory");
}

/* The device is reached through a link of the test's own: a sink that renamed over its target would replace only the
 * link. */
TEST(a_full_device_is_an_error_and_is_not_replaced)
{
    ifn_file_sink sink;
    ifn_error err;
    struct stat st;
    const char *path = temp_path("full");
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_ok(ifn_file_sink_init(&sink, path, ifn_default_allocator(), &err), err);
    assert_ok(ifn_file_sink_write(&sink, "x", 1, &err), err);
    assert_int_equal(ifn_file_sink_finish(&sink, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "full: no space left on the device"));
    ifn_file_sink_fini(&sink);
    assert_int_equal(lstat(path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

TEST(a_dash_is_standard_output)
{
    int ends[2];
    char got[8] = {0};
    assert_int_equal(pipe(ends), 0);
    const int saved = dup(STDOUT_FILENO);
    assert_true(saved >= 0 && dup2(ends[1], STDOUT_FILENO) >= 0);
    ifn_file_sink sink;
    const ifn_status opened = ifn_file_sink_init(&sink, "-", ifn_default_allocator(), NULL);
    const ifn_status written = ifn_file_sink_write(&sink, "piped", 5, NULL);
    const ifn_status finished = ifn_file_sink_finish(&sink, NULL);
    ifn_file_sink_fini(&sink);
    assert_true(dup2(saved, STDOUT_FILENO) >= 0);
    close(saved);
    close(ends[1]);
    assert_int_equal(opened, IFN_OK);
    assert_int_equal(written, IFN_OK);
    assert_int_equal(finished, IFN_OK);
    assert_int_equal(read(ends[0], got, sizeof got), 5);
    assert_string_equal(got, "piped");
    close(ends[0]);
}

TEST(every_failing_allocation_is_reported_and_nothing_stays)
{
    const char *path = temp_path("nomem");
    for (long n = 0; n < 3; n++) {
        fail_alloc failing;
        ifn_file_sink sink;
        ifn_error err;
        fail_alloc_init(&failing, n);
        assert_int_equal(ifn_file_sink_init(&sink, path, &failing.allocator, &err), IFN_ERR_NOMEM);
        ifn_file_sink_fini(&sink);
        assert_int_equal(err.status, IFN_ERR_NOMEM);
        assert_int_equal(failing.live_blocks, 0);
        assert_int_equal(names_in(temp_path(""), "nomem"), 0);
    }
}
