#include "golden_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char whole[] = "inferno: generate/1\n"
                            "model: {file: some/model.gguf, sha256: \"" SUM "\"}\n"
                            "prompt: \"a\\x01 \\xe9\"\n"
                            "prompt_ids: [64, 12]\n"
                            "graph: [primitive, fused]\n"
                            "activations: f32\n"
                            "expect_ids: [11, 25]\n"
                            "steps:\n"
                            "  - {top: [[11, 14.5], [25, 11.25]], margin: 3.25, sigma: 3.1e-6}\n"
                            "  - {top: [[25, 2.0], [11, -1.0], [3, -1.5]], margin: 3.0}\n"
                            "provenance:\n"
                            "  - {engine: one 1.0, precision: float32, made_by: one.py}\n"
                            "  - {engine: two 2.0, precision: float32, made_by: two.py}\n";

/* Reads `whole` with its first `old` replaced by `new`. */
static ifn_status read_changed(const char *old, const char *new, golden_spec *out, ifn_error *err)
{
    char text[2048];
    const char *at = strstr(whole, old);
    assert_non_null(at);
    const int length =
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, new, at + strlen(old));
    assert_true(length > 0 && (size_t)length < sizeof text);
    write_file(temp_path("changed.yaml"), text, (size_t)length);
    return golden_spec_read(temp_path("changed.yaml"), out, err);
}

TEST(a_whole_file_is_read)
{
    golden_spec spec;
    ifn_error err = {0};
    assert_ok(read_changed("some/", "some/", &spec, &err), err);
    assert_string_equal(spec.model, "some/model.gguf");
    assert_string_equal(spec.sha256, SUM);
    assert_int_equal(spec.prompt_bytes, 5);
    assert_memory_equal(spec.prompt, "a\x01 \xc3\xa9", 5);
    assert_int_equal(spec.prompt_ids.n, 2);
    assert_int_equal(spec.prompt_ids.ids[1], 12);
    assert_int_equal(spec.expect_ids.n, 2);
    assert_int_equal(spec.expect_ids.ids[0], 11);
    assert_int_equal(spec.graphs, 1u << IFN_GRAPH_FUSED | 1u << IFN_GRAPH_PRIMITIVE);
    assert_int_equal(spec.activations, IFN_ACTIVATIONS_F32);
    assert_int_equal(spec.n_steps, 2);
    assert_int_equal(spec.steps[0].n_top, 2);
    assert_int_equal(spec.steps[1].n_top, 3);
    assert_int_equal(spec.steps[1].top[2].id, 3);
    assert_true(spec.steps[1].top[2].logit == -1.5);
    assert_true(spec.steps[0].margin == 3.25 && spec.steps[0].sigma == 3.1e-6);
    assert_true(spec.steps[1].sigma == 0);
    assert_int_equal(spec.n_engines, 2);
    golden_spec_free(&spec);
}

TEST(a_margin_alone_is_a_step)
{
    golden_spec spec;
    ifn_error err = {0};
    assert_ok(read_changed("top: [[11, 14.5], [25, 11.25]], ", "", &spec, &err), err);
    assert_int_equal(spec.steps[0].n_top, 0);
    assert_true(spec.steps[0].margin == 3.25);
    golden_spec_free(&spec);
}

TEST(ids_alone_are_a_prompt)
{
    golden_spec spec;
    ifn_error err = {0};
    assert_ok(read_changed("prompt: \"a\\x01 \\xe9\"\n", "", &spec, &err), err);
    assert_null(spec.prompt);
    assert_int_equal(spec.prompt_ids.n, 2);
    golden_spec_free(&spec);
}

TEST(defects_are_named_with_line_and_column)
{
    static const struct {
        const char *old, *new, *text;
    } defects[] = {
        {"generate/1", "generate/2", ":1:10: 'generate/2', expected generate/1"},
        {"prompt_ids", "promptids", ":4:1: unknown key 'promptids'"},
        {"activations: f32\n", "", "no key 'activations'"},
        {"some/model.gguf", "[]", ":2:15: a list, expected text"},
        {"0123456789abcdef0", "0123456789ABCDEF0", "expected 64 lower-case hex digits"},
        {"0123456789abcdef0", "123456789abcdef0", "expected 64 lower-case hex digits"},
        {"a\\x01", "a\\0", ":3:9: a NUL in the text"},
        {"[64, 12]", "[64, twelve]", ":4:18: 'twelve', expected an integer"},
        {"[64, 12]", "[64, -1]", ":4:18: -1, expected an id"},
        {"[64, 12]", "[64, 4294967296]", ":4:18: 4294967296, expected an id"},
        {"[64, 12]", "[]", ":4:13: no ids, expected some"},
        {"[64, 12]", "64", ":4:13: a single value, expected a list"},
        {"fused", "fuzed", ":5:20: 'fuzed', expected fused or primitive"},
        {"[primitive, fused]", "[]", ":5:8: no graph, expected one"},
        {"f32", "f16", ":6:14: 'f16', expected f32 or q8"},
        {"expect_ids: [11, 25]", "expect_ids: [11]", "2 steps, expected one for each of 1"},
        {"[25, 11.25]", "[25]", ":9:24: 1 values, expected an id and its logit"},
        {"[25, 11.25]", "[25, 11.25, 1]", "expected at most 2"},
        {"[25, 11.25]", "[25, 15.0]", ":9:24: a larger logit than the one before"},
        {"[25, 11.25]", "[25, .nan]", ":9:24: a larger logit than the one before"},
        {", [25, 11.25]", "", ":9:5: 1 candidate, expected two or more"},
        {"margin: 3.25", "margin: 3.26", ":9:5: margin 3.26000, expected 3.25000"},
        {"margin: 3.25", "margin: .nan", ":9:5: margin nan, expected 3.25000"},
        {"top: [[11, 14.5], [25, 11.25]], margin: 3", "margin: -3",
         ":9:5: margin -3.25000, expected at least 0"},
        {"sigma", "signa", ":9:52: unknown key 'signa'"},
        {"engine: one 1.0, ", "", ":12:5: no key 'engine'"},
    };
    for (size_t i = 0; i < N_OF(defects); i++) {
        golden_spec spec;
        ifn_error err = {0};
        assert_int_equal(read_changed(defects[i].old, defects[i].new, &spec, &err), IFN_ERR_FORMAT);
        assert_that(strstr(err.text, defects[i].text), "expected '%s' in: %s", defects[i].text,
                    err.text);
        golden_spec_free(&spec);
    }
}

TEST(a_file_that_is_not_there_is_named)
{
    golden_spec spec;
    ifn_error err = {0};
    assert_int_equal(golden_spec_read(temp_path("none.yaml"), &spec, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "none.yaml"));
    golden_spec_free(&spec);
}
