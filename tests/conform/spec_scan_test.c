#include "spec_doc.h"
#include "spec_scan.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "paths.h"
#include "test.h"

/* Returns `n` copies of `text` in a row, which the caller frees. */
static char *repeat(const char *text, size_t n)
{
    const size_t bytes = strlen(text);
    char *const all = malloc(n * bytes + 1);
    assert_non_null(all);
    for (size_t i = 0; i < n; i++)
        memcpy(all + i * bytes, text, bytes);
    all[n * bytes] = '\0';
    return all;
}

static ifn_status read_nothing(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    (void)doc;
    (void)key;
    (void)value;
    (void)into;
    return IFN_OK;
}

/* Opens a file with this text, and reads its keys if it has any. */
static ifn_status open_text(const char *text, ifn_error *err)
{
    spec_doc doc;
    const char *const path = temp_path("doc.yaml");
    write_file(path, text, strlen(text));
    IFN_TRY(spec_doc_open(&doc, path, err));
    const spec_node *const root = spec_doc_root(&doc);
    const ifn_status status = root->type == YAML_MAPPING_NODE
                                  ? spec_doc_pairs(&doc, spec_doc_root(&doc), read_nothing, NULL)
                                  : IFN_OK;
    spec_doc_close(&doc);
    return status;
}

static void expect_refused(const char *text, const char *why)
{
    ifn_error err = {0};
    assert_int_equal(open_text(text, &err), IFN_ERR_FORMAT);
    assert_that(strstr(err.text, why), "'%s', expected '%s'", err.text, why);
}

TEST(nesting_has_a_limit)
{
    ifn_error err = {0};
    char *const open = repeat("[", SPEC_MAX_NESTING), *const close = repeat("]", SPEC_MAX_NESTING);
    char text[2 * SPEC_MAX_NESTING + 3];
    snprintf(text, sizeof text, "%s%s", open, close);
    assert_ok(open_text(text, &err), err);
    snprintf(text, sizeof text, "[%s%s]", open, close);
    expect_refused(text, "doc.yaml:1:65: lists and maps in one another, expected at most 64 "
                         "deep");
    free(open);
    free(close);
    temp_clean();
}

/* Lists one after another are no nesting. */
TEST(many_lists_are_no_nesting)
{
    ifn_error err = {0};
    char *const text = repeat("- [1, {a: 2}]\n", 1000);
    assert_ok(open_text(text, &err), err);
    free(text);
    temp_clean();
}

TEST(what_no_file_here_has_is_refused)
{
    expect_refused("a: &x 1\n", "doc.yaml:1:4: an anchor or an alias");
    expect_refused("a: *x\n", "doc.yaml:1:4: an anchor or an alias");
    expect_refused("a: !!str 1\n", "doc.yaml:1:4: a directive or a tag");
    expect_refused("%TAG !a! b\n--- 1\n", "doc.yaml:1:1: a directive or a tag");
    temp_clean();
}

/* If the time grew with the square of the length, each would take half a minute or more. */
TEST(time_grows_with_the_length_only)
{
    static const char *const parts[] = {"[",    "{a: ",     "- ",           "? ",
                                        "&a 1", "- &a 1\n", "%TAG !a! b\n", "{\"a\": [",
                                        "a:\n", "- *a\n",   "\n  ",         "!a "};
    for (size_t i = 0; i < N_OF(parts); i++) {
        ifn_error err = {0};
        char *const text = repeat(parts[i], 400000 / strlen(parts[i]));
        const clock_t start = clock();
        const ifn_status status = open_text(text, &err);
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        assert_that(seconds < 5, "'%s': %.1f s", parts[i], seconds);
        assert_int_equal(status, IFN_ERR_FORMAT);
        free(text);
    }
    temp_clean();
}

TEST(a_map_has_a_limit_of_keys)
{
    enum { KEYS = 200000, BYTES = 16 };
    char *const text = malloc((size_t)KEYS * BYTES);
    assert_non_null(text);
    char *at = text;
    for (int i = 0; i < KEYS; i++)
        at += snprintf(at, BYTES, "k%d: 1\n", i);
    expect_refused(text, "doc.yaml:257:1: key 257 of a map, expected at most 256");
    free(text);
    temp_clean();
}
