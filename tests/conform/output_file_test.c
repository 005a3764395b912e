#include "output_file.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "paths.h"
#include "test.h"

static void put_word(const conform_report *r, FILE *out)
{
    (void)r;
    fputs("whole", out);
}

static void a_file_appears_complete(void **state)
{
    (void)state;
    ifn_error err = {0};
    const char *path = temp_path("report");
    assert_ok(conform_write_file(path, put_word, NULL, &err), err);
    char *text = read_file(path, NULL);
    assert_string_equal(text, "whole");
    free(text);
    temp_clean();
}

static void what_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    ifn_error err = {0};
    assert_int_equal(conform_write_file("/nowhere/at/all", put_word, NULL, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "/nowhere/at/all"));
    assert_int_equal(conform_write_file("/dev", put_word, NULL, &err), IFN_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_file_appears_complete),
        RUN(what_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
