/* fixtures/MANIFEST.sha256 names every fixture with its SHA-256; ci/manifest.sh writes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "sha256.h"
#include "test.h"
#include "tree.h"

enum { HEX_DIGITS = 64, NAME_AT = HEX_DIGITS + 2 }; /* a line is "<digits>  <name>" */

static char *read_manifest(void)
{
    char *text = read_file(source_path("fixtures/MANIFEST.sha256"), NULL);
    assert_that(text, "fixtures/MANIFEST.sha256 cannot be read");
    return text;
}

static void check_line(const char *line)
{
    assert_that(strlen(line) > NAME_AT, "no manifest line: %s", line);
    char path[512], hex[HEX_DIGITS + 1];
    snprintf(path, sizeof path, "fixtures/%s", line + NAME_AT);
    size_t bytes;
    char *data = read_file(source_path(path), &bytes);
    assert_that(data, "%s: in the manifest, but not there", path);
    sha256_hex(data, bytes, hex);
    assert_that(memcmp(line, hex, HEX_DIGITS) == 0, "%s: sum is %s, expected %.64s", path, hex,
                line);
    free(data);
}

TEST(every_sum_is_right)
{
    char *text = read_manifest();
    assert_true(strlen(text) > 0);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        check_line(line);
    }
    free(text);
}

/* Generators and documentation are no fixtures. */
static int is_fixture(const char *path)
{
    return strncmp(path, "make/", 5) != 0 && !has_suffix(path, ".md") &&
           strcmp(path, "MANIFEST.sha256") != 0;
}

TEST(every_fixture_is_named)
{
    char *text = read_manifest();
    tree fixtures = tree_read(source_path("fixtures"));
    for (size_t i = 0; i < fixtures.n; i++) {
        char ending[512];
        snprintf(ending, sizeof ending, "  %s\n", fixtures.paths[i]);
        assert_that(!is_fixture(fixtures.paths[i]) || strstr(text, ending),
                    "fixtures/%s: not in MANIFEST.sha256; ci/manifest.sh writes it",
                    fixtures.paths[i]);
    }
    tree_free(&fixtures);
    free(text);
}
