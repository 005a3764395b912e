#include "model_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "signal_of.h"
#include "test.h"

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static void write_model(const char *path, const char *input)
{
    ifn_gguf_writer *writer;
    ifn_error err = {0};
    assert_ok(model_output_open(path, input, 32, &writer, &err), err);
    assert_ok(ifn_gguf_writer_finish(writer, &err), err);
    model_output_close(writer);
}

TEST(a_link_stays_one_and_the_file_keeps_its_mode)
{
    struct stat st;
    char *target = strdup(temp_path("target")), *linked = strdup(temp_path("linked"));
    write_file(target, "old", 3);
    assert_int_equal(chmod(target, 0600), 0);
    assert_int_equal(symlink("target", linked), 0);
    write_model(linked, NULL);
    assert_true(lstat(linked, &st) == 0 && S_ISLNK(st.st_mode));
    assert_true(stat(target, &st) == 0 && st.st_size > 3);
    assert_int_equal(mode_of(target), 0600);
    free(target);
    free(linked);
}

TEST(what_is_made_of_a_private_file_is_private)
{
    char *secret = strdup(temp_path("secret")), *made = strdup(temp_path("made"));
    write_file(secret, "x", 1);
    assert_int_equal(chmod(secret, 0600), 0);
    write_model(made, secret);
    assert_int_equal(mode_of(made), 0600);
    free(secret);
    free(made);
}

static void be_interrupted(void)
{
    ifn_gguf_writer *writer;
    if (model_output_open(temp_path("signalled"), NULL, 32, &writer, NULL) != IFN_OK ||
        names_in(temp_path(""), "signalled") != 1)
        _exit(2);
    raise(SIGQUIT);
}

TEST(a_signal_leaves_nothing)
{
    assert_int_equal(signal_of(be_interrupted), SIGQUIT);
    assert_int_equal(names_in(temp_path(""), "signalled"), 0);
}
