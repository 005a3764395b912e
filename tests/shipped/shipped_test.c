#include "shipped.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

static void what_ships_is_found_from_where_this_program_lies(void **state)
{
    (void)state;
    static const char *const names[] = {"spec/ops/matmul.yaml", SHIPPED_MODEL};
    char path[SHIPPED_PATH_BYTES];
    ifn_error err = {0};
    for (size_t i = 0; i < N_OF(names); i++) {
        assert_ok(shipped_path("file", names[i], path, &err), err);
        assert_int_equal(access(path, R_OK), 0);
    }
}

static void what_is_not_there_is_named_with_its_place(void **state)
{
    (void)state;
    char path[SHIPPED_PATH_BYTES];
    ifn_error err = {0};
    assert_int_equal(shipped_path("moon", "cheese", path, &err), IFN_ERR_IO);
    assert_int_equal(strncmp(err.text, "moon: /", 7), 0);
    assert_non_null(strstr(err.text, "/share/inferno/cheese cannot be read"));
}

static void a_path_that_does_not_fit_is_not_cut_off(void **state)
{
    (void)state;
    static char name[SHIPPED_PATH_BYTES];
    char path[SHIPPED_PATH_BYTES];
    ifn_error err = {0};
    memset(name, 'a', sizeof name - 1);
    assert_int_equal(shipped_path("moon", name, path, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "longer than 4095 bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(what_ships_is_found_from_where_this_program_lies),
        RUN(what_is_not_there_is_named_with_its_place),
        RUN(a_path_that_does_not_fit_is_not_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
