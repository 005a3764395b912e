#include "export_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

static void fill(export_dir *d)
{
    char path[EXPORT_PATH_BYTES];
    ifn_error err = {0};
    assert_ok(export_dir_open(d, temp_path("new/"), &err), err);
    assert_ok(export_dir_folder(d, "0000", &err), err);
    assert_ok(export_path(path, d->temporary, "0000", "a", ".npy", &err), err);
    write_file(path, "x", 1);
}

static void a_directory_appears_when_it_is_complete(void **state)
{
    (void)state;
    export_dir d;
    ifn_error err = {0};
    fill(&d);
    assert_int_not_equal(access(temp_path("new"), F_OK), 0);
    assert_ok(export_dir_finish(&d, &err), err);
    assert_int_equal(access(temp_path("new/0000/a.npy"), F_OK), 0);
    assert_int_not_equal(access(d.temporary, F_OK), 0);
    temp_clean();
}

static void a_discarded_one_leaves_nothing(void **state)
{
    (void)state;
    export_dir d;
    fill(&d);
    export_dir_discard(&d);
    assert_int_not_equal(access(d.temporary, F_OK), 0);
    assert_int_not_equal(access(temp_path("new"), F_OK), 0);
    temp_clean();
}

static void nothing_that_is_there_is_replaced(void **state)
{
    (void)state;
    export_dir d;
    ifn_error err = {0};
    fill(&d);
    assert_ok(export_dir_finish(&d, &err), err);
    assert_int_equal(export_dir_open(&d, temp_path("new"), &err), IFN_ERR_ARGUMENT);
    assert_int_equal(export_dir_open(&d, temp_path("new/0000/a.npy"), &err), IFN_ERR_IO);
    assert_int_equal(export_dir_open(&d, "/nowhere/new", &err), IFN_ERR_IO);
    temp_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_directory_appears_when_it_is_complete),
        RUN(a_discarded_one_leaves_nothing),
        RUN(nothing_that_is_there_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
