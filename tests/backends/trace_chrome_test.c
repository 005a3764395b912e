#include "json.h"
#include "traced.h"

static json *write_chrome(const ifn_backend *chain)
{
    static written w;
    const char *end;
    ifn_error err = {0};
    w.bytes = 0;
    assert_ok(ifn_trace_write_chrome(chain, keep_text, &w, &err), err);
    json *const document = json_parse(w.text, &end);
    assert_string_equal(end, "");
    return document;
}

/* The n-th complete event of this category, or NULL. */
static const json *find_event(const json *document, const char *category, int n)
{
    const json *const events = json_get(document, "traceEvents");
    for (size_t i = 0; i < events->n; i++) {
        const json *const e = &events->items[i];
        if (strcmp(json_get(e, "ph")->string, "X") == 0 &&
            strcmp(json_get(e, "cat")->string, category) == 0 && n-- == 0)
            return e;
    }
    return NULL;
}

static double number(const json *event, const char *key)
{
    const json *const value = json_get(event, key);
    assert_non_null(value);
    assert_int_equal(value->type, JSON_NUMBER);
    return value->number;
}

TEST(calls_and_spans_are_events)
{
    ifn_backend *const chain = open_chain("trace:scalar");
    ifn_trace_begin(chain, "pre\"fill");
    call_add(chain, 0);
    call_linear(chain, "blk.0.attn_q.weight");
    ifn_trace_end(chain);
    call_argmax_of_nothing(chain);
    json *const document = write_chrome(chain);
    assert_int_equal(json_int(json_get(json_get(document, "otherData"), "dropped")), 0);

    const json *const span = find_event(document, "span", 0), *add = find_event(document, "op", 0);
    assert_string_equal(json_get(span, "name")->string, "pre\"fill");
    assert_string_equal(json_get(add, "name")->string, "add");
    assert_true(number(span, "ts") == 0.0);
    assert_true(number(add, "ts") >= 0.0 && number(add, "dur") > 0.0);
    assert_true(number(add, "ts") + number(add, "dur") <= number(span, "dur") + 1e-6);
    assert_int_equal(number(json_get(add, "args"), "bytes"), 36);
    assert_int_equal(number(json_get(add, "args"), "flops"), 3);
    assert_null(json_get(json_get(add, "args"), "weight"));

    const json *const linear = find_event(document, "op", 1);
    assert_string_equal(json_get(json_get(linear, "args"), "weight")->string, "blk.0.attn_q");
    const json *const failed = find_event(document, "op", 2);
    assert_string_equal(json_get(json_get(failed, "args"), "status")->string, "ERR_SHAPE");
    assert_null(find_event(document, "op", 3));
    assert_null(find_event(document, "span", 1));
    json_free(document);
    ifn_backend_close(chain);
}

TEST(every_trace_is_a_process_and_every_lane_a_thread)
{
    ifn_backend *const scalar = open_chain("scalar"), *inner, *outer;
    const ifn_backend_options two = IFN_SIZED(ifn_backend_options, .n_contexts = 2);
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(&ifn_backend_trace, scalar, NULL, NULL, &inner, &err), err);
    ifn_backend_close(inner);
    ifn_backend_close(scalar);
    assert_ok(ifn_backend_open("trace:scalar", &two, &outer, &err), err);
    call_add(outer, 1);
    json *const document = write_chrome(outer);
    const json *const events = json_get(document, "traceEvents");
    static const char *const expected[][2] = {
        {"process_name", "scalar"}, {"thread_name", "lane 0"}, {"thread_name", "lane 1"}};
    size_t n = 0;
    for (size_t i = 0; i < events->n; i++) {
        const json *const e = &events->items[i];
        if (strcmp(json_get(e, "ph")->string, "M") != 0)
            continue;
        assert_true(n < N_OF(expected));
        assert_string_equal(json_get(e, "name")->string, expected[n][0]);
        assert_string_equal(json_get(json_get(e, "args"), "name")->string, expected[n++][1]);
    }
    assert_int_equal(n, N_OF(expected));
    assert_int_equal(number(find_event(document, "op", 0), "tid"), 1);
    json_free(document);
    ifn_backend_close(outer);
}

TEST(an_empty_trace_is_a_document_too)
{
    ifn_backend *const chain = open_chain("trace=0:scalar");
    call_add(chain, 0);
    ifn_trace_begin(chain, "span");
    ifn_trace_end(chain);
    json *const document = write_chrome(chain);
    assert_null(find_event(document, "op", 0));
    assert_int_equal(json_int(json_get(json_get(document, "otherData"), "dropped")), 2);
    json_free(document);
    ifn_backend_close(chain);
}

TEST(what_cannot_be_written_is_an_error)
{
    ifn_error err = {0};
    ifn_backend *chain = open_chain("scalar");
    assert_int_equal(ifn_trace_write_chrome(chain, refuse_text, NULL, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'scalar': there is no trace in it");
    ifn_backend_close(chain);
    chain = open_chain("trace:scalar");
    assert_int_equal(ifn_trace_write_chrome(chain, refuse_text, NULL, &err), IFN_ERR_IO);
    ifn_backend_close(chain);
}
