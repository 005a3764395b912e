#include "outputs.h"

#include <string.h>

#include "paths.h"
#include "test.h"

/* The command refuses the path before it runs anything. */
TEST(what_cannot_be_written_is_said_first)
{
    char path[512];
    snprintf(path, sizeof path, "%s", temp_path("nowhere/report"));
    for (int i = 0; i < 4; i++) {
        conform_options o = {.json = NULL};
        const char **const paths[] = {&o.json, &o.html, &o.junit, &o.shrunk};
        ifn_error err = {0};
        assert_ok(conform_outputs_check(&o, &err), err);
        *paths[i] = path;
        assert_int_not_equal(conform_outputs_check(&o, &err), IFN_OK);
        assert_non_null(strstr(err.text, "nowhere/report"));
    }
}

TEST(a_stream_is_a_lone_dash)
{
    assert_true(conform_output_is_stream("-"));
    assert_false(conform_output_is_stream("-f"));
    assert_false(conform_output_is_stream(NULL));
}

TEST(two_documents_on_one_stream_are_none)
{
    conform_options o = {.json = "-"};
    ifn_error err = {0};
    assert_ok(conform_outputs_check_streams(&o, &err), err);
    o.github = true;
    assert_int_equal(conform_outputs_check_streams(&o, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text,
                        "--format and --json: both go to standard output, expected one of them");
}
