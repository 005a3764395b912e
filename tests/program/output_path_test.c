#include "output_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

/* Copies the path, as temp_path has only one buffer. */
static char *path_of(const char *name)
{
    return strdup(temp_path(name));
}

TEST(a_link_leads_to_its_end)
{
    char *first = path_of("first"), *second = path_of("second");
    assert_int_equal(symlink("second", first), 0);
    assert_int_equal(symlink("/nowhere/at/all", second), 0);
    char *target = output_path_target(first);
    assert_string_equal(target, "/nowhere/at/all");
    free(target);
    target = output_path_target("plain");
    assert_string_equal(target, "plain");
    free(target);
    free(first);
    free(second);
}

TEST(a_circle_of_links_has_an_end)
{
    char *circle = path_of("circle");
    assert_int_equal(symlink("circle", circle), 0);
    char *target = output_path_target(circle);
    assert_string_equal(target, circle);
    free(target);
    free(circle);
}

static char *file_of_mode(const char *name, mode_t mode)
{
    char *path = path_of(name);
    write_file(path, "x", 1);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

TEST(the_mode_is_that_of_before_and_as_private_as_the_input)
{
    const mode_t before = umask(022);
    char *secret = file_of_mode("secret", 0600), *open_file = file_of_mode("open", 0644);
    char *fresh = path_of("fresh");
    assert_int_equal(output_path_mode(fresh, NULL), 0644);
    assert_int_equal(output_path_mode(fresh, open_file), 0644);
    assert_int_equal(output_path_mode(fresh, secret), 0600);
    assert_int_equal(output_path_mode(secret, NULL), 0600);
    assert_int_equal(output_path_mode(secret, open_file), 0600);
    assert_int_equal(output_path_mode(open_file, secret), 0600);
    assert_int_equal(chmod(secret, 0400), 0); /* who makes the result may write it */
    assert_int_equal(output_path_mode(fresh, secret), 0600);
    umask(before);
    free(secret);
    free(open_file);
    free(fresh);
}

static void assert_refuses(const char *path, const char *input, int force, const char *why)
{
    ifn_error err = {0};
    assert_int_equal(output_path_check(path, input, force, &err), IFN_ERR_ARGUMENT);
    assert_that(strstr(err.text, why), "found %s, expected %s", err.text, why);
}

TEST(a_file_is_replaced_by_force_and_the_input_never)
{
    ifn_error err = {0};
    char *in = file_of_mode("in", 0644), *other = file_of_mode("other", 0644);
    char *hard = path_of("hard"), *soft = path_of("soft"), *fresh = path_of("never");
    assert_int_equal(link(in, hard), 0);
    assert_int_equal(symlink("in", soft), 0);
    assert_refuses(other, in, 0, "other: exists already; --force replaces it");
    assert_ok(output_path_check(other, in, 1, &err), err);
    assert_ok(output_path_check(fresh, in, 0, &err), err);
    const char *const itself[] = {in, hard, soft};
    for (size_t i = 0; i < N_OF(itself); i++)
        for (int force = 0; force < 2; force++)
            assert_refuses(itself[i], in, force, "is the input itself");
    assert_ok(output_path_check("-", in, 0, &err), err);
    assert_ok(output_path_check("/dev/null", in, 0, &err), err);
    free(in);
    free(other);
    free(hard);
    free(soft);
    free(fresh);
}
