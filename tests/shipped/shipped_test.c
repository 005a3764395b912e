#include "shipped.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

/* The path that readlink returns for the program; NULL: the real one. */
static const char *place;

ssize_t __real_readlink(const char *path, char *out, size_t bytes);
ssize_t __wrap_readlink(const char *path, char *out, size_t bytes);

ssize_t __wrap_readlink(const char *path, char *out, size_t bytes)
{
    if (!place)
        return __real_readlink(path, out, bytes);
    const size_t n = strlen(place);
    memcpy(out, place, n < bytes ? n : bytes);
    return n == 0 ? -1 : (ssize_t)n;
}

TEST(what_ships_is_found_from_where_this_program_lies)
{
    static const char *const names[] = {"spec/ops/matmul.yaml", SHIPPED_MODEL};
    char path[SHIPPED_PATH_BYTES];
    ifn_error err = {0};
    for (size_t i = 0; i < N_OF(names); i++) {
        assert_ok(shipped_path("file", names[i], path, &err), err);
        assert_int_equal(access(path, R_OK), 0);
    }
}

TEST(what_is_not_there_is_named_with_its_place)
{
    char path[SHIPPED_PATH_BYTES];
    ifn_error err = {0};
    assert_int_equal(shipped_path("moon", "cheese", path, &err), IFN_ERR_IO);
    assert_int_equal(strncmp(err.text, "moon: /", 7), 0);
    assert_non_null(strstr(err.text, "/share/inferno/cheese cannot be read"));
}

TEST(a_path_that_does_not_fit_is_not_cut_off)
{
    static char name[SHIPPED_PATH_BYTES];
    char path[SHIPPED_PATH_BYTES];
    ifn_error err = {0};
    memset(name, 'a', sizeof name - 1);
    assert_int_equal(shipped_path("moon", name, path, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "longer than 4095 bytes"));
}

TEST(a_place_without_a_prefix_is_no_place)
{
    static const char *const places[] = {"", "program", "/program"};
    char path[SHIPPED_PATH_BYTES];
    for (size_t i = 0; i < N_OF(places); i++) {
        ifn_error err = {0};
        place = places[i];
        assert_int_equal(shipped_path("moon", "cheese", path, &err), IFN_ERR_IO);
        assert_string_equal(err.text, "moon: the system does not say where this program lies");
    }
    ifn_error err = {0};
    place = "/bin/program"; /* in the root folder the prefix may be empty */
    assert_int_equal(shipped_path("moon", "cheese", path, &err), IFN_ERR_IO);
    assert_string_equal(err.text, "moon: /share/inferno/cheese cannot be read");
    place = NULL;
}
