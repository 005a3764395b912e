#include "e2e_words.h"

#include <string.h>

#include "test.h"

enum { MAX = 300 };

static ifn_status parse(e2e_words *out, ifn_error *err, const char *const *words)
{
    static char text[MAX][64];
    char *argv[MAX];
    int n = 0;
    for (; words[n] && n < MAX; n++) {
        snprintf(text[n], sizeof text[n], "%s", words[n]);
        argv[n] = text[n];
    }
    return e2e_words_parse(out, n, argv, err);
}
#define PARSE(out, err, ...) parse(out, err, (const char *const[]){"conform", __VA_ARGS__, NULL})

TEST(models_and_options_may_be_mixed)
{
    e2e_words w;
    ifn_error err = {0};
    assert_ok(PARSE(&w, &err, "--e2e", "a.gguf", "--backend", "scalar", "--e2e=b=c.gguf",
                    "--explain", "--runs", "1000", "--profile=ci", "--shrunk", "bad.yaml"),
              err);
    assert_int_equal(w.n_models, 2);
    assert_string_equal(w.models[0], "a.gguf");
    assert_string_equal(w.models[1], "b=c.gguf");
    assert_int_equal(w.explain, 1);
    assert_string_equal(w.options.shrunk, "bad.yaml");
    assert_int_equal(w.n_runs, 1000);
    assert_int_equal(w.options.n_backends, 1);
    assert_int_equal(w.options.filter.profile, PROFILE_CI);
}

TEST(company_is_asked_for_alone)
{
    e2e_words w;
    ifn_error err = {0};
    assert_ok(PARSE(&w, &err, "--e2e", "a.gguf", "--company", "--runs", "3"), err);
    assert_true(w.company && !w.explain && w.n_runs == 3);
    assert_int_equal(PARSE(&w, &err, "--e2e", "a", "--company", "--explain"), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "--company: found --explain beside it, which does not apply");
}

static void assert_refused(const char *text, ifn_status status, const ifn_error *err)
{
    assert_int_equal(status, IFN_ERR_ARGUMENT);
    assert_that(strcmp(err->text, text) == 0, "'%s', expected '%s'", err->text, text);
}

TEST(what_cannot_be_meant_is_refused)
{
    e2e_words w;
    ifn_error err = {0};
    assert_refused("--e2e: found '', expected a GGUF file, or the word shipped",
                   PARSE(&w, &err, "--e2e"), &err);
    assert_refused("--e2e: found '--quiet', expected a GGUF file, or the word shipped",
                   PARSE(&w, &err, "--e2e", "--quiet"), &err);
    assert_refused("--runs: found '0', expected 1 .. 1000000",
                   PARSE(&w, &err, "--e2e", "a", "--runs", "0"), &err);
    assert_refused("--runs: found '3x', expected 1 .. 1000000",
                   PARSE(&w, &err, "--e2e", "a", "--runs=3x"), &err);
    assert_refused("--e2e: found --op beside it, which does not apply",
                   PARSE(&w, &err, "--e2e", "a", "--op", "matmul"), &err);
    assert_refused("--shrunk: found '-', expected a path of at most 496 characters",
                   PARSE(&w, &err, "--e2e", "a", "--shrunk", "-"), &err);
    assert_refused("--qqqqqqqq: unknown option (see inferno conform --help)",
                   PARSE(&w, &err, "--e2e", "a", "--qqqqqqqq"), &err);
}

TEST(seventeen_models_are_too_many)
{
    const char *words[40] = {"conform"};
    e2e_words w;
    ifn_error err = {0};
    for (int i = 0; i < 17; i++)
        words[1 + i] = "--e2e=m";
    assert_refused("--e2e: given more than 16 times", parse(&w, &err, words), &err);
}

TEST(options_are_told_from_longer_words)
{
    assert_true(conform_options_is("--e2e", "--e2e") && conform_options_is("--e2e=x", "--e2e"));
    assert_false(conform_options_is("--e2e-more", "--e2e"));
    assert_false(conform_options_is("--e2", "--e2e"));
}
