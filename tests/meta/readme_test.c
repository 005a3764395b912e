/* The plugin in the README equals, to the letter, the one that the tests build and run. */
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

static const char heading[] = "\n## A complete plugin in twenty lines\n\n";

/* Returns the indented block at `text`, without its indentation. The caller frees it. */
static char *take_block(const char *text)
{
    static const char indent[] = "    ";
    const size_t indent_bytes = sizeof indent - 1;
    char *block = calloc(1, strlen(text) + 1);
    size_t bytes = 0;
    while (block && (*text == '\n' || strncmp(text, indent, indent_bytes) == 0)) {
        if (*text != '\n')
            text += indent_bytes;
        const size_t line = strcspn(text, "\n") + 1;
        memcpy(block + bytes, text, line);
        bytes += line;
        text += line;
    }
    if (bytes > 0)
        block[bytes - 1] = '\0'; /* removes the empty line after the block */
    return block;
}

TEST(the_plugin_it_shows_is_the_one_that_is_tested)
{
    char *readme = read_file(source_path("README.md"), NULL);
    char *plugin = read_file(source_path("tests/backends/plugins/one_op.c"), NULL);
    assert_true(readme != NULL && plugin != NULL);
    const char *at = strstr(readme, heading);
    const char *code = strstr(plugin, "#include");
    assert_true(at != NULL && code != NULL);
    char *shown = take_block(at + strlen(heading));
    assert_non_null(shown);
    assert_string_equal(shown, code);
    free(shown);
    free(plugin);
    free(readme);
}
