#include "spec_doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

static spec_doc open_text(const char *text)
{
    static char path[512];
    ifn_error err;
    spec_doc doc;
    strncpy(path, temp_path("doc.yaml"), sizeof path - 1);
    write_file(path, text, strlen(text));
    assert_ok(spec_doc_open(&doc, path, &err), err);
    doc.err = NULL; /* err lives only as long as this function */
    return doc;
}

static void assert_not_opened(const char *text, ifn_status expected, const char *message)
{
    ifn_error err = {0};
    spec_doc doc;
    const char *path = temp_path("doc.yaml");
    write_file(path, text, strlen(text));
    assert_int_equal(spec_doc_open(&doc, path, &err), expected);
    assert_that(strstr(err.text, message), "'%s' does not say '%s'", err.text, message);
}

TEST(a_file_is_one_document_of_yaml)
{
    assert_not_opened("", IFN_ERR_FORMAT, "doc.yaml:1:1: nothing in it, expected YAML");
    assert_not_opened("a: [1, 2\nb: 3\n", IFN_ERR_FORMAT, "doc.yaml:2:2: ");
    assert_not_opened("a: 1\n---\nb: 2\n", IFN_ERR_FORMAT, "doc.yaml:3:1: a second document");
    assert_not_opened("a: \"\xff\"\n", IFN_ERR_FORMAT, "UTF-8");
}

TEST(a_file_that_is_not_there_is_no_format_error)
{
    ifn_error err;
    spec_doc doc;
    assert_int_equal(spec_doc_open(&doc, temp_path("no.yaml"), &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "no.yaml: no such file or directory"));
    assert_int_equal(spec_doc_open(&doc, source_path("tests"), &err), IFN_ERR_IO);
}

typedef struct point {
    int64_t x, y;
} point;

static ifn_status read_x(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_integer(doc, node, &((point *)into)->x);
}

static ifn_status read_y(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_integer(doc, node, &((point *)into)->y);
}

static const spec_key keys[] = {{"x", 1, read_x}, {"y", 0, read_y}};

static ifn_error error_of_map(const char *text)
{
    ifn_error err = {0};
    point p;
    spec_doc doc = open_text(text);
    doc.err = &err;
    assert_int_equal(spec_doc_map(&doc, spec_doc_root(&doc), keys, N_OF(keys), &p), IFN_ERR_FORMAT);
    spec_doc_close(&doc);
    return err;
}

TEST(a_map_has_the_keys_of_its_table_and_no_others)
{
    point p = {0};
    spec_doc doc = open_text("y: 4\nx: -3\n");
    assert_int_equal(spec_doc_map(&doc, spec_doc_root(&doc), keys, N_OF(keys), &p), IFN_OK);
    assert_int_equal(p.x, -3);
    assert_int_equal(p.y, 4);
    spec_doc_close(&doc);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"x: 1\nz: 2\n", "doc.yaml:2:1: unknown key 'z', expected y"},
        {"x: 1\ny: 2\nz: 3\n", "doc.yaml:3:1: unknown key 'z', expected no more"},
        {"y: 1\n", "doc.yaml:1:1: no key 'x', expected one"},
        {"x: 1\ny: 2\nx: 1\n", "doc.yaml:3:1: key 'x' a second time, first in line 1"},
        {"[x, y]\n", "doc.yaml:1:1: a list, expected a map"},
        {"[x]: 1\n", "the key is a list, expected a name"},
        {"x: one\n", "doc.yaml:1:4: 'one', expected an integer"},
        {"x: '1'\n", "doc.yaml:1:4: '1', expected an integer"},
        {"x: 1.5\n", "doc.yaml:1:4: '1.5', expected an integer"},
        {"x: 99999999999999999999\n", "expected an integer"},
        {"x: {a: 1}\n", "doc.yaml:1:4: a map, expected text"},
        {"x:\n", "doc.yaml:1:3: empty, expected text"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        const ifn_error err = error_of_map(bad[i].text);
        assert_that(strstr(err.text, bad[i].message), "'%s' does not say '%s'", err.text,
                    bad[i].message);
    }
}

typedef struct numbers {
    int n;
    double values[8];
} numbers;

static ifn_status add_number(spec_doc *doc, spec_node *node, void *into)
{
    numbers *list = into;
    return spec_doc_number(doc, node, &list->values[list->n++]);
}

TEST(numbers_are_those_of_yaml)
{
    numbers list = {0};
    spec_doc doc = open_text("[1, -2.5e-3, .inf, -.inf, +.inf, .nan, 0.1, -0]\n");
    assert_int_equal(spec_doc_list(&doc, spec_doc_root(&doc), 8, add_number, &list), IFN_OK);
    spec_doc_close(&doc);
    assert_true(list.values[0] == 1 && list.values[1] == -2.5e-3 && list.values[6] == 0.1);
    assert_true(list.values[2] == (double)INFINITY && list.values[3] == -(double)INFINITY);
    assert_true(list.values[4] == (double)INFINITY && isnan(list.values[5]));
    assert_true(list.values[7] == 0 && signbit(list.values[7]));
    static const char *const bad[] = {"[0x10]",  "[inf]", "[nan]", "['1']",  "[1e]",
                                      "[--1]",   "[.]",   "[x]",   "[\"\"]", "[[1]]",
                                      "[1 000]", "[-]",   "[e5]",  "[-.nan]"};
    for (size_t i = 0; i < N_OF(bad); i++) {
        list.n = 0;
        doc = open_text(bad[i]);
        assert_that(spec_doc_list(&doc, spec_doc_root(&doc), 8, add_number, &list) != IFN_OK,
                    "%s was read", bad[i]);
        spec_doc_close(&doc);
    }
}

TEST(counts_begin_where_they_must)
{
    static const struct {
        const char *text;
        int64_t least;
        const char *why; /* NULL: the text is legal */
    } cases[] = {{"0", 0, NULL},
                 {"-1", -1, NULL},
                 {"-1", 0, "-1, expected 0 to 1000000000000000"},
                 {"1000000000000001", 0, "expected 0 to 1000000000000000"},
                 {"one", 0, "one"}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        int64_t n;
        ifn_error err = {0};
        spec_doc doc = open_text(cases[i].text);
        doc.err = &err;
        const ifn_status status = spec_doc_count(&doc, spec_doc_root(&doc), cases[i].least, &n);
        assert_int_equal(status, cases[i].why ? IFN_ERR_FORMAT : IFN_OK);
        assert_true(!cases[i].why || strstr(err.text, cases[i].why));
        spec_doc_close(&doc);
    }
}

TEST(a_list_has_its_largest_length)
{
    ifn_error err = {0};
    numbers list = {0};
    spec_doc doc = open_text("[1, 2, 3]\n");
    doc.err = &err;
    spec_node *root = spec_doc_root(&doc);
    assert_int_equal(spec_doc_list(&doc, root, 3, add_number, &list), IFN_OK);
    assert_int_equal(spec_doc_list(&doc, root, 2, add_number, &list), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "1:8: entry 3 of a list, expected at most 2"));
    spec_doc_close(&doc);
}

TEST(names_have_a_largest_length_and_copies_do_not)
{
    char name[4], *copy;
    spec_doc doc = open_text("four\n");
    assert_int_equal(spec_doc_name(&doc, spec_doc_root(&doc), name, 4), IFN_ERR_FORMAT);
    assert_int_equal(spec_doc_copy(&doc, spec_doc_root(&doc), &copy), IFN_OK);
    assert_string_equal(copy, "four");
    free(copy);
    spec_doc_close(&doc);
    doc = open_text("abc\n");
    assert_int_equal(spec_doc_name(&doc, spec_doc_root(&doc), name, 4), IFN_OK);
    assert_string_equal(name, "abc");
    spec_doc_close(&doc);
}

TEST(null_is_written_plainly)
{
    static const struct {
        const char *text;
        int is_null;
    } cases[] = {{"null", 1}, {"~", 1}, {"'null'", 0}, {"0", 0}, {"[]", 0}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        spec_doc doc = open_text(cases[i].text);
        assert_int_equal(spec_node_is_null(spec_doc_root(&doc)), cases[i].is_null);
        spec_doc_close(&doc);
    }
}

/* An alias inside its own anchor would make such a tree. */
TEST(a_tree_without_end_is_refused)
{
    assert_not_opened("&a [1, *a]\n", IFN_ERR_FORMAT, "doc.yaml:1:1: an anchor or an alias");
}
