#include "spec_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

TEST(without_a_choice_it_is_the_source_tree)
{
    char dir[SPEC_DIR_BYTES], file[SPEC_DIR_BYTES + 32];
    ifn_error err = {0};
    assert_ok(conform_spec_dir(NULL, dir, &err), err);
    snprintf(file, sizeof file, "%s/ops/matmul.yaml", dir);
    assert_int_equal(access(file, R_OK), 0);
}

TEST(a_given_folder_is_taken_if_it_is_there)
{
    char dir[SPEC_DIR_BYTES];
    ifn_error err = {0};
    assert_ok(conform_spec_dir(source_path("spec"), dir, &err), err);
    assert_string_equal(dir, source_path("spec"));
    assert_int_equal(conform_spec_dir("/nowhere/at/all", dir, &err), IFN_ERR_IO);
    assert_string_equal(err.text, "specs: /nowhere/at/all is no folder that can be read");
}
