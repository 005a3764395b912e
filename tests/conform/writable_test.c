#include "writable.h"

#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

TEST(variables_are_named_the_largest_first)
{
    char names[400];
    conform_writable_names(FAULTY_PLUGIN, names, sizeof names);
    assert_non_null(strstr(names, "n_calls (4 bytes)"));
    assert_non_null(strstr(names, "inherited (8 bytes)"));
    assert_null(strstr(names, "desc"));
    assert_null(strstr(names, "completed"));
    conform_writable_names(HOSTILE_PLUGIN, names, sizeof names);
    assert_that(strncmp(names, "wish (64 bytes), ", 17) == 0, "%s", names);
}

TEST(what_is_no_shared_object_has_none)
{
    static const char *const paths[] = {"/nowhere", "/dev/null", "/", __FILE__};
    for (size_t i = 0; i < N_OF(paths); i++) {
        char names[40] = "?";
        conform_writable_names(paths[i], names, sizeof names);
        assert_string_equal(names, "");
    }
}

/* Each byte of the header is damaged in turn; nothing beyond the file is read. */
TEST(a_damaged_one_is_believed_nothing)
{
    size_t bytes;
    char names[400], *const data = read_file(FAULTY_PLUGIN, &bytes);
    for (size_t at = 0; at < 64; at++) {
        const char kept = data[at];
        data[at] = (char)(kept ^ 0x7f);
        write_file(temp_path("damaged.so"), data, bytes);
        conform_writable_names(temp_path("damaged.so"), names, sizeof names);
        data[at] = kept;
    }
    for (size_t n = 0; n < bytes; n += 509) {
        write_file(temp_path("damaged.so"), data, n);
        conform_writable_names(temp_path("damaged.so"), names, sizeof names);
    }
    free(data);
    temp_clean();
}
